"""How far dates of change are believed: of sitemaps, feeds, Cache-Control, Last-Modified, and in the markup.

A hint says that a page has changed since the last visit, or that it has not. Visits tell whether that was true. So
each host has four counts for each source of hints: said it has or has not, and it had or had not. They give the
odds by which what is said raises or lowers the chance of a change. A sitemap that says "today" for all pages says
so as often where nothing has changed as where something has: it is ignored without anybody saying so.

Sources repeat each other, so of all that say something of a page only one is heard: the one that would have told
most of what the host's visits have found so far.

A chance of change becomes a time: the days after which a page of that rate has changed with this chance. So one
index serves pages with hints and without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DOUBT = 2.0  # imaginary visits, changed and not, at which a hint was as frequent as at all of the host's
LONGEST = 40.0  # changes expected at most: e^-40 is nobody's doubt
NOTHING, UNCHANGED, CHANGED = -1, 0, 1  # what a source says of a page


class HintTrust:
    """The trust in some sources of hints, by host. What they say is an array by page and source.

    >>> trust = HintTrust()
    >>> trust.since([0], [0.1], [1.0], [CHANGED]).tolist()  # nothing is known: the time is the time
    [1.0]
    >>> for _ in range(50):
    ...     trust.observe([0, 0, 1, 1], [CHANGED, UNCHANGED, CHANGED, CHANGED], [True, False, True, False])
    >>> trust.since([0, 0, 0], [0.1, 0.1, 0.1], [1.0, 1.0, 1.0], [CHANGED, UNCHANGED, NOTHING]).round(1).tolist()
    [18.5, 0.0, 1.0]
    >>> trust.since([1, 1], [0.1, 0.1], [1.0, 1.0], [CHANGED, UNCHANGED]).round(1).tolist()
    [1.0, 1.0]
    """

    def __init__(self, sources: int = 1) -> None:
        self._sources = sources
        self._counts = np.zeros((0, sources, 2, 2))  # by host, source, what was said, what was found

    def observe(self, hosts: Any, said: Any, changed: Any) -> None:
        """Visits: what was said before, and what was found."""
        hosts, said, changed = np.asarray(hosts, np.int64), self._table(said), np.asarray(changed, int)
        if len(hosts) and hosts.max() >= len(self._counts):
            grown = np.zeros((int(hosts.max()) * 3 // 2 + 1, *self._counts.shape[1:]))
            grown[: len(self._counts)] = self._counts
            self._counts = grown
        visit, source = np.nonzero(said != NOTHING)
        np.add.at(self._counts, (hosts[visit], source, said[visit, source], changed[visit]), 1.0)

    def since(self, hosts: Any, rates: Any, since_last: Any, said: Any) -> Any:
        """The days since the last visit, as they count after the hints."""
        hosts, said = np.asarray(hosts, np.int64), self._table(said)
        rates, since_last = np.asarray(rates, float), np.asarray(since_last, float)
        sites, site = np.unique(hosts, return_inverse=True)
        known, told = self._odds(sites)
        heard = np.where(said != NOTHING, told[site], -1.0).argmax(axis=1)
        says = said[np.arange(len(said)), heard]
        odds = np.where(says == NOTHING, 1.0, known[site, heard, np.maximum(says, 0)])
        changes = rates * since_last
        with np.errstate(divide="ignore", invalid="ignore"):
            # P(fresh) = e^-x / (e^-x + odds (1 - e^-x)), and the time is -log P(fresh) / rate.
            counted = changes + np.log(np.exp(-changes) - odds * np.expm1(-changes))
            found = np.where(odds == 1.0, since_last, np.clip(counted, 0.0, LONGEST) / rates)
        return np.where(changes > 0.0, found, 0.0)

    def _table(self, said: Any) -> Any:
        return np.asarray(said, np.int64).reshape(-1, self._sources)

    def _odds(self, hosts: Any) -> tuple[Any, Any]:
        """By host, source and what is said: P(said | changed) / P(said | unchanged). And by host and source, how
        much its words have told so far, in nats. A source that has always said the same tells nothing."""
        counts = np.zeros((len(hosts), *self._counts.shape[1:]))
        is_known = hosts < len(self._counts)
        counts[is_known] = self._counts[hosts[is_known]]
        usual = (counts.sum(axis=3, keepdims=True) + 0.5) / (counts.sum(axis=(2, 3), keepdims=True) + 1.0)
        said = (counts + DOUBT * usual) / (counts.sum(axis=2, keepdims=True) + DOUBT)
        has_both = counts.sum(axis=3).min(axis=2) > 0.0
        odds = np.where(has_both[:, :, None], said[..., 1] / said[..., 0], 1.0)
        told = np.where(has_both, (counts * np.log(said / usual)).sum(axis=(2, 3)), 0.0)
        return odds, np.maximum(told, 0.0)
