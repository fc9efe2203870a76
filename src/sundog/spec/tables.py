"""TOML tables to dataclasses and back; unknown keys, wrong types and numbers out of bounds are errors."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

from sundog.errors import UsageError, nearest_or_all
from sundog.model import LARGEST_NUMBER
from sundog.texts import short_number
from sundog.toml_text import toml_value

T = TypeVar("T")
# Bounds of numbers, by their keys; they also keep specs writable, for no file holds an infinity that all can read.
FROM_ONE = frozenset(
    "budget concurrency following.host_concurrency following.address_concurrency api.max_pages form.max_pages "
    "form.min_length patterns.memory patterns.stop.pages patterns.stop.items patterns.stop.dry "
    "patterns.result.limit rendering.at_once rendering.requests rendering.nodes".split()
)
ABOVE_ZERO = frozenset(
    "seconds bytes limits.connect limits.first_byte limits.total limits.max_bytes limits.max_density "
    "limits.max_header_line limits.max_headers limits.max_url rdf.dump_bytes rdf.dump_unpacked "
    "rdf.dump_statements rdf.dump_seconds patterns.seconds rendering.seconds rendering.bytes "
    "rendering.memory".split()
)  # all others from 0 on
OPTIONS = {"for": "objective", "set": "parameters"}  # of the command line, whose keys have other names
EXPECTED = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}


def read_table(kind: type[T], table: Mapping[str, Any], place: str = "") -> T:
    """
    >>> from sundog.scope.scope import Scope
    >>> read_table(Scope, {"max_depth": 3, "paths": ["/a"]}).paths
    ('/a',)
    >>> read_table(Scope, {"max_dept": 3}, "scope.")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: unknown key 'scope.max_dept'; did you mean 'max_depth'?
    """
    known = field_types(kind)
    for name in table:
        if name not in known:
            raise UsageError(f"unknown key '{place}{name}'{nearest_or_all(OPTIONS.get(name, name), known)}")
    values = {name: read_value(known[name], value, f"{place}{name}") for name, value in table.items()}
    missing = [field.name for field in _fields(kind) if _is_required(field) and field.name not in values]
    if missing:
        raise UsageError(f"'{place}{missing[0]}' is missing")
    return kind(**values)


def field_types(kind: type[Any]) -> dict[str, Any]:
    """The keys of a table and their types; what else a class has is none of them."""
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in _fields(kind)}


def defaults(kind: type[Any]) -> dict[str, Any]:
    """Of the keys that need not be given."""
    return {field.name: _default(field) for field in _fields(kind) if not _is_required(field)}


def read_value(kind: Any, value: Any, place: str) -> Any:
    """The value as the type has it; ``place`` is how an error names it."""
    for one in alternatives(kind):
        if dataclasses.is_dataclass(one) and isinstance(value, Mapping):
            return read_table(typing.cast(type, one), value, f"{place}.")
        if get_origin(one) is tuple and value == [] and _may_be_none(kind):
            return None
        if get_origin(one) is tuple and dataclasses.is_dataclass(get_args(one)[0]):
            return tuple(_tables(get_args(one)[0], value, place))
        if get_origin(one) in (tuple, frozenset):
            if isinstance(value, list) and all(isinstance(part, str) for part in value):
                return get_origin(one)(value)
        elif get_origin(one) is Literal:
            if value in get_args(one):
                return value
        elif get_origin(one) is not None:
            if isinstance(value, Mapping):
                return dict(value)
        elif one is float and isinstance(value, int | float) and not isinstance(value, bool):
            return _as_float(value, place)
        elif isinstance(value, one) and (one is bool or not isinstance(value, bool)):
            return value
    raise UsageError(f"{place} = {_short(value)}: {_expected(kind)} is expected")


def _as_float(value: float, place: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise UsageError(
            f"{place} = {short_number(value)}: a number up to {LARGEST_NUMBER:g} is expected"
        ) from None


def read_text(kind: Any, text: str, place: str) -> Any:
    """A value as it is typed on a command line: texts without quotes, lists with commas."""
    allowed = alternatives(kind)
    if any(get_origin(one) in (tuple, frozenset) for one in allowed):
        return read_value(kind, [part for part in text.split(",") if part], place)
    if str in allowed or any(get_origin(one) is Literal for one in allowed):
        return read_value(kind, text, place)
    try:
        return read_value(kind, json.loads(text), place)
    except ValueError:
        raise UsageError(f"{place} = {text}: {_expected(kind)} is expected") from None


def table_text(value: Any, place: str = "") -> str:
    """The dataclass as TOML: what differs from the defaults, tables last."""
    lines, tables = [], []
    for field in _fields(type(value)):
        content = getattr(value, field.name)
        if content == _default(field):
            continue
        if dataclasses.is_dataclass(content) or isinstance(content, Mapping) or _is_tables(content):
            tables.append((f"{place}{field.name}", content))
        else:
            lines.append(f"{field.name} = {toml_value(content)}\n")
    for name, content in tables:
        if _is_tables(content):
            lines += [f"\n[[{name}]]\n{table_text(each, f'{name}.')}" for each in content]
            continue
        body = table_text(content, f"{name}.") if dataclasses.is_dataclass(content) else _mapping_text(content)
        lines.append(f"\n[{name}]\n{body}")
    return "".join(lines)


def check_numbers(table: Any) -> None:
    """Every number of a dataclass and of those within it."""
    for name, value in numbers_of(table):
        check_number(name, value)


def numbers_of(table: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of a dataclass and of those within it, each with its whole key."""
    for field in dataclasses.fields(table):
        name, value = f"{place}{field.name}", getattr(table, field.name)
        if dataclasses.is_dataclass(value):
            yield from numbers_of(value, f"{name}.")
        elif isinstance(value, tuple) and value and dataclasses.is_dataclass(value[0]):
            for each in value:
                yield from numbers_of(each, f"{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def check_number(name: str, value: float) -> None:
    """``name`` is the whole key, with its tables."""
    least = int(name in FROM_ONE)
    if name in ABOVE_ZERO and not value > 0:
        raise UsageError(f"{name} = {short_number(value)}: a number above 0 is expected")
    if not value >= least:
        raise UsageError(f"{name} = {short_number(value)}: a number from {least} on is expected")
    if value > LARGEST_NUMBER:
        raise UsageError(f"{name} = {short_number(value)}: a number up to {LARGEST_NUMBER:g} is expected")


def _is_tables(content: Any) -> bool:
    """An array of tables."""
    return isinstance(content, tuple) and bool(content) and dataclasses.is_dataclass(content[0])


def _mapping_text(values: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps(name)} = {toml_value(value)}\n" for name, value in values.items())


def _tables(kind: Any, values: Any, place: str) -> Iterator[Any]:
    if not isinstance(values, list) or not all(isinstance(value, Mapping) for value in values):
        raise UsageError(f"{place}: tables are expected, each beginning with [[{place}]]")
    for number, value in enumerate(values, 1):
        yield read_table(kind, value, f"{place}[{number}].")


def _short(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)[:80]


def alternatives(kind: Any) -> list[Any]:
    if isinstance(kind, types.UnionType):
        return [one for one in get_args(kind) if one is not type(None)]
    return [kind]


def _may_be_none(kind: Any) -> bool:
    return isinstance(kind, types.UnionType) and type(None) in get_args(kind)


def _expected(kind: Any) -> str:
    one = alternatives(kind)[0]
    if get_origin(one) is Literal:
        return " or ".join(f'"{name}"' for name in get_args(one))
    if get_origin(one) in (tuple, frozenset):
        return "a list of texts"
    return EXPECTED.get(one, "a table")


def _fields(kind: Any) -> list[dataclasses.Field[Any]]:
    return list(dataclasses.fields(kind))


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
