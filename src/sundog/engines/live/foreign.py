"""Which of a page's links lead to hosts of other shards, and which of those have been handed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from sundog.frontier.arrays import longer
from sundog.frontier.catalog import Catalog
from sundog.model import LinkBatch
from sundog.store.events import ForeignLinks

OWN, FOREIGN = 1, 2


class ForeignHosts:
    """Hosts are asked about once; ``owns`` is told their names. A URL is handed over once."""

    def __init__(self, catalog: Catalog, owns: Callable[[str], bool], sent: Iterable[Any] = ()) -> None:
        """``sent``: arrays of the candidates that were handed over before."""
        self._catalog, self._owns = catalog, owns
        self._hosts = np.zeros(64, np.uint8)
        self._sent = np.zeros(1024, np.bool_)
        for candidates in sent:
            self.sent(candidates)

    def sorted(self, links: LinkBatch) -> tuple[LinkBatch, ForeignLinks | None]:
        """This shard's own links, and the others if there are some."""
        targets = links.targets
        foreign = self._foreign(self._catalog.facts.host[targets])
        if not foreign.any():
            return links, None
        self._sent = longer(self._sent, self._catalog.size)
        new = foreign & ~self._sent[targets]
        return _part(links, ~foreign), ForeignLinks(_part(links, new), _part(links, foreign & ~new))

    def sent(self, candidates: Any) -> None:
        """They are handed over with what is committed next."""
        if len(candidates):
            self._sent = longer(self._sent, max(self._catalog.size, int(candidates.max()) + 1))
            self._sent[candidates] = True

    def _foreign(self, hosts: Any) -> Any:
        if not len(hosts):
            return np.zeros(0, np.bool_)
        self._hosts = longer(self._hosts, int(hosts.max()) + 1)
        for host in np.unique(hosts[self._hosts[hosts] == 0]).tolist():
            self._hosts[host] = OWN if self._owns(self._catalog.host_name(host)) else FOREIGN
        return self._hosts[hosts] == FOREIGN


def _part(links: LinkBatch, chosen: Any) -> LinkBatch:
    return LinkBatch(*(field[chosen] if len(field) else field for field in links))
