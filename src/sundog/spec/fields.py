"""Fields of items: what is looked for, and what it is read as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sundog.errors import UsageError, nearest_or_all

KINDS = ("text", "number", "date", "url", "item")
FIELD = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII).fullmatch
KEYS = ("find", "type", "required", "fields")
MOST_FIELDS = 200
DEEPEST = 5  # items within items


@dataclass(frozen=True, kw_only=True)
class Field:
    """``kind`` is one of ``KINDS``; a list has any number of them."""

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
    if not FIELD(name):
        raise UsageError(f"{place}: a field's name is made of letters, digits, _ and -")
    if isinstance(value, str):
        return Field(name=name, find=value)
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: a query or a table is expected")
    for key in value:
        if key not in KEYS:
            raise UsageError(f"unknown key '{place}.{key}'{nearest_or_all(key, KEYS)}")
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
    if words[:2] == ["list", "of"] and len(words) == 3 and words[2] in KINDS:
        return words[2], True
    if words == ["list"]:
        return "text", True
    if len(words) == 1 and words[0] in KINDS:
        return words[0], False
    raise UsageError(f'{place}.type = "{text}": {", ".join(KINDS)}, or list of one of them, is expected')
