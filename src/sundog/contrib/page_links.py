"""How a request stands on the page that led to it: the anchor and the tag path of its link."""

from __future__ import annotations

from collections.abc import Callable

from sundog.extract import extract
from sundog.model import Link
from sundog.urls.identity import identity


class PageLinks:
    """Of one page; ``read`` gives its bytes and their type, and is called when the first request comes."""

    def __init__(self, url: str, read: Callable[[], tuple[bytes, str]]) -> None:
        self._url, self._read = url, read
        self._links: dict[str, list[Link]] | None = None

    def link_to(self, url: str, anchor: str | None = None) -> Link:
        """The page's first link there, or the one with this anchor, if that is known."""
        found = self._found(url)
        if anchor is None:
            return found[0] if found else Link(url)
        text = " ".join(anchor.split())
        exact = next((link for link in found if link.anchor == text), None)
        return exact or Link(url, text, found[0].tag_path if found else "")

    def has(self, url: str) -> bool:
        return bool(self._found(url))

    def _found(self, url: str) -> list[Link]:
        if self._links is None:
            self._links = {}
            body, content_type = self._read()
            if body:
                page = extract(body, self._url, content_type, syntaxes=())
                for link in page.find_links(with_context=False):
                    self._links.setdefault(identity(link.url) or link.url, []).append(link)
        return self._links.get(identity(url) or url, [])
