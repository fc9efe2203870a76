"""From the links of a page to candidates: one name for one page, only what is in scope, each once."""

from __future__ import annotations

from collections.abc import Iterable

from sundog.frontier.identity import identity
from sundog.model import Link
from sundog.scope.scope import Scope

MOST_REMEMBERED = 200_000


class Admission:
    """Links repeat from page to page of a site, so verdicts are kept."""

    def __init__(self, scope: Scope, *, nofollow: bool) -> None:
        self.scope = scope
        self._nofollow = nofollow
        self._known: dict[str, str | None] = {}

    def admit(self, links: Iterable[Link], depth: int) -> list[Link]:
        """Those that may be fetched, at ``depth`` links from a seed. Of links to one page the first one counts,
        with the highest score among them."""
        if self.scope.max_depth is not None and depth > self.scope.max_depth:
            return []
        known, admitted = self._known, {}
        for link in links:
            url = link.url
            name = known[url] if url in known else self._judge(url)
            if name is None or (link.nofollow and self._nofollow):
                continue
            if name not in admitted:
                admitted[name] = link if name == url else link._replace(url=name)
            elif link.score > admitted[name].score:
                admitted[name] = admitted[name]._replace(score=link.score)
        return list(admitted.values())

    def out_of_scope(self, url: str) -> str | None:
        """Why a URL may not be fetched; None: it may."""
        name = identity(url)
        return "not an http(s) URL" if name is None else self.scope.check(_as_page(name))

    def _judge(self, url: str) -> str | None:
        name = identity(url)
        if name is not None and self.scope.check(_as_page(name)) is not None:
            name = None
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[url] = name
        return name


def _as_page(url: str) -> str:
    """A packed sitemap is no archive."""
    return url.removesuffix(".gz") if url.endswith(".xml.gz") else url
