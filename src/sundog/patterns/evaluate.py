"""Compiled patterns, and the items, links and stops that they give for one page.

A pattern that fails loses its own results only. How fields are read is settled once, so that a page costs little
for each of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sundog.patterns.document import PageDocument
from sundog.patterns.engines import Engine, FieldPlan, Raw, make_engine
from sundog.patterns.field_types import MAX_TEXT, WrongTypeError, converter, text_of, url_converter

Item = dict[str, Any]
Maker = Callable[[Raw, PageDocument, list[str]], Item | None]  # the last are the values that were of a wrong type
Reader = Callable[[Sequence[Raw], PageDocument, list[str]], list[Any]]
NO_ITEM = "find gives true or false, and elements, rows or maps are expected"
MOST_ITEMS = 10_000  # of one pattern on one page
MOST_LINKS = 20_000
MOST_FAULTS = 20  # of one pattern on one page
Test = Callable[[PageDocument], bool]


class _Data(NamedTuple):
    name: str
    test: Test | None
    find: Callable[[PageDocument], Sequence[Raw]]
    make: Maker
    needs_values: bool  # there is no find: a page without any value is no item


class _Links(NamedTuple):
    name: str
    test: Test | None
    find: Callable[[PageDocument], Sequence[Any]]


class Evaluator:
    """``plan`` is what ``runner.plan_of`` makes of a spec's patterns. ``engines``: those that are there already.

    Raises QueryError.
    """

    def __init__(self, plan: Mapping[str, Any], engines: dict[str, Engine] | None = None) -> None:
        self._engines = {} if engines is None else engines
        self._data = [self._compiled_data(each) for each in plan["data"]]
        self._links = [self._compiled_links(each) for each in plan["link"]]
        self._stops = [(each["name"], self._test(each, each["where"])) for each in plan["stop"]]

    def apply(self, page: PageDocument, names: Sequence[str] | None) -> dict[str, Any]:
        """What ``Found`` has, as plain values."""
        faults: list[tuple[str, str]] = []
        items: dict[str, list[Item]] = {}
        links: dict[str, list[tuple[str, str]]] = {}
        for data in self._data:
            if names is None or data.name in names:
                with _Guarded(data.name, faults):
                    if found := _items(data, page, faults):
                        items[data.name] = found
        for link in self._links:
            if names is None or link.name in names:
                with _Guarded(link.name, faults):
                    if led := _followed(link, page):
                        links[link.name] = led
        stops = []
        for name, test in self._stops:
            with _Guarded(name, faults):
                if test is not None and (names is None or name in names) and test(page):
                    stops.append(name)
        return {"items": items, "links": links, "stops": stops, "faults": faults}

    def _engine(self, name: str) -> Engine:
        if name not in self._engines:
            self._engines[name] = make_engine(name)
        return self._engines[name]

    def _test(self, pattern: Mapping[str, Any], where: str) -> Test | None:
        return self._engine(pattern["engine"]).test(pattern["when"], where) if pattern["when"] else None

    def _compiled_data(self, pattern: Mapping[str, Any]) -> _Data:
        where, fields = pattern["where"], pattern["fields"]
        find = self._engine(pattern["engine"]).data(pattern["find"], fields, where)
        return _Data(pattern["name"], self._test(pattern, where), find, item_maker(fields), not pattern["find"])

    def _compiled_links(self, pattern: Mapping[str, Any]) -> _Links:
        find = self._engine(pattern["engine"]).links(pattern["find"], pattern["where"])
        return _Links(pattern["name"], self._test(pattern, pattern["where"]), find)


class _Guarded:
    """Whatever a pattern raises is recorded among the faults."""

    def __init__(self, name: str, faults: list[tuple[str, str]]) -> None:
        self._name, self._faults = name, faults

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> bool:
        if error is not None and isinstance(error, Exception):
            self._faults.append((self._name, " ".join(str(error).split())[:300] or type(error).__name__))
            return True
        return False


def _items(data: _Data, page: PageDocument, faults: list[tuple[str, str]]) -> list[Item]:
    if data.test is not None and not data.test(page):
        return []
    found = data.find(page)
    if len(found) > MOST_ITEMS:
        faults.append((data.name, f"has more items on this page than the {MOST_ITEMS:,} kept"))
    wrong: list[str] = []
    make = data.make
    items = [item for raw in found[:MOST_ITEMS] if (item := make(raw, page, wrong)) is not None]
    faults += [(data.name, reason) for reason in wrong[:MOST_FAULTS]]
    return [item for item in items if any(map(has, item.values()))] if data.needs_values else items


def _followed(link: _Links, page: PageDocument) -> list[tuple[str, str]]:
    """Each URL once, with what stands on the first link to it."""
    if link.test is not None and not link.test(page):
        return []
    resolve = page.resolve
    followed: dict[str, str] = {}
    for href, anchor in link.find(page)[:MOST_LINKS]:
        url = resolve(href) if href else None
        if url is not None and url not in followed:
            followed[url] = anchor
    return list(followed.items())


def item_maker(fields: Sequence[FieldPlan]) -> Maker:
    """None: a required field has no value, or it is no item at all."""
    return _with_fields(fields) if fields else _as_it_is


def has(value: Any) -> bool:
    return value is not None and value != [] and value != ""


def _with_fields(fields: Sequence[FieldPlan]) -> Maker:
    plans = [(each["name"], _reader(each), each["is_list"], each["required"]) for each in fields]

    def item(raw: Raw, page: PageDocument, wrong: list[str]) -> Item | None:
        if isinstance(raw, bool):
            wrong.append(NO_ITEM)
            return None
        record = raw if isinstance(raw, dict) else {}
        made: Item = {}
        for name, read, is_list, required in plans:
            values = read(_listed(record.get(name)), page, wrong)
            if required and not values:
                return None
            made[name] = values if is_list else values[0] if values else None
        return made

    return item


def _reader(field: FieldPlan) -> Reader:
    """All values of a list, else the first one at most."""
    most = None if field["is_list"] else 1
    return _items_reader(field, most) if field["kind"] == "item" else _values_reader(field, most)


def _items_reader(field: FieldPlan, most: int | None) -> Reader:
    make = item_maker(field["fields"])

    def read(found: Sequence[Raw], page: PageDocument, wrong: list[str]) -> list[Any]:
        items: list[Any] = []
        for raw in found:
            item = make(raw, page, wrong)
            if item is not None and any(map(has, item.values())):
                items.append(item)
                if len(items) == most:
                    break
        return items

    return read


def _values_reader(field: FieldPlan, most: int | None) -> Reader:
    """Texts without anything in them are no values."""
    name, are_urls = field["name"], field["kind"] == "url" and most is None
    plain = None if field["kind"] == "url" else converter(field["kind"])

    def read(found: Sequence[Raw], page: PageDocument, wrong: list[str]) -> list[Any]:
        if are_urls and (urls := _all_urls(found, page.resolve)):
            return urls
        values: list[Any] = []
        convert = plain or url_converter(page.resolve)
        for raw in found:
            try:
                value = None if raw is None else convert(raw)
            except WrongTypeError as error:
                wrong.append(f"{name}: {error}")
                continue
            if value is not None and value != "":
                values.append(value)
                if len(values) == most:
                    break
        return values

    return read


def _all_urls(found: Sequence[Raw], resolve: Callable[[str], str | None]) -> list[Any]:
    """All at once, which is quicker; empty if some are blank or faulty: then they are read one by one."""
    if set(map(type, found)) != {str} or not all(map(str.strip, found)) or max(map(len, found)) > MAX_TEXT:
        return []
    urls = list(map(resolve, found))
    return [] if None in urls else urls


def _as_it_is(raw: Raw, page: PageDocument, wrong: list[str]) -> Item | None:
    """An item of a pattern without fields: columns, keys and child elements by name, anything else as text."""
    if isinstance(raw, dict):
        return {name: _single(value) for name, value in raw.items()}
    if isinstance(raw, bool):
        wrong.append(NO_ITEM)
        return None
    return {"text": text_of(raw)}


def _single(value: Any) -> Any:
    if isinstance(value, list):
        return _single(value[0]) if len(value) == 1 else [_single(each) for each in value] or None
    if isinstance(value, dict):
        return {name: _single(inner) for name, inner in value.items()}
    return text_of(value) if isinstance(value, str) else value


def _listed(value: Any) -> Sequence[Raw]:
    """Lists within lists are one list: XQuery's arrays of sequences come so."""
    if not isinstance(value, list):
        return [] if value is None else [value]
    if list not in map(type, value):
        return value
    return [inner for each in value for inner in _listed(each)]
