"""A dump of a MediaWiki (``pages-articles.xml``, perhaps ``.bz2`` or ``.gz``) as a scored graph.

Nodes are the pages of the main namespace that are no redirects; links are those of their wikitext, where a link to
a redirect leads to its target. The text is the wikitext with links replaced by what they show, without comments.
A link's counts are those of the 100 characters on each side of it, as in a live crawl. The dump is read twice:
first for titles and redirects, then for texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.parsers import expat

from sundog.errors import SundogError
from sundog.objectives.relevance import Relevance, added
from sundog.worlds.dumps.counted import CountedGraph, CountedWorld
from sundog.worlds.dumps.packed import opened

CONTEXT = 100  # characters on each side of a link
CHUNK = 1 << 20
MOST_CHARACTERS = 20_000_000  # of one page
MOST_REDIRECTS = 5  # that are followed one after the other
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"\[\[([^\[\]|{}<>\n]{1,255})(?:\|([^\[\]\n]*))?\]\]")
_SPACES = re.compile(r"[\s_]+")


class WikiPage(NamedTuple):
    """``redirect`` is the title that it leads to, if it is one."""

    title: str
    namespace: str
    redirect: str
    text: str


def world_from_wiki(
    path: Path, relevance: Relevance, directory: Path, *, progress: Callable[[int], None] = lambda count: None
) -> CountedWorld:
    wiki = _Wiki()
    graph = CountedGraph(relevance)
    redirects: dict[str, str] = {}
    for page in wiki.pages(path):
        title = canonical(page.title)
        if page.namespace != "0":
            graph.left_out += 1
        elif page.redirect:
            redirects[title] = canonical(page.redirect)
        else:
            graph.node(title)
    names = graph.nodes.copy()
    for number, page in enumerate(wiki.pages(path), 1):
        source = names.get(canonical(page.title))
        if page.namespace == "0" and not page.redirect and source is not None:
            _add(graph, source, page, names, redirects)
        progress(number)
    return graph.write(directory, lambda title: wiki.base + quote(title.replace(" ", "_"), safe="/:()',"))


def _add(
    graph: CountedGraph, source: int, page: WikiPage, names: dict[str, int], redirects: dict[str, str]
) -> None:
    shown, links = shown_text(page.text)
    relevance = graph.relevance
    graph.node(canonical(page.title), relevance.count(shown))
    best: dict[int, tuple[int, ...]] = {}  # windows of neighbouring links overlap: a sum would count words twice
    for title, begin, end in links:
        target = names.get(_resolved(title, redirects))
        if target is None:
            continue
        around = added(
            relevance.count(shown[max(0, begin - CONTEXT) : begin]), relevance.count(shown[begin : end + CONTEXT])
        )
        if target not in best or relevance.score(around) > relevance.score(best[target]):
            best[target] = around
    for target, counts in best.items():
        graph.link(source, target, counts)


def _resolved(title: str, redirects: dict[str, str]) -> str:
    for _ in range(MOST_REDIRECTS):
        if title not in redirects:
            break
        title = redirects[title]
    return title


def canonical(title: str) -> str:
    """
    >>> canonical(":far_breton#Recipe "), canonical("éclair")
    ('Far breton', 'Éclair')
    """
    plain = _SPACES.sub(" ", unescape(title).partition("#")[0]).strip(" :")
    return plain[:1].upper() + plain[1:]


def shown_text(wikitext: str) -> tuple[str, list[tuple[str, int, int]]]:
    """What is shown, and for each link its title and where it stands.

    >>> shown_text("See [[Far breton|the cake]]s.<!-- no -->")
    ('See the cakes.', [('Far breton', 4, 12)])
    """
    pieces: list[str] = []
    links: list[tuple[str, int, int]] = []
    length = at = 0
    text = _COMMENT.sub("", wikitext)
    for match in _LINK.finditer(text):
        anchor = match[2] if match[2] is not None else match[1].strip(":")
        before = text[at : match.start()]
        begin = length + len(before)
        length = begin + len(anchor)
        pieces += (before, anchor)
        links.append((canonical(match[1]), begin, length))
        at = match.end()
    pieces.append(text[at:])
    return "".join(pieces), links


class _Wiki:
    """``base`` is known when pages were read: the beginning of their URLs."""

    def __init__(self) -> None:
        self.base = "https://wiki.example/wiki/"

    def pages(self, path: Path) -> Iterator[WikiPage]:
        reader = _Reader(str(path))
        with opened(path) as file:
            while chunk := file.read(CHUNK):
                yield from reader.feed(chunk)
            yield from reader.feed(b"", last=True)
        if "/" in reader.main_page[8:]:
            self.base = reader.main_page.rpartition("/")[0] + "/"


class _Reader:
    """Elements of pages, as they come. Entities of the file itself are refused: dumps have none."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.main_page = ""
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.EntityDeclHandler = self._entity
        self._parser.buffer_text = True
        self._texts: dict[str, list[str]] = {}
        self._inside = ""
        self._length = 0
        self._redirect = ""
        self._done: list[WikiPage] = []

    def feed(self, chunk: bytes, *, last: bool = False) -> list[WikiPage]:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise SundogError(f"{self._name}, line {error.lineno}: this is no MediaWiki dump ({error})") from None
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "page":
            self._texts, self._redirect, self._length = {}, "", 0
        elif tag == "redirect":
            self._redirect = attributes.get("title", "")
        elif tag in ("title", "ns", "text", "base"):
            self._inside = tag
            self._texts[tag] = []  # of several revisions, the last one

    def _end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        if tag == "base":
            self.main_page = self._text("base")
        elif tag == "page":
            namespace = self._text("ns") or "0"
            self._done.append(WikiPage(self._text("title"), namespace, self._redirect, self._text("text")))
        self._inside = ""

    def _characters(self, text: str) -> None:
        if self._inside and self._length < MOST_CHARACTERS:
            self._length += len(text)
            self._texts[self._inside].append(text)

    def _entity(self, *_: object) -> None:
        raise SundogError(f"{self._name} declares entities, which no dump does: it is not read")

    def _text(self, tag: str) -> str:
        return "".join(self._texts.get(tag, ()))
