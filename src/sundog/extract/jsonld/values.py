"""JSON-LD values as RDF literals (JSON-LD 1.1 API, 8.2)."""

from __future__ import annotations

import json
import math
from typing import Any

from sundog.extract.terms import RDF, XSD, literal, typed

DOUBLE = f"{XSD}double"
JSON = f"{RDF}JSON"


def scalar(value: Any, datatype: str | None = None, language: str = "") -> str | None:
    """A string, number or boolean as a literal; anything else is none."""
    if isinstance(value, str):
        return typed(value, datatype) if datatype else literal(value, language)
    if isinstance(value, bool):
        return typed("true" if value else "false", datatype or f"{XSD}boolean")
    if isinstance(value, int) and datatype != DOUBLE and abs(value) < 10**21:
        return typed(str(value), datatype or f"{XSD}integer")
    if isinstance(value, float) and value.is_integer() and datatype != DOUBLE and abs(value) < 1e21:
        return typed(str(int(value)), datatype or f"{XSD}integer")
    if isinstance(value, (int, float)):
        return _double(value, datatype)
    return None


def _double(value: float, datatype: str | None) -> str | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return typed(canonical_double(number), datatype or DOUBLE) if math.isfinite(number) else None


def canonical_double(value: float) -> str:
    """
    >>> canonical_double(5.3), canonical_double(100.0)
    ('5.3E0', '1.0E2')
    """
    mantissa, _, exponent = f"{value:.15E}".partition("E")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}{'0' if mantissa.endswith('.') else ''}E{int(exponent)}"


def json_literal(value: Any) -> str:
    """``@json``: the value in its canonical form (RFC 8785)."""
    return typed(canonical_json(value), JSON)


def canonical_json(value: Any) -> str:
    """
    >>> canonical_json({"b": 1.0, "a": [True, None, 1e21]})
    '{"a":[true,null,1e+21],"b":1}'
    """
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda item: item[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_string(key)}:{canonical_json(each)}" for key, each in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return _number(value)
    return json.dumps(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """As ECMAScript writes it."""
    try:
        number = float(value)
    except OverflowError:
        return str(value)
    if number.is_integer() and abs(number) < 1e21:
        return str(int(number))
    mantissa, _, exponent = repr(number).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if -7 < power < 0:
        return f"{number:.{len(mantissa.lstrip('-').replace('.', '')) - 1 - power}f}"
    return f"{mantissa.removesuffix('.0')}e{power:+d}"
