"""XQuery and XPath 3.1 by SaxonC-HE, over pages and over a whole crawl; stylesheets over a whole crawl.

It is locked: no files, no network, no environment, no functions from outside. XPath 3.1 is a part of XQuery 3.1,
so one processor does both. A data pattern is two queries: the user's own, and one that reads the fields of all it
found.

Saxon compiles a query each time that it runs. So a query is run once, to give itself as a function of what changes
from page to page. A function of both queries and of what reads their result is one call a page, however many items
it has. Where there is none, or it fails, each is run by itself, which says what is wrong, and where.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import orjson

from sundog.patterns.crawl_view import crawl_xml
from sundog.patterns.document import PageDocument, empty_page
from sundog.patterns.engines import FieldPlan, QueryError, Raw, Reference
from sundog.patterns.engines.saxon_query import (
    as_function,
    functions_for,
    is_for_every_page,
    readable_error,
    with_functions,
)
from sundog.patterns.engines.saxon_reader import FOUND, Reader, record

SETTINGS = {
    "http://saxon.sf.net/feature/allowedProtocols": "",
    "http://saxon.sf.net/feature/allow-external-functions": "false",
    "http://saxon.sf.net/feature/xqueryAllowUpdate": "off",
}
MISSING = "this engine needs SaxonC: pip install 'sundog[xquery]'"
BASE = "urn:sundog:pattern"
NO_LINKS = {"boolean": "true or false"} | dict.fromkeys(("integer", "decimal", "double", "float"), "a number")


def engine(name: str) -> SaxonEngine:
    """One for both names: nodes of one processor mean nothing to another."""
    try:
        return _shared()
    except ImportError:
        raise QueryError(MISSING, where=f'engine = "{name}"') from None


@cache
def _shared() -> SaxonEngine:
    return SaxonEngine()


class SaxonEngine:
    def __init__(self) -> None:
        import saxonche

        self._error = saxonche.PySaxonApiError
        self._processor = saxonche.PySaxonProcessor(license=False)
        for setting, value in SETTINGS.items():
            self._processor.set_configuration_property(setting, value)
        self._reader = Reader(self._processor)

    # -- what patterns are made of -------------------------------------------------------------------

    def data(self, find: str, fields: Sequence[FieldPlan], where: str) -> Callable[[PageDocument], Sequence[Raw]]:
        own = self._compiled(find, f"{where}.find") if find else None
        for place, query in _queries(fields, f"{where}.fields"):
            self._compiled(query, place)
        records = self._records(fields) if fields else None
        at_once = self._at_once(find or ".", "found", record(list(fields)) if fields else "")

        def found(page: PageDocument) -> Sequence[Raw]:
            if text := at_once(page):
                return _list(text)
            values = own(page) if own else self._node(page)
            if values is not None and records:
                values = records(page, values)
            return [] if values is None else _list(self.read("found", values))

        return found

    def links(self, find: str, where: str) -> Callable[[PageDocument], Sequence[Reference]]:
        own = self._compiled(find, f"{where}.find")
        if given := NO_LINKS.get(self._kind_on_nothing(own)):
            raise QueryError(f"it gives {given}, and elements or URLs are expected", 1, 1, f"{where}.find")
        at_once = self._at_once(find, "references")

        def found(page: PageDocument) -> Sequence[Reference]:
            text = at_once(page)
            if not text and (values := own(page)) is not None:
                text = self.read("references", values)
            return [Reference(*pair) for pair in _list(text or "[]")]

        return found

    def test(self, query: str, where: str) -> Callable[[PageDocument], bool]:
        own = self._compiled(query, f"{where}.when")
        at_once = self._at_once(query, "truth")

        def holds(page: PageDocument) -> bool:
            text = at_once(page)
            if not text and (values := own(page)) is not None:
                text = self.read("truth", values)
            return text == "true"

        return holds

    def compiled_over_crawl(self, query: str, where: str) -> Callable[[PageDocument], Any]:
        """For result patterns, whose context is the crawl itself."""
        return self._compiled(query, where, over_crawl=True)

    def compiled_stylesheet(self, text: str, where: str, example: str) -> Callable[[str], Any]:
        """From a document as text to what the stylesheet makes of it. ``example`` is tried now."""
        try:
            program = self._processor.new_xslt30_processor().compile_stylesheet(stylesheet_text=text)
        except self._error as error:
            raise _placed(readable_error(str(error), text, (0, 0)), where) from None

        def transform(document: str) -> Any:
            try:
                return program.transform_to_value(xdm_node=self._processor.parse_xml(xml_text=document))
            except self._error as error:  # without a place
                raise QueryError(readable_error(str(error), "", (0, 0)).message) from None

        try:
            transform(example)
        except QueryError as error:
            if is_for_every_page(error.message):
                raise _placed(error, where) from None
        return transform

    def read(self, function: str, values: Any) -> str:
        """What was found as a text: ``found``, ``records``, ``references``, ``truth`` or ``document``."""
        try:
            return self._reader(function, values)
        except self._error as error:
            raise readable_error(str(error), "", (0, 0)) from None

    # -- internals -----------------------------------------------------------------------------------

    def _compiled(self, query: str, where: str, *, over_crawl: bool = False) -> Callable[[PageDocument], Any]:
        """The value of a query over a page. Errors that every page would meet are raised now."""
        text, inserted = with_functions(query)
        processor = self._new(text)

        def run(page: PageDocument) -> Any:
            self._bind(processor, page, over_crawl=over_crawl)
            try:
                return processor.run_query_to_value()
            except self._error as error:
                raise readable_error(str(error), query, inserted) from None

        self._bind(processor, empty_page())
        try:
            processor.run_query_to_value()
        except self._error as error:
            if is_for_every_page(str(error)):
                raise _placed(readable_error(str(error), query, inserted), where) from None
        function = None if over_crawl else self._function(as_function(query))
        if function is None:
            return run
        of_crawl = bool(functions_for(query))

        def called(page: PageDocument) -> Any:
            try:
                return function.call([self._node(page), *(self._arguments(page) if of_crawl else ())])
            except self._error:  # it has no place: the query has
                return run(page)

        return called

    def _at_once(self, query: str, reader: str, each: str = "") -> Callable[[PageDocument], str]:
        """What a query found, as it is read. Empty where that cannot be had by one call, or fails."""
        function = self._function(as_function(query, each, read=True))
        of_crawl, read = bool(functions_for(query + each)), self._reader.itself(reader)

        def text(page: PageDocument) -> str:
            if function is not None:
                with suppress(self._error):
                    arguments = self._arguments(page) if of_crawl else ()
                    return str(function.call([self._node(page), read, *arguments]))
            return ""

        return text

    def _function(self, query: str) -> Any:
        """What a query gives that gives a function; None if there is none, or Saxon does not take it as one."""
        try:
            return self._new(query).run_query_to_value().head if query else None
        except self._error:
            return None

    def _kind_on_nothing(self, run: Callable[[PageDocument], Any]) -> str:
        """The type of a value on an empty page: what is a number there is one on every page."""
        try:
            values = run(empty_page())
        except QueryError:  # an empty page lacks something
            return ""
        if values is None or not values.head.is_atomic:
            return ""
        return str(values.head.get_atomic_value().primitive_type_name).rpartition("}")[2]

    def _records(self, fields: Sequence[FieldPlan]) -> Callable[[PageDocument, Any], Any]:
        """The fields of what was found: one map each."""
        body = record(list(fields))
        functions = functions_for(body)
        function = self._function(as_function(body))
        processor = self._new(f"{functions} declare variable {FOUND} external; {FOUND} ! {body}")

        def read(page: PageDocument, found: Any) -> Any:
            if function is not None:
                with suppress(self._error):
                    return function.call([found, *(self._arguments(page) if functions else ())])
            self._bind(processor, page)
            processor.set_parameter(FOUND[1:], found)
            try:
                return processor.run_query_to_value()
            except self._error as error:  # its line is one of the generated query
                raise QueryError(f"fields: {readable_error(str(error), '', (0, 0)).message}") from None

        return read

    def _new(self, text: str) -> Any:
        processor = self._processor.new_xquery_processor()
        processor.set_query_base_uri(BASE)
        processor.set_query_content(text)
        return processor

    def _bind(self, processor: Any, page: PageDocument, *, over_crawl: bool = False) -> None:
        processor.set_context(xdm_item=self._crawl(page) if over_crawl else self._node(page))
        processor.set_parameter("page", self._page_url(page))
        processor.set_parameter("crawl", self._crawl(page))

    def _node(self, page: PageDocument) -> Any:
        if "saxon" not in page.views:
            page.views["saxon"] = self._processor.parse_xml(xml_text=page.xml)
        return page.views["saxon"]

    def _page_url(self, page: PageDocument) -> Any:
        if "saxon url" not in page.views:
            page.views["saxon url"] = self._processor.make_string_value(page.url)
        return page.views["saxon url"]

    def _arguments(self, page: PageDocument) -> list[Any]:
        """``PAGE_ARGUMENTS``."""
        return [self._page_url(page), self._crawl(page), self._crawl(page)]

    def _crawl(self, page: PageDocument) -> Any:
        if "saxon crawl" not in page.views:
            text = page.whole_crawl or crawl_xml(page.crawl_view, page.url)
            page.views["saxon crawl"] = self._processor.parse_xml(xml_text=text).children[0]
        return page.views["saxon crawl"]


def _placed(error: QueryError, where: str) -> QueryError:
    error.where = where
    return error


def _queries(fields: Sequence[FieldPlan], where: str) -> list[tuple[str, str]]:
    own = [(f"{where}.{each['name']}", each["find"]) for each in fields if each["find"]]
    return own + [pair for each in fields for pair in _queries(each["fields"], f"{where}.{each['name']}")]


def _list(text: str) -> list[Any]:
    found: list[Any] = orjson.loads(text)
    return found


def compile_result(saxon: SaxonEngine, query: str, written_as: str, where: str) -> Callable[[str], Any]:
    """From the crawl as XML to ``{"text": …}`` for xml, else to ``{"records": …}``."""
    run = saxon.compiled_over_crawl(query, where)

    def result(crawl: str) -> Any:
        page = empty_page()
        page.whole_crawl = crawl
        return result_as(written_as, saxon, run(page))

    return result


def result_as(written_as: str, saxon: SaxonEngine, found: Any) -> dict[str, Any]:
    if written_as == "xml":
        return {"text": "<result/>" if found is None else saxon.read("document", found)}
    return {"records": [] if found is None else _unwrapped(orjson.loads(saxon.read("records", found)))}


def _unwrapped(records: Any) -> Any:
    """What is a list of one list or map is that; ``plain`` makes lists of all values, singles are single again."""
    plain = [_single(each) for each in records]
    return plain[0] if len(plain) == 1 and isinstance(plain[0], list) else plain


def _single(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _member(inner) for name, inner in value.items()}
    return [_single(each) for each in value] if isinstance(value, list) else value


def _member(values: Any) -> Any:
    if not isinstance(values, list):
        return values
    return _single(values[0]) if len(values) == 1 else [_single(each) for each in values] or None
