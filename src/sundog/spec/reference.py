"""The keys of a spec as others read them: a JSON Schema for editors, and the reference page. Both derive from the
dataclasses, whose types, defaults and bounds are those that a spec is checked by."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from sundog.model import LARGEST_NUMBER
from sundog.policies.presets import all_policies
from sundog.spec.crawl import CrawlSpec
from sundog.spec.meanings import MEANINGS
from sundog.spec.tables import ABOVE_ZERO, FROM_ONE, alternatives, defaults, field_types
from sundog.toml_text import toml_value

SCHEMA = "https://json-schema.org/draft/2020-12/schema"
PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string"}
WORDS = {bool: "true or false", int: "whole number", float: "number", str: "text"}


class Key(NamedTuple):
    """``name`` is the whole key; ``[]`` stands for each of several tables."""

    name: str
    kind: Any
    default: Any = None
    required: bool = False

    @property
    def meaning(self) -> str:
        return MEANINGS[self.name]

    @property
    def plain_name(self) -> str:
        """As bounds are listed."""
        return self.name.replace("[]", "")


def keys_of(kind: type[Any] = CrawlSpec, place: str = "") -> Iterator[Key]:
    """All keys, each table's after the table itself."""
    known = defaults(kind)
    for name, hint in field_types(kind).items():
        yield Key(f"{place}{name}", hint, known.get(name), name not in known)
        if table := table_of(hint):
            yield from keys_of(table, f"{place}{name}{'[]' if is_list(hint) else ''}.")


def table_of(hint: Any) -> type[Any] | None:
    """The dataclass of a table, or of each of several."""
    for one in alternatives(hint):
        one = get_args(one)[0] if get_origin(one) is tuple else one
        if dataclasses.is_dataclass(one):
            return typing.cast(type[Any], one)
    return None


def is_list(hint: Any) -> bool:
    return any(get_origin(one) in (tuple, frozenset) for one in alternatives(hint))


# -- for editors -----------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """Of a spec's file, as JSON Schema has it; installed policies are among the names."""
    made = {"$schema": SCHEMA, "title": "A crawl of Sundog", **_table_schema(CrawlSpec, "")}
    made["properties"]["policy"]["enum"] = [name for name, each in all_policies().items() if not each.foresees]
    return made


def _table_schema(kind: type[Any], place: str) -> dict[str, Any]:
    known = defaults(kind)
    keys = [Key(f"{place}{name}", hint, known.get(name)) for name, hint in field_types(kind).items()]
    made: dict[str, Any] = {"type": "object", "additionalProperties": False}
    made["properties"] = {key.name.removeprefix(place): _key_schema(key) for key in keys}
    if required := [name for name in field_types(kind) if name not in known]:
        made["required"] = required
    return made


def _key_schema(key: Key) -> dict[str, Any]:
    made: dict[str, Any] = {"description": key.meaning}
    if table := table_of(key.kind):
        if is_list(key.kind):
            return {**made, "type": "array", "items": _table_schema(table, f"{key.name}[].")}
        return {**made, **_table_schema(table, f"{key.name}.")}
    (one, *_) = alternatives(key.kind)
    if get_origin(one) is Literal:
        made["enum"] = list(get_args(one))
    elif get_origin(one) in (tuple, frozenset):
        made |= {"type": "array", "items": {"type": "string"}}
    elif get_origin(one) is not None:
        made["type"] = "object"
    else:
        made["type"] = PLAIN[one]
        if one in (int, float):
            made |= _bounds(key.plain_name)
    if isinstance(key.default, bool | int | float | str) and key.default != "":
        made["default"] = key.default
    return made


def _bounds(name: str) -> dict[str, Any]:
    least = {"exclusiveMinimum": 0} if name in ABOVE_ZERO else {"minimum": int(name in FROM_ONE)}
    return {**least, "maximum": LARGEST_NUMBER}


# -- for people ------------------------------------------------------------------------------------------


def reference() -> str:
    """The tables of the reference page, one for each table of a spec."""
    sections: dict[str, list[Key]] = {}
    for key in keys_of():
        sections.setdefault(key.name.rpartition(".")[0], []).append(key)
    return "\n".join(_section(place, keys) for place, keys in sections.items())


def _section(place: str, keys: list[Key]) -> str:
    named = f"[[{place[:-2]}]]" if place.endswith("[]") else f"[{place}]"
    heading = f"## `{named}`\n\n{_sentence(MEANINGS[place.removesuffix('[]')])}\n" if place else "## At the top\n"
    rows = [(f"`{key.name.rpartition('.')[2]}`", _kind(key), _default(key), key.meaning) for key in keys]
    table = (("key", "value", "default", "meaning"), ("---",) * 4, *rows)
    return "\n".join([heading, *(f"| {' | '.join(row)} |" for row in table), ""])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _kind(key: Key) -> str:
    if table_of(key.kind):
        return "tables" if is_list(key.kind) else "table"
    (one, *_) = alternatives(key.kind)
    if get_origin(one) is Literal:
        return ", ".join(f"`{toml_value(each)}`" for each in get_args(one))
    if get_origin(one) in (tuple, frozenset):
        return "list of texts"
    if get_origin(one) is not None:
        return "table"
    bound = " > 0" if key.plain_name in ABOVE_ZERO else " ≥ 1" if key.plain_name in FROM_ONE else ""
    return WORDS[one] + bound


def _default(key: Key) -> str:
    if key.required:
        return "must be given"
    if isinstance(key.default, tuple | frozenset | list):
        return f"{len(key.default)} of them" if len(key.default) else ""
    if key.default in (None, "") or isinstance(key.default, Mapping) or dataclasses.is_dataclass(key.default):
        return ""
    return f"`{toml_value(key.default)}`"


if __name__ == "__main__":
    print(reference(), end="")
