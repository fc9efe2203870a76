"""XPath 1.0, by turbohtml: it is as quick as the tree that is there already."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import turbohtml

from sundog.patterns.crawl_view import FUNCTIONS, NUMBERS, crawl_xml
from sundog.patterns.document import PageDocument, empty_page
from sundog.patterns.engines import QueryError, check_names, error_at
from sundog.patterns.engines.nodes import Finder, NodeEngine

NOTHING = turbohtml.parse("")
NO_FUNCTIONS = frozenset("text node comment processing-instruction and or div mod".split())
_TOKEN = re.compile(
    r"""("[^"]*"|'[^']*')|(\$[\w-]+|\bcrawl:[\w-]+(?=\s*\())|(?<!:)\b([A-Za-z][\w.-]*(?::[\w.-]+)?)(?=\s*\()"""
)
_OFFSET = re.compile(r"at offset (\d+)")
_PREFIX = re.compile(r"(?<![\w:$-])(?!crawl:)([A-Za-z_][\w.-]*):(?!:)")
_UNKNOWN = re.compile(r"unknown function '([^']+)'")


def engine(_: str) -> XPathEngine:
    return XPathEngine()


class XPathEngine(NodeEngine):
    """turbohtml knows no prefix ``crawl``: ``crawl:depth()`` is called ``crawl-depth()`` behind the scenes."""

    def __init__(self) -> None:
        self._page: PageDocument | None = None
        self._functions: dict[tuple[str | None, str], Any] = {
            (None, f"crawl-{name}"): self._function(name) for name in FUNCTIONS
        }

    def compile(self, query: str) -> Finder:
        check_names(query, _names(query))
        _check_functions(query)
        plain = _TOKEN.sub(lambda token: token[0].replace(":", "-", 1) if token[2] else token[0], query)
        empty = empty_page()
        try:
            compiled = turbohtml.XPath(plain, extensions=self._functions)
            finder = self._finder(compiled, {name for name, _ in _names(query)})
            finder(empty, empty.tree)
        except (ValueError, TypeError) as error:
            raise _readable(query, str(error)) from None
        return finder

    def _finder(self, compiled: Any, names: Collection[str]) -> Finder:
        """A query that names nothing of the crawl is handed nothing of it: fields are asked of every item."""
        if not names:
            return lambda _, node: compiled(node)
        sees_crawl = "$crawl" in names

        def find(page: PageDocument, node: Any) -> Any:
            self._page = page
            if sees_crawl:
                return compiled(node, page=page.url, crawl=[crawl_element(page)])
            return compiled(node, page=page.url)

        return find

    def _function(self, name: str) -> Callable[..., Any]:
        def called(_: Any, *arguments: Any) -> Any:
            if len(arguments) > FUNCTIONS[name]:
                raise ValueError(f"unknown function 'crawl:{name}' with {len(arguments)} arguments")
            assert self._page is not None
            return answer(self._page, name, *[_text(each) for each in arguments])

        return called


def answer(page: PageDocument, name: str, of: str = "") -> Any:
    """What ``crawl:name(of)`` is: a number, a truth value, or elements."""
    view = page.crawl_view
    if name in NUMBERS:
        return float(getattr(view, name))
    if name == "count":
        return float(view.count_of(of))
    if name == "via":
        return view.came_via(of)
    crawl = crawl_element(page)
    if name == "items":
        return [item for item in crawl.xpath("items/item") if not of or item.attr("pattern") == of]
    if name == "waiting":
        waiting = crawl.xpath("waiting/page")
        return [each for each in waiting if not of or of in (each.attr("via") or "").split()]
    pages = crawl.xpath("path/page" if name == "path" else "page")
    return [each for each in pages if not of or of in (each.attr("matched") or "").split()]


def crawl_element(page: PageDocument) -> Any:
    """Made once a page. It belongs to the page's document, as XPath wants it, but is nowhere in its tree."""
    if "crawl" not in page.views:
        element: Any = turbohtml.parse_xml(crawl_xml(page.crawl_view, page.url)).root
        element.extract()
        page.tree.root.append(element)
        own = page.tree.root.children[-1]
        own.extract()
        page.views["crawl"] = own
    return page.views["crawl"]


def _check_functions(query: str) -> None:
    """turbohtml looks for a function when it is called, which may be on no page before the thousandth."""
    for match in _TOKEN.finditer(query):
        if match[3] and match[3] not in NO_FUNCTIONS:
            try:
                turbohtml.XPath(f"{match[3]}()")(NOTHING)
            except (ValueError, TypeError) as error:
                if "unknown function" in str(error):
                    raise error_at(query, match.start(), f"unknown function '{match[3]}'") from None


def _names(query: str) -> Iterator[tuple[str, int]]:
    return ((match[2], match.start()) for match in _TOKEN.finditer(query) if match[2])


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    return value.text if isinstance(value, turbohtml.Node) else str(value)


def _readable(query: str, message: str) -> QueryError:
    """turbohtml says where, as an offset or by naming what it does not know."""
    message = message.removeprefix("xpath: ").replace("crawl-", "crawl:")
    if found := _OFFSET.search(message):
        return error_at(query, int(found[1]), message.replace(f" {found[0]}", ""))
    if found := _UNKNOWN.search(message):
        return error_at(query, query.find(found[1]), message)
    if "namespace prefix" in message and (prefix := _PREFIX.search(query)):
        return error_at(query, prefix.start(1), f"unknown prefix '{prefix[1]}': pages are read without namespaces")
    return error_at(query, len(query) if "at the end" in message else 0, message)
