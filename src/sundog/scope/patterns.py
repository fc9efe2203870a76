"""Regular expressions whose time is linear in the URL's length, whatever pattern and URL are."""

from __future__ import annotations

from collections.abc import Sequence

import re2

from sundog.errors import UsageError


class Patterns:
    """Several patterns, searched together.

    >>> Patterns(["(a+)+$", r"/item/\\d+"]).found_in("https://shop.example/item/7")
    True
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        options = re2.Options()
        options.log_errors = False
        self._set = re2.Set.SearchSet(options)
        for pattern in patterns:
            try:
                re2.compile(pattern, options)  # the set would not say what is wrong
                self._set.Add(pattern)
            except re2.error as error:
                raise UsageError(f"the pattern '{pattern}' cannot be used: {_said(error)}") from error
        self._set.Compile()

    def found_in(self, url: str) -> bool:
        return bool(self._set.Match(url))


def _said(error: Exception) -> str:
    """re2 gives its messages as bytes."""
    said = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
