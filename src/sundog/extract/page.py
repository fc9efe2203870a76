"""What the extractors share about one HTML page: its tree, its bases, and the ids on it."""

from __future__ import annotations

from sundog.extract.dom import BLANKS, Document, Element, declared_language
from sundog.extract.guards import TimeBox
from sundog.extract.remote_contexts import RemoteContexts
from sundog.urls.identity import LONGEST
from sundog.urls.references import Base, LinkResolver


class HtmlPage:
    __slots__ = ("_ids", "_metas", "_named_metas", "_resolver", "base", "document", "remote", "url")

    def __init__(self, document: Document, url: str, remote: RemoteContexts | None = None) -> None:
        self.remote = RemoteContexts() if remote is None else remote
        self.document = document
        self.url = url
        self.base = Base(_base_of(document, url))
        self._ids: dict[str, Element] | None = None
        self._metas: list[dict[str, str]] | None = None
        self._named_metas: list[tuple[str, dict[str, str]]] | None = None
        self._resolver: LinkResolver | None = None

    @property
    def resolver(self) -> LinkResolver:
        if self._resolver is None:
            self._resolver = LinkResolver(self.base.url)
        return self._resolver

    def ready(self, box: TimeBox) -> None:
        """Have the elements numbered for an extractor that needs views of them; its time begins afterwards."""
        if not self.document.is_ready:
            self.document.make_ready()
            box.restart()

    @property
    def metas(self) -> list[dict[str, str]]:
        """The attributes of all metas."""
        if self._metas is None:
            self._metas = self.document.attributes("meta")
        return self._metas

    @property
    def named_metas(self) -> list[tuple[str, dict[str, str]]]:
        """Each word in the ``property`` or ``name`` of a meta that has content, with the meta's attributes."""
        if self._named_metas is None:
            self._named_metas = [
                (word, attrs)
                for attrs in self.metas
                if attrs.get("content")
                for word in dict.fromkeys(f"{attrs.get('property', '')} {attrs.get('name', '')}".split())
            ]
        return self._named_metas

    def release(self) -> None:
        """Nobody needs views of the elements any more; links are found without them."""
        self._ids = None
        self.document.release()

    def by_id(self, name: str) -> Element | None:
        """The first element with this id."""
        if self._ids is None:
            self._ids = {element.attrs["id"]: element for element in reversed(self.document.having("id"))}
        return self._ids.get(name)


def _base_of(document: Document, url: str) -> str:
    """The first ``<base href>`` counts, wherever it stands; its fragment never does."""
    for attrs in document.attributes("base"):
        if "href" in attrs:
            if len(attrs["href"]) > LONGEST:  # it would be repeated in each URL
                break
            return Base(url).resolve(attrs["href"].strip(BLANKS)).partition("#")[0]
    return url


def language_of(element: Element, known: dict[Element, str]) -> str:
    """The nearest ``lang``; answers are kept in ``known``, so that a page's elements are climbed once."""
    common = element.document.common_language
    if common is not None:
        return common
    climbed: list[Element] = []
    node: Element | None = element
    language = ""
    while node is not None:
        if node in known:
            language = known[node]
            break
        climbed.append(node)
        declared = declared_language(node.attrs)
        if declared is not None:
            language = declared
            break
        node = node.parent
    for each in climbed:
        known[each] = language
    return language
