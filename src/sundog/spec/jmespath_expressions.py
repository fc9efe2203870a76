"""JMESPath expressions of a spec: compiled once, with errors that name their place."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jmespath
from jmespath.exceptions import ParseError
from jmespath.functions import Functions

from sundog.errors import UsageError, nearest

LONGEST_EXPRESSION = 10_000  # characters


def check_expression(text: str, place: str) -> None:
    """
    >>> check_expression("friends[.id", "api.links")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: api.links = "friends[.id": no JMESPath expression, see character 9: '.id'
    """
    if len(text) > LONGEST_EXPRESSION:
        raise UsageError(f"{place} has more than {LONGEST_EXPRESSION:,} characters")
    try:
        _check_functions(compiled_expression(text), text, place)
    except ParseError as error:
        at = int(error.lex_position)
        where = f"see character {at + 1}: '{text[at : at + 20]}'" if at < len(text) else "something is missing"
        raise UsageError(f'{place} = "{text}": no JMESPath expression, {where}') from None
    except RecursionError:
        raise UsageError(f"{place} is nested too deeply") from None


def _check_functions(expression: Any, text: str, place: str) -> None:
    """A misspelt one would fail only at the first answer."""
    left = [expression.parsed] if expression else []
    while left:
        node = left.pop()
        if node["type"] == "function_expression" and node["value"] not in Functions.FUNCTION_TABLE:
            hint = nearest(node["value"], Functions.FUNCTION_TABLE)
            raise UsageError(f"{place} = \"{text}\": JMESPath has no function '{node['value']}'{hint}")
        left += [child for child in node["children"] if isinstance(child, dict)]


@lru_cache(256)
def compiled_expression(text: str) -> Any:
    """None for an empty expression."""
    return jmespath.compile(text) if text.strip() else None
