"""Links and seeds on their way into a session: checked, named as one page is named, and given ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sundog.errors import SundogError, UsageError
from sundog.frontier.catalog import Catalog
from sundog.model import Link, LinkBatch
from sundog.session.state import SessionState
from sundog.urls.identity import identity


class TakesLinks(SessionState):
    def intern(self, links: Sequence[Link]) -> LinkBatch:
        """The links with the ids of their strings, new ones added to the catalog; nothing is offered yet.

        Their URLs are taken as they are: engines that call this have one name for each page already.
        """
        if not isinstance(self.source, Catalog):
            raise SundogError("a session over a static world takes its links as a LinkBatch of page ids")
        is_scored = self.policy.reads_link_scores or any(link.score for link in links)
        scores = np.array([link.score for link in links], float) if is_scored else ()
        groups = np.array([link.group for link in links], np.int32) if self._reads_groups else ()
        targets = self.source.add([link.url for link in links])
        texts = [link.anchor for link in links]
        texts += [link.tag_path or link.property for link in links]
        ids = self.source.text_ids(texts)
        self.chooser.grow()
        return LinkBatch(targets, ids[: len(links)], ids[len(links) :], scores, groups)

    def _seed(self, url: str) -> str:
        name = None
        if isinstance(url, str):
            name = identity(url) if self.normalise else url
        if name is None:
            raise UsageError(f"the seed {url!r:.200} is no URL of the Web, such as https://a.example/")
        return name

    def _offer(self, parent: int, links: LinkBatch) -> int:
        """Links that no fetch has brought; returns how many are new."""
        self._note_found(links)
        new = self.chooser.offer(parent, links)
        self._may_be_drawn(links)
        return new

    def _note_found(self, links: LinkBatch) -> None:
        if self._record is not None:
            self._record.found(links.targets, self.source.size)

    def _may_be_drawn(self, links: LinkBatch) -> None:
        if self._explorer is not None:
            self._explorer.found(links.targets.tolist(), self.chooser.state_of)

    def _batch(self, links: Sequence[Link] | LinkBatch) -> LinkBatch:
        if isinstance(links, LinkBatch):
            return links
        links = checked_links(links)
        if self.normalise:
            links = [link._replace(url=name) for link in links if (name := identity(link.url))]
        return self.intern(links)


def checked_links(links: Sequence[Link]) -> list[Link]:
    """All of them, before anything is made of the first one."""
    listed = list(links)
    if not all(isinstance(link, Link) for link in listed):
        raise UsageError("links are expected as a list of Link, such as [Link('https://a.example/')]")
    for link in listed:
        for text in (link.url, link.anchor, link.tag_path, link.property):
            if not isinstance(text, str):
                raise UsageError(f"a link has {text!r} where a text is expected")
    return listed
