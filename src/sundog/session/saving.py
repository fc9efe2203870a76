"""A session to a file and back: one line with the version, then the session as Python pickles it."""

from __future__ import annotations

import pickle
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from sundog.errors import SundogError, unreadable
from sundog.files import complete_or_absent

Session = TypeVar("Session")
FILE_BEGIN = b"sundog session "  # then the version, for another one may keep other things


def write_session(session: Any, path: Path) -> None:
    with complete_or_absent(path) as temporary, temporary.open("wb") as file:
        file.write(_first_line())
        pickle.dump(session, file, protocol=5)


def read_session(path: Path | str, expected: type[Session]) -> Session:
    try:
        with open(path, "rb") as file:
            first = file.readline(100)
            if first != _first_line():
                raise SundogError(_not_ours(path, first))
            session = pickle.load(file)
    except OSError as error:
        raise unreadable(path, error) from None
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, ValueError, TypeError) as error:
        raise SundogError(f"{path} cannot be loaded as a session: {error}") from error
    if not isinstance(session, expected):
        raise SundogError(f"{path} cannot be loaded as a session: it holds something else")
    return session


@cache
def _first_line() -> bytes:
    return FILE_BEGIN + version("sundog").encode() + b"\n"


def _not_ours(path: Path | str, first: bytes) -> str:
    if not first.startswith(FILE_BEGIN):
        return f"{path} is no saved session"
    saved, own = (
        line.removeprefix(FILE_BEGIN).strip().decode("ascii", "replace") for line in (first, _first_line())
    )
    return f"{path} was saved by Sundog {saved}, and this is {own}: load it with that one, or replay its outcomes"
