"""Values as TOML writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml_value(value: Any) -> str:
    """
    >>> print(toml_value({"a": ["b", True]}), toml_value(frozenset({2, 1})))
    { "a" = ["b", true] } [1, 2]
    """
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{json.dumps(name)} = {toml_value(inner)}" for name, inner in value.items()) + " }"
        )
    if isinstance(value, frozenset):
        value = sorted(value)
    if value is None:  # TOML has no word for it: where it is not usual, an empty list stands for "any"
        value = []
    # JSON's strings, numbers, booleans and lists are TOML's too; DEL alone must be escaped, and halves of
    # surrogate pairs cannot be written at all.
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=list)
    return text.replace("\x7f", "\\u007f").encode("utf-8", "replace").decode()
