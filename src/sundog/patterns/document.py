"""A page as a tree, and the same as well-formed XML without namespaces, which every engine accepts.

turbohtml writes names and characters that XML allows. What is left to mend are prefixes that nobody declared and
declarations that would put elements beyond the reach of ``//h1``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from typing import Any

import turbohtml

from sundog.extract.dom import BLANKS, parse_html
from sundog.extract.media import charset_of, kind_of
from sundog.extract.packed import unpacked
from sundog.media_types import media_type
from sundog.patterns.crawl_view import CrawlView
from sundog.urls.references import Base, LinkResolver

MAX_BYTES = 5_000_000  # unpacked; what is longer is cut
TAGS_REMEMBERED = 1_000
MOST_REMEMBERED = 300  # characters of one
NOTHING = "<html><head></head><body></body></html>"
_PROLOGUE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", re.DOTALL)
_VALUE = r'[^<>":]*+(?:"[^"]*+"[^<>":]*+)*+'
_PREFIXED = re.compile(rf'<[\w/]{_VALUE}:[^<>"]*+(?:"[^"]*+"[^<>"]*+)*+>')  # a tag with a colon outside of quotes
_TAG = re.compile(r'<\w(?:[^<>"]|"[^"]*+")*+>')
_DECLARATION = re.compile(r'("[^"]*+")|\sxmlns[^\s="]*+="[^"]*+"')
_NAME = re.compile(r'[^\s"<>=/]+')


class PageDocument:
    """One page in the process that runs patterns; each engine keeps its own view of it in ``views``."""

    def __init__(self, url: str, body: bytes, content_type: str, statements: str, crawl_view: CrawlView) -> None:
        self.url, self.statements, self.crawl_view = url, statements, crawl_view
        self._body, self._content_type = body, content_type
        self.whole_crawl = ""  # as XML, for a result pattern
        self.positions = False  # whether elements are to know their lines; crawls have no use for that
        self.views: dict[str, Any] = {}

    @cached_property
    def tree(self) -> Any:
        """As turbohtml parses it."""
        body = unpacked(self._body, MAX_BYTES)
        if _is_xml(self._content_type) and kind_of(self._content_type, self.url, body) != "html":
            try:
                return turbohtml.parse_xml(body.decode("utf-8", "replace"))
            except turbohtml.HTMLParseError:
                return turbohtml.parse(NOTHING)
        if kind_of(self._content_type, self.url, body) not in ("html", ""):
            return turbohtml.parse(NOTHING)  # RDF has statements, and no elements
        return parse_html(body, encoding=charset_of(self._content_type), positions=self.positions).parsed

    @cached_property
    def xml(self) -> str:
        return well_formed(self.tree)

    @cached_property
    def resolve(self) -> Callable[[str], str | None]:
        """Makes links absolute. Several patterns may find the same ones, so what it made is remembered."""
        hrefs = (element.attr("href") for element in self.tree.find_all("base"))
        href = next(filter(None, hrefs), "").strip(BLANKS)
        base = Base(self.url).resolve(href).partition("#")[0] if href else self.url
        return cache(LinkResolver(base).resolve)


def empty_page(url: str = "") -> PageDocument:
    """What queries are tried on when they are compiled."""
    return PageDocument(url, b"", "text/html", "", CrawlView())


def well_formed(tree: Any) -> str:
    """
    >>> well_formed(turbohtml.parse('<p @on=1 xmlns=x a:b=2>\\x01 <fb:like>1 < 2</fb:like>'))
    '<html><head/><body><p a_b="2"> <fb_like>1 &lt; 2</fb_like></p></body></html>'
    """
    root = next((node for node in tree.children if isinstance(node, turbohtml.Element)), None)
    if root is None:
        return NOTHING
    text = "".join(_without_declarations(_PROLOGUE.sub("", tree.inner_xml)))
    return _PREFIXED.sub(_without_colons, text).strip()


def _without_declarations(text: str) -> Iterator[str]:
    """Few tags have some: these are looked for, not all tags for them."""
    done, at = 0, text.find("xmlns")
    while at >= 0:
        begin = text.rfind("<", done, at)
        tag = _TAG.match(text, begin) if begin >= 0 else None
        if tag is not None and tag.end() > at:
            yield text[done:begin]
            yield _DECLARATION.sub(r"\1", tag[0])
            done = tag.end()
        at = text.find("xmlns", max(done, at + 1))
    yield text[done:]


def _without_colons(tag: re.Match[str]) -> str:
    """Names keep their prefixes, as parts of the name; an attribute that is there already is left out."""
    parts = tag[0].split('"')
    outside = '"'.join(parts[::2])
    parts[::2] = _plain_names(outside) if len(outside) <= MOST_REMEMBERED else _named_plainly(outside)
    return '"'.join(parts)


def _named_plainly(outside: str) -> list[str]:
    """Of a tag what is not in quotes."""
    seen: set[str] = set()
    return _NAME.sub(lambda name: _plain(name[0], seen), outside).split('"')


_plain_names = lru_cache(TAGS_REMEMBERED)(_named_plainly)  # few tags differ in anything but their values


def _plain(name: str, seen: set[str]) -> str:
    name = name.replace(":", "_")
    while name in seen:
        name += "_"
    seen.add(name)
    return name


def _is_xml(content_type: str) -> bool:
    kind = media_type(content_type)
    return kind.endswith(("/xml", "+xml")) and kind != "application/xhtml+xml"
