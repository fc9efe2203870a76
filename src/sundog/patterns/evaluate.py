"""Compiled patterns, and what they give for one page. One that fails costs nothing but what it would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sundog.patterns.convert import WrongTypeError, converter, text_of
from sundog.patterns.document import PageDocument
from sundog.patterns.engines import make_engine
from sundog.patterns.engines.base import Engine, FieldPlan, Raw
from sundog.patterns.values import Found, FoundLink

MOST_ITEMS = 10_000  # of one pattern on one page
MOST_LINKS = 20_000
MOST_FAULTS = 20  # of one pattern on one page

Test = Callable[[PageDocument], bool]


class _Data(NamedTuple):
    name: str
    test: Test | None
    find: Callable[[PageDocument], Sequence[Raw]]
    fields: Sequence[FieldPlan]
    needs_values: bool  # there is no find: a page without any value is no item


class _Links(NamedTuple):
    name: str
    test: Test | None
    find: Callable[[PageDocument], Sequence[Any]]


class Evaluator:
    """``plan`` is what ``plan.py`` makes of a spec's patterns. ``engines``: those that are there already.

    Raises QueryError.
    """

    def __init__(self, plan: Mapping[str, Any], engines: dict[str, Engine] | None = None) -> None:
        self._engines = {} if engines is None else engines
        self._data = [self._compiled_data(each) for each in plan["data"]]
        self._links = [self._compiled_links(each) for each in plan["link"]]
        self._stops = [(each["name"], self._test(each, each["where"])) for each in plan["stop"]]

    def apply(self, page: PageDocument, names: Sequence[str] | None) -> Found:
        faults: list[tuple[str, str]] = []
        items: dict[str, Sequence[Mapping[str, Any]]] = {}
        links: dict[str, Sequence[FoundLink]] = {}
        for data in self._data:
            if names is None or data.name in names:
                with _Guarded(data.name, faults):
                    if found := list(_items(data, page, faults)):
                        items[data.name] = found
        for link in self._links:
            if names is None or link.name in names:
                with _Guarded(link.name, faults):
                    if led := list(_followed(link, page)):
                        links[link.name] = led
        stops = []
        for name, test in self._stops:
            with _Guarded(name, faults):
                if test is not None and (names is None or name in names) and test(page):
                    stops.append(name)
        return Found(items, links, stops, faults)

    def _engine(self, name: str) -> Engine:
        if name not in self._engines:
            self._engines[name] = make_engine(name)
        return self._engines[name]

    def _test(self, pattern: Mapping[str, Any], where: str) -> Test | None:
        return self._engine(pattern["engine"]).test(pattern["when"], where) if pattern["when"] else None

    def _compiled_data(self, pattern: Mapping[str, Any]) -> _Data:
        where, fields = pattern["where"], pattern["fields"]
        find = self._engine(pattern["engine"]).data(pattern["find"], fields, where)
        return _Data(pattern["name"], self._test(pattern, where), find, fields, not pattern["find"])

    def _compiled_links(self, pattern: Mapping[str, Any]) -> _Links:
        find = self._engine(pattern["engine"]).links(pattern["find"], pattern["where"])
        return _Links(pattern["name"], self._test(pattern, pattern["where"]), find)


class _Guarded:
    """What a pattern raises is its fault."""

    def __init__(self, name: str, faults: list[tuple[str, str]]) -> None:
        self._name, self._faults = name, faults

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> bool:
        if error is not None and isinstance(error, Exception):
            self._faults.append((self._name, " ".join(str(error).split())[:300] or type(error).__name__))
            return True
        return False


def _items(data: _Data, page: PageDocument, faults: list[tuple[str, str]]) -> Iterator[Mapping[str, Any]]:
    if data.test is not None and not data.test(page):
        return
    found = data.find(page)
    if len(found) > MOST_ITEMS:
        faults.append((data.name, f"has more items on this page than the {MOST_ITEMS:,} kept"))
    wrong: list[str] = []
    for raw in found[:MOST_ITEMS]:
        item = _item(raw, data.fields, page, wrong)
        if item is not None and not (data.needs_values and not any(_has(value) for value in item.values())):
            yield item
    faults += [(data.name, reason) for reason in wrong[:MOST_FAULTS]]


def _item(raw: Raw, fields: Sequence[FieldPlan], page: PageDocument, wrong: list[str]) -> dict[str, Any] | None:
    """None: a required field has no value, or it is no item at all."""
    if isinstance(raw, bool):
        wrong.append("find gives true or false, and elements, rows or maps are expected")
        return None
    if not fields:
        return _as_it_is(raw)
    record = raw if isinstance(raw, Mapping) else {}
    item: dict[str, Any] = {}
    for field in fields:
        value = _value(_listed(record.get(field["name"])), field, page, wrong)
        if field["required"] and not _has(value):
            return None
        item[field["name"]] = value
    return item


def _value(found: Sequence[Raw], field: FieldPlan, page: PageDocument, wrong: list[str]) -> Any:
    read = _read_item if field["kind"] == "item" else _read_value
    values = []
    for value in read(found, field, page, wrong):
        if not field["is_list"]:
            return value
        values.append(value)
    return values if field["is_list"] else None


def _read_item(found: Sequence[Raw], field: FieldPlan, page: PageDocument, wrong: list[str]) -> Iterator[Any]:
    for raw in found:
        item = _item(raw, field["fields"], page, wrong)
        if item is not None and any(map(_has, item.values())):
            yield item


def _read_value(found: Sequence[Raw], field: FieldPlan, page: PageDocument, wrong: list[str]) -> Iterator[Any]:
    """Texts without anything in them are no values."""
    convert = converter(field["kind"], page.resolver.resolve if field["kind"] == "url" else _no_url)
    for raw in found:
        value = text_of(raw) if isinstance(raw, str | dict) else raw
        if value is None or value == "":
            continue
        try:
            yield convert(value)
        except WrongTypeError as error:
            wrong.append(f"{field['name']}: {error}")


def _no_url(_: str) -> None:
    return None


def _as_it_is(raw: Raw) -> dict[str, Any]:
    """What has no fields of its own: columns, keys and child elements by name, anything else as text."""
    if isinstance(raw, Mapping):
        return {name: _single(value) for name, value in raw.items()}
    return {"text": text_of(raw)}


def _single(value: Any) -> Any:
    if isinstance(value, list):
        return _single(value[0]) if len(value) == 1 else [_single(each) for each in value] or None
    if isinstance(value, Mapping):
        return _as_it_is(value)
    return text_of(value) if isinstance(value, str) else value


def _listed(value: Any) -> Sequence[Raw]:
    """Lists within lists are one list: XQuery's arrays of sequences come so."""
    if isinstance(value, list):
        return [inner for each in value for inner in _listed(each)]
    return [] if value is None else [value]


def _has(value: Any) -> bool:
    return value is not None and value != [] and value != ""


def _followed(link: _Links, page: PageDocument) -> Iterator[FoundLink]:
    if link.test is not None and not link.test(page):
        return
    seen: set[str] = set()
    for href, anchor in link.find(page)[:MOST_LINKS]:
        url = page.resolver.resolve(href.strip()) if href else None
        if url is not None and url not in seen:
            seen.add(url)
            yield FoundLink(url, anchor)
