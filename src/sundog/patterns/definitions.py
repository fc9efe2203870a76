"""The table ``[patterns]``: data, link, stop and result patterns, their fields and query languages, and what is
checked without compiling a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

from sundog.errors import UsageError, nearest, nearest_or_all
from sundog.patterns.field_types import Type
from sundog.rdf.sparql import QUERY_ENDINGS

PATTERN_KINDS = ("data", "link", "stop")  # of which there may be several each
RESULT_FORMATS = ("xml", "json", "csv", "parquet")
ABOUT_ITEMS = ("url", "node_id", "matched_id")  # what a result has beside the fields
NAME = re.compile(r"[A-Za-z][\w-]{0,63}", re.ASCII).fullmatch
NAMED = re.compile(r"""\bcrawl:[a-z]+\(\s*(['"])([^'"]+)\1\s*\)""")  # the pattern that a query asks about
EVERY = re.compile(r"every ([1-9]\d{0,8})").fullmatch
MOST_PATTERNS = 64  # of each kind
MOST_CHARACTERS = 100_000  # of one query

FIELD_TYPES = (*get_args(Type), "item")
FIELD_NAME_PATTERN = "[A-Za-z_][A-Za-z0-9_-]{0,63}"
FIELD_NAME = re.compile(FIELD_NAME_PATTERN).fullmatch
FIELD_KEYS = ("find", "type", "required", "fields")
MOST_FIELDS = 200
DEEPEST = 5  # items within items


class Language(NamedTuple):
    """What is known of a query language before its engine is loaded; ``module`` is that engine."""

    module: str
    harmless: str  # a query that every page answers: it loads what an engine loads late
    finds_nodes: bool = False  # in the page's own tree, so that their places in the source are known
    over_statements: bool = False  # ``find`` is a SELECT, and fields are its columns
    reads_pages: bool = True
    makes_results: bool = False
    endings: tuple[str, ...] = ()  # of files that hold a query in it


LANGUAGES = {
    "xpath": Language("xpath", "//a", finds_nodes=True, endings=(".xpath",)),
    "css": Language("css", "a", finds_nodes=True, endings=(".css",)),
    "xpath3": Language("saxon", "//a", makes_results=True),
    "xquery": Language("saxon", "//a", makes_results=True, endings=(".xq", ".xqy", ".xquery")),
    "sparql": Language(
        "sparql", "SELECT ?a { ?a ?b ?c }", over_statements=True, makes_results=True, endings=QUERY_ENDINGS
    ),
    "xslt": Language("xslt", "//a", reads_pages=False, makes_results=True, endings=(".xsl", ".xslt")),
}
PAGE_LANGUAGES = tuple(name for name, language in LANGUAGES.items() if language.reads_pages)
RESULT_LANGUAGES = tuple(name for name, language in LANGUAGES.items() if language.makes_results)


@dataclass(frozen=True, kw_only=True)
class PagePattern:
    """Finds something on pages where ``when`` holds.

    ``linked_from``: only on pages that are linked from one where this other pattern matched.
    """

    name: str
    engine: str = ""
    find: str = ""
    when: str = ""
    linked_from: str = ""

    @property
    def queries(self) -> list[tuple[str, str]]:
        """Every query with its place within the pattern."""
        return [("find", self.find), ("when", self.when)]


@dataclass(frozen=True, kw_only=True)
class DataPattern(PagePattern):
    """Yields items: one for each thing that ``find`` finds, or one a page."""

    fields: Mapping[str, Any] = field(default_factory=dict)  # queries, or tables as in ``Field``

    @property
    def queries(self) -> list[tuple[str, str]]:
        return [*super().queries, *[pair for each in self.parsed_fields for pair in each.queries("fields.")]]

    @property
    def parsed_fields(self) -> tuple[Field, ...]:
        return read_fields(self.fields, f"patterns.data '{self.name}'.fields.")


@dataclass(frozen=True, kw_only=True)
class LinkPattern(PagePattern):
    """Finds links to follow."""

    depth: int | None = None
    priority: float = 0.0
    revisit: str = "once"
    next: tuple[str, ...] | None = None

    @property
    def every(self) -> int:
        """How many links make another visit; 0: no number does."""
        found = EVERY(self.revisit)
        return int(found[1]) if found else 0


@dataclass(frozen=True, kw_only=True)
class StopPattern:
    """Ends the crawl when all that it says holds."""

    name: str
    engine: str = ""
    seconds: float | None = None
    pages: int | None = None
    items: int | None = None
    of: tuple[str, ...] | None = None
    page: str = ""
    dry: int | None = None
    when: str = ""

    @property
    def queries(self) -> list[tuple[str, str]]:
        return [("when", self.when)]

    def counted(self, items: Mapping[str, int]) -> int:
        """How many of these are its own, by the names of data patterns."""
        return sum(items.values()) if self.of is None else sum(items.get(name, 0) for name in self.of)


@dataclass(frozen=True, kw_only=True)
class ResultPattern:
    """Makes the result of all items and the crawl graph; without ``find`` it is the items, ordered."""

    engine: str = "xquery"
    find: str = ""
    of: tuple[str, ...] | None = None
    order: tuple[str, ...] = ()
    limit: int | None = None
    format: str = ""

    @property
    def written_as(self) -> str:
        """The format, also where none is given."""
        return self.format or ("xml" if self.find else "json")


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """All patterns of a crawl."""

    engine: str = "xpath"
    start: tuple[str, ...] | None = None
    seconds: float = 2.0
    memory: int = 1_000
    data: tuple[DataPattern, ...] = ()
    link: tuple[LinkPattern, ...] = ()
    stop: tuple[StopPattern, ...] = ()
    result: ResultPattern = field(default_factory=ResultPattern)

    def __bool__(self) -> bool:
        return bool(self.data or self.link or self.stop)

    def engine_of(self, pattern: DataPattern | LinkPattern | StopPattern) -> str:
        return pattern.engine or self.engine

    @property
    def on_pages(self) -> tuple[DataPattern | LinkPattern, ...]:
        """Those that ``next`` and ``start`` choose among."""
        return (*self.data, *self.link)

    @property
    def all(self) -> tuple[DataPattern | LinkPattern | StopPattern, ...]:
        return (*self.data, *self.link, *self.stop)

    @property
    def names_on_pages(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.on_pages)

    def check(self) -> None:
        """Raises UsageError for what can be seen without compiling a query."""
        _check_word(self.engine, PAGE_LANGUAGES, "patterns.engine")
        _check_names([each.name for each in self.all])
        _check_known(self.start, self.names_on_pages, "patterns.start")
        for kind in PATTERN_KINDS:
            for pattern in getattr(self, kind):
                place = f"patterns.{kind} '{pattern.name}'"
                if pattern.engine:
                    _check_word(pattern.engine, PAGE_LANGUAGES, f"{place}.engine")
                for where, query in pattern.queries:
                    if query and not query.strip():
                        raise UsageError(f"{place}.{where} is blank: write a query, or leave it out")
                    if len(query) > MOST_CHARACTERS:
                        raise UsageError(f"{place}.{where} is longer than {MOST_CHARACTERS:,} characters")
                    _check_known(
                        (name for _, name in NAMED.findall(query)), self.names_on_pages, f"{place}.{where}"
                    )
        for data in self.data:
            self._check_data(data, f"patterns.data '{data.name}'")
        for link in self.link:
            self._check_link(link, f"patterns.link '{link.name}'")
        for stop in self.stop:
            self._check_stop(stop, f"patterns.stop '{stop.name}'")
        self._check_result()
        if self != Patterns() and not self:
            raise UsageError("[patterns] has no pattern: give it [[patterns.data]], .link or .stop")

    def _check_data(self, data: DataPattern, place: str) -> None:
        if not data.find and not data.parsed_fields:
            raise UsageError(f"{place} takes nothing: give it find or fields")
        if not data.find and any(not each.find for each in data.parsed_fields):
            raise UsageError(f"{place} has no find, so each of its fields needs one")
        over_statements = LANGUAGES[self.engine_of(data)].over_statements
        if over_statements and (not data.find or any(each.find for each in data.parsed_fields)):
            with_it = f"{place}: with {self.engine_of(data)}"
            raise UsageError(f"{with_it}, find is a SELECT and fields are its columns, without a find")
        self._check_linked_from(data.linked_from, place)

    def _check_link(self, link: LinkPattern, place: str) -> None:
        if not link.find:
            raise UsageError(f"'{place}.find' is missing: a query for links")
        if link.revisit not in ("once", "path") and not link.every:
            raise UsageError(f'{place}.revisit = "{link.revisit}": "once", "path" or "every N" is expected')
        _check_known(link.next, self.names_on_pages, f"{place}.next")
        self._check_linked_from(link.linked_from, place)

    def _check_linked_from(self, name: str, place: str) -> None:
        _check_known((name,) if name else (), self.names_on_pages, f"{place}.linked_from")

    def _check_stop(self, stop: StopPattern, place: str) -> None:
        conditions = (stop.seconds, stop.pages, stop.items, stop.page or None, stop.dry, stop.when or None)
        if all(each is None for each in conditions):
            raise UsageError(f"{place} never holds: give it seconds, pages, items, page, dry or when")
        if stop.of is not None and stop.items is None:
            raise UsageError(f"{place}.of says whose items are counted: give it items, too")
        _check_known(stop.of, [each.name for each in self.data], f"{place}.of")

    def _check_result(self) -> None:
        result = self.result
        _check_word(result.written_as, RESULT_FORMATS, "patterns.result.format")
        _check_known(result.of, [each.name for each in self.data], "patterns.result.of")
        if result.find:
            if result.of is not None or result.order or result.limit is not None:
                raise UsageError(
                    "patterns.result has find, so of, order and limit say nothing: let the query choose and order"
                )
            _check_word(result.engine, RESULT_LANGUAGES, "patterns.result.engine")
            if len(result.find) > MOST_CHARACTERS:
                raise UsageError(f"patterns.result.find is longer than {MOST_CHARACTERS:,} characters")
            return
        if result != ResultPattern() and not self.data:
            raise UsageError("patterns.result has no items to write: there is no data pattern")
        if result.engine != ResultPattern.engine:
            raise UsageError(
                f'patterns.result.engine = "{result.engine}" without find: give it a query, or leave it out'
            )
        self._check_order()

    def _check_order(self) -> None:
        """Where all fields are known, so are those to order by."""
        written = [each for each in self.data if self.result.of is None or each.name in self.result.of]
        if all(each.fields for each in written):
            known = [*dict.fromkeys(name for each in written for name in each.fields), *ABOUT_ITEMS]
            for name in self.result.order:
                if name.removeprefix("-") not in known:
                    near = nearest(name.removeprefix("-"), known)
                    raise UsageError(f"patterns.result.order names '{name}', which is no field{near}")


def _check_names(names: list[str]) -> None:
    for name in names:
        if not NAME(name):
            raise UsageError(f"the pattern's name '{name}': letters, digits, _ and - are expected")
        if names.count(name) > 1:
            raise UsageError(f"two patterns are called '{name}': each needs a name of its own")
    if len(names) > MOST_PATTERNS:
        raise UsageError(f"{len(names)} patterns: at most {MOST_PATTERNS} are applied in one crawl")


def _check_word(word: str, known: tuple[str, ...], place: str) -> None:
    if word not in known:
        raise UsageError(f'{place} = "{word}": {", ".join(known[:-1])} or {known[-1]} is expected')


def _check_known(names: Iterable[str] | None, known: Iterable[str], place: str) -> None:
    for name in names or ():
        if name not in known:
            raise UsageError(f"{place} names '{name}', which is no pattern{nearest(name, known)}")


@dataclass(frozen=True, kw_only=True)
class Field:
    """``kind`` is one of ``FIELD_TYPES``; a list has any number of them."""

    name: str
    find: str = ""
    kind: str = "text"
    is_list: bool = False
    required: bool = False
    fields: tuple[Field, ...] = ()

    def queries(self, place: str) -> list[tuple[str, str]]:
        """With those of the fields within."""
        own = [(f"{place}{self.name}", self.find)]
        return own + [pair for each in self.fields for pair in each.queries(f"{place}{self.name}.")]


def read_fields(table: Mapping[str, Any], place: str, depth: int = 0) -> tuple[Field, ...]:
    """
    >>> read_fields({"name": "h1", "tags": {"find": "li", "type": "list of text"}}, "")[1].is_list
    True
    """
    if len(table) > MOST_FIELDS or depth > DEEPEST:
        raise UsageError(f"{place}: at most {MOST_FIELDS} fields, {DEEPEST} levels deep, are read")
    return tuple(_field(name, value, f"{place}{name}", depth) for name, value in table.items())


def _field(name: str, value: Any, place: str, depth: int) -> Field:
    if not FIELD_NAME(name):
        raise UsageError(f"{place}: a field's name is made of letters, digits, _ and -")
    if isinstance(value, str):
        return Field(name=name, find=value)
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: a query or a table is expected")
    for key in value:
        if key not in FIELD_KEYS:
            raise UsageError(f"unknown key '{place}.{key}'{nearest_or_all(key, FIELD_KEYS)}")
    inner = value.get("fields", {})
    kind, is_list = _kind(value.get("type", "item" if inner else "text"), place)
    if bool(inner) and kind != "item":
        raise UsageError(f"{place} has fields, so its type is item or list of item")
    required, find = value.get("required", False), value.get("find", "")
    if not isinstance(required, bool) or not isinstance(find, str) or not isinstance(inner, Mapping):
        raise UsageError(f"{place}: find is a text, required true or false, fields a table")
    fields = read_fields(inner, f"{place}.fields.", depth + 1)
    return Field(name=name, find=find, kind=kind, is_list=is_list, required=required, fields=fields)


def _kind(text: Any, place: str) -> tuple[str, bool]:
    words = text.split() if isinstance(text, str) else []
    if words[:2] == ["list", "of"] and len(words) == 3 and words[2] in FIELD_TYPES:
        return words[2], True
    if words == ["list"]:
        return "text", True
    if len(words) == 1 and words[0] in FIELD_TYPES:
        return words[0], False
    raise UsageError(f'{place}.type = "{text}": {", ".join(FIELD_TYPES)}, or list of one of them, is expected')
