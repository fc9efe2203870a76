"""The exceptions that the command line turns into one sentence, and sentences that many of them have."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable


class SundogError(Exception):
    """Something the user can mend; the message names the thing and the fix."""


class UsageError(SundogError):
    """The request itself is wrong: an unknown name, a value out of range. Exit code 2."""


class NoSpaceError(SundogError):
    """Nothing more can be written for now: the disk or a quota is full. The same may succeed later."""


NO_SPACE = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
)  # the last one: the file system or the user has no more for a file


def unreadable(what: object, error: Exception) -> SundogError:
    """For a file, or whatever else was to be read.

    >>> unreadable("spec.toml", FileNotFoundError(2, "No such file or directory"))
    SundogError('spec.toml cannot be read: No such file or directory')
    """
    return SundogError(f"{what} cannot be read: {cause_of(error)}")


def unwritable(what: object, error: Exception) -> SundogError:
    """
    >>> unwritable("export.nq", OSError(28, "No space left on device"))
    NoSpaceError('export.nq cannot be written: No space left on device')
    """
    kind = NoSpaceError if getattr(error, "errno", None) in NO_SPACE else SundogError
    return kind(f"{what} cannot be written: {cause_of(error)}")


def cause_of(error: BaseException) -> str:
    """What the operating system says, without its number and the path; other errors in their own words."""
    return getattr(error, "strerror", None) or str(error)


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
