"""Values as JavaScript writes them, read without running anything: object literals, constants,
``JSON.parse("…")``, and the function around Nuxt 2's state, whose arguments stand in the place of its parameters.

Anything else, such as a call, stands for nothing; where the text is no literal any more, reading ends.
"""

from __future__ import annotations

import re
from typing import Any, Final

import orjson

from sundog.extract.guards import TimeBox

DEEPEST: Final = 150
_BLANK = re.compile(r"(?:\s++|/\*(?:(?!\*/).)*+\*/|//[^\n]*+)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|\'(?:[^\'\\\n]++|\\.)*+\'|`(?:[^`\\$]++|\\.|\$(?!\{))*+`', re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:0x[0-9a-fA-F]++|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_FUNCTION = re.compile(r"\(?\s*+(?:function\s*+\(([\w$,\s]*+)\)|\(([\w$,\s]*+)\)\s*+=>)\s*+\{")
_RETURN = re.compile(r"\breturn\b\s*+(?=[\[{(\"'])")
_DATE = re.compile(r"new\s++Date\s*+\(")
_PARSE = re.compile(r"JSON\.parse\s*+\(")
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_SHORT: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_CONSTANTS: Final = {"true": True, "false": False}


def read_literal(text: str, position: int, box: TimeBox) -> tuple[Any, int]:
    """The value that begins there, and where it ends; ValueError if there is none.

    >>> read_literal("{a:!0,'b':[1,.5,void 0],}", 0, TimeBox(1))
    ({'a': True, 'b': [1, 0.5, None]}, 25)
    >>> read_literal('(function(a,b){return {name:a,price:b}}("Cup",3))', 0, TimeBox(1))[0]
    {'name': 'Cup', 'price': 3}
    """
    function = _FUNCTION.match(text, position)
    if function is None:
        reader = _Reader(text, position, {}, box)
        return reader.value(0), reader.position
    begin = _RETURN.search(text, function.end())
    if begin is None:
        raise ValueError("a function that returns no literal")
    names = [name.strip() for name in (function[1] or function[2] or "").split(",")]
    body = _Reader(text, begin.end(), {}, box)
    body.value(0)
    reader = _Reader(text, _BLANK.match(text, body.position).end(), {}, box)  # type: ignore[union-attr]
    values = reader.arguments()
    bound = _Reader(text, begin.end(), dict(zip(names, values, strict=False)), box)
    return bound.value(0), reader.position


class _Reader:
    def __init__(self, text: str, position: int, names: dict[str, Any], box: TimeBox) -> None:
        self._text, self.position, self._names, self._box = text, position, names, box

    def value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        self._box.check()
        match self._next():
            case "{":
                return self._object(depth + 1)
            case "[":
                return self._array(depth + 1)
            case '"' | "'" | "`":
                return self._string()
            case "!":
                self.position += 1
                return not self.value(depth + 1)
            case "(":
                self.position += 1
                value = self.value(depth + 1)
                self._expect(")")
                return value
            case first if first and first in "-+.0123456789":
                return self._number()
        return self._word(depth)

    def arguments(self) -> list[Any]:
        """Of a call, with what closes the function before it."""
        while self._next() and self._text[self.position] in ";})":
            self.position += 1
        self._expect("(")
        return self._items(")", 1)

    def _object(self, depth: int) -> dict[str, Any]:
        self.position += 1
        found: dict[str, Any] = {}
        while (first := self._next()) != "}":
            if first == ",":
                self.position += 1
                continue
            key = self._key(first)
            self._expect(":")
            found[key] = self.value(depth)
            if self._next() not in (",", "}"):
                raise self._error()
        self.position += 1
        return found

    def _key(self, first: str) -> str:
        if first in ('"', "'"):
            return self._string()
        match = _NAME.match(self._text, self.position) or _NUMBER.match(self._text, self.position)
        if match is None:
            raise self._error()
        self.position = match.end()
        return match[0]

    def _array(self, depth: int) -> list[Any]:
        self.position += 1
        return self._items("]", depth)

    def _items(self, end: str, depth: int) -> list[Any]:
        found: list[Any] = []
        while (first := self._next()) != end:
            if first == ",":
                self.position += 1
                continue
            found.append(self.value(depth))
            if self._next() not in (",", end):
                raise self._error()
        self.position += 1
        return found

    def _string(self) -> str:
        match = _STRING.match(self._text, self.position)
        if match is None:
            raise self._error()
        self.position = match.end()
        inner = match[0][1:-1]
        if "\\" not in inner:
            return inner
        return _ESCAPE.sub(_unescaped, inner).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _number(self) -> float:
        match = _NUMBER.match(self._text, self.position)
        if match is None or len(match[0]) > 50:
            raise self._error()
        self.position = match.end()
        found = match[0]
        if "x" in found:
            return int(found, 16)
        return float(found) if any(mark in found for mark in ".eE") else int(found)

    def _word(self, depth: int) -> Any:
        """A constant, a parameter, a date, or JSON in a string; other words stand for nothing."""
        for call in (_DATE, _PARSE):
            if match := call.match(self._text, self.position):
                self.position = match.end()
                value = next(iter(self._items(")", depth + 1)), None)
                return orjson.loads(value) if call is _PARSE and isinstance(value, str) else value
        match = _NAME.match(self._text, self.position)
        if match is None:
            raise self._error()
        self.position = match.end()
        if match[0] == "void":
            self.value(depth + 1)
            return None
        return _CONSTANTS.get(match[0], self._names.get(match[0]))

    def _next(self) -> str:
        match = _BLANK.match(self._text, self.position)
        if match is not None:
            self.position = match.end()
        return self._text[self.position : self.position + 1]

    def _expect(self, what: str) -> None:
        if self._next() != what:
            raise self._error()
        self.position += 1

    def _error(self) -> ValueError:
        return ValueError(f"no literal: {self._text[self.position : self.position + 20]!r}")


def _unescaped(match: re.Match[str]) -> str:
    found = match[1]
    if found[0] in "ux" and len(found) > 1:
        number = int(found[1:].strip("{}"), 16)
        return chr(number) if number <= 0x10FFFF else "\ufffd"
    return _SHORT.get(found, found)
