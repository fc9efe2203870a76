"""From what an engine found to items. How fields are read is settled once, so that a page costs little for each of
its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sundog.patterns.convert import WrongTypeError, converter, text_of, url_converter
from sundog.patterns.document import PageDocument
from sundog.patterns.engines.base import FieldPlan, Raw

Item = dict[str, Any]
Maker = Callable[[Raw, PageDocument, list[str]], Item | None]  # the last are the values that were of a wrong type
Reader = Callable[[Sequence[Raw], PageDocument, list[str]], list[Any]]
NO_ITEM = "find gives true or false, and elements, rows or maps are expected"


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
    name = field["name"]
    plain = None if field["kind"] == "url" else converter(field["kind"])

    def read(found: Sequence[Raw], page: PageDocument, wrong: list[str]) -> list[Any]:
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


def _as_it_is(raw: Raw, page: PageDocument, wrong: list[str]) -> Item | None:
    """What has no fields of its own: columns, keys and child elements by name, anything else as text."""
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
