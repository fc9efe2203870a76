"""The last round of a crawl in shards, in ``DIR/round.json``.

All shards make it, so none of their logs can say that it is over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import orjson

from sundog.errors import SundogError, unreadable
from sundog.files import write_whole
from sundog.store.directory import ROUND


class WholeRound(NamedTuple):
    """``share`` of its fetches that are visits of known pages; None: as it is worth. ``wanted``: the objective and
    the scope as it began."""

    number: int
    budget: int
    began: float
    share: float | None = None
    wanted: dict[str, Any] = {}  # noqa: RUF012 (nobody changes it)
    has_ended: bool = False


def read_round(directory: Path) -> WholeRound | None:
    """None: there was only the first crawl."""
    path = directory / ROUND
    try:
        return WholeRound(**orjson.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from None
    except (ValueError, TypeError):
        raise SundogError(f"{path} does not say which round was made: it was changed or is damaged") from None


def unfinished_whole_round(directory: Path) -> WholeRound | None:
    found = read_round(directory)
    return None if found is None or found.has_ended else found


def write_round(directory: Path, found: WholeRound) -> None:
    write_whole(directory / ROUND, orjson.dumps(found._asdict(), option=orjson.OPT_INDENT_2))
