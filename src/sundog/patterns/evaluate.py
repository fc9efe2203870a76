"""Compiled patterns, and what they give for one page. One that fails costs nothing but what it would give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sundog.patterns.document import PageDocument
from sundog.patterns.engines import make_engine
from sundog.patterns.engines.base import Engine, Raw
from sundog.patterns.items import Item, Maker, has, item_maker

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
    """``plan`` is what ``plan.py`` makes of a spec's patterns. ``engines``: those that are there already.

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
