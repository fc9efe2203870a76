"""Forms that frameworks give to their state, as plain values again. None of them copies shared parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import orjson

from sundog.extract.guards import TimeBox

_ROW = re.compile(r"^[0-9a-f]{1,8}:(?:[A-Z])?([\[{].*)$", re.MULTILINE)
_MOST_ALIASES: Final = 20  # wrappers around wrappers
_ARRAY: Final = 1


def from_devalue(values: Any) -> Any:
    """Nuxt's payload: a list whose first entry is the value; in objects and lists stand the places of their parts.

    >>> from_devalue([["ShallowReactive", 1], {"name": 2, "self": 1}, "Cup"])["name"]
    'Cup'
    """
    if not isinstance(values, list) or not values:
        raise ValueError("not a payload of Nuxt")
    shells = [{} if isinstance(raw, dict) else [] if isinstance(raw, list) else raw for raw in values]

    def at(place: Any) -> Any:
        """Wrappers such as ``["Ref", 3]`` are what they hold; a date is its text."""
        for _ in range(_MOST_ALIASES):
            if not isinstance(place, int) or not 0 <= place < len(values):
                return None
            raw = values[place]
            if not (isinstance(raw, list) and raw and isinstance(raw[0], str)):
                return shells[place]
            if len(raw) != 2 or raw[0] == "Date":
                return raw[1] if len(raw) == 2 else None
            place = raw[1]
        return None

    for shell, raw in zip(shells, values, strict=True):
        if isinstance(raw, dict):
            shell.update((name, at(place)) for name, place in raw.items())
        elif isinstance(raw, list) and not (raw and isinstance(raw[0], str)):
            shell.extend(map(at, raw))
    return at(0)


def from_astro(value: Any) -> Any:
    """Props of an island: each value is a pair of its kind and itself.

    >>> from_astro({"tags": [1, [[0, "new"]]], "cup": [0, {"name": [0, "Cup"]}]})
    {'tags': ['new'], 'cup': {'name': 'Cup'}}
    """
    if isinstance(value, dict):
        return {name: _untagged(pair) for name, pair in value.items()}
    return value


def _untagged(pair: Any) -> Any:
    if not isinstance(pair, list) or len(pair) != 2:
        return None
    kind, value = pair
    if kind == _ARRAY and isinstance(value, list):
        return [_untagged(each) for each in value]
    return from_astro(value)


def from_flight(text: str, box: TimeBox) -> Iterator[Any]:
    """Rows of Next's stream of server components that are JSON; texts and imports are none.

    >>> list(from_flight('1:["$","p",null,{"name":"Cup"}]\\n2:I[3,[]]\\n3:T5,{"a"', TimeBox(1)))
    [['$', 'p', None, {'name': 'Cup'}], [3, []]]
    """
    for match in _ROW.finditer(text):
        box.check()
        try:
            yield orjson.loads(match[1])
        except ValueError:
            continue
