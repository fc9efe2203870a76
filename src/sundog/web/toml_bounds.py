"""TOML from a browser, before it is parsed. The parser takes the square of a dotted key's length in time."""

from __future__ import annotations

import re

from sundog.errors import UsageError

MOST_PARTS = 30  # of a key; a spec has four
PART = r"""(?:[\w-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')"""
DEEP_KEY = re.compile(rf"(?<![\w-]){PART}(?:[ \t]*+\.[ \t]*+{PART}){{{MOST_PARTS}}}")


def check_keys(text: str) -> None:
    """Texts with as many dots in one word are refused too: they are no loss.

    >>> check_keys('seeds = ["https://www.shop.example/a.b.c"]')
    >>> check_keys("a" + ".a" * 100_000 + " = 1")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: line 1, column 1: a key of more than 30 parts
    """
    found = DEEP_KEY.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise UsageError(f"line {line}, column {column}: a key of more than {MOST_PARTS} parts")
