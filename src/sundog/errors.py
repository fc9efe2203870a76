"""The one exception that the command line turns into one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SundogError(Exception):
    """Something the user can mend; the message names the thing and the fix."""


class UsageError(SundogError):
    """The request itself is wrong: an unknown name, a value out of range. Exit code 2."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, or nothing.

    >>> nearest("sucess-rate", ["success-rate", "bfs"])
    "; did you mean 'success-rate'?"
    """
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def nearest_or_all(name: str, known: Iterable[str]) -> str:
    """A hint for a name that is not known: the nearest one, or what there is.

    >>> nearest_or_all("xml", ["table", "json", "csv"])
    '; there are table, json, csv'
    """
    names = list(known)
    return nearest(name, names) or f"; there are {', '.join(names)}"
