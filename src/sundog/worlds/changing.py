"""A world that changes: its pages, when each changed, and when its sitemap said so.

``pages.parquet`` also has ``template``, ``entities`` and ``rate``; ``changes.parquet`` and ``hints.parquet`` have
a row (page, at) for each change and each claim of one, ``at`` in days from the first crawl on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import njit
from sundog.arrow import pa, pq
from sundog.errors import SundogError
from sundog.worlds.load import load_world

CHANGES, HINTS = "changes.parquet", "hints.parquet"


class Times(NamedTuple):
    """Times of pages: those of page p are ``at[first[p]:first[p + 1]]``, in their order."""

    first: Any
    at: Any

    def after(self, pages: Any, when: float) -> Any:
        """The first time of each page after that moment; infinite if there is none."""
        found = np.empty(len(pages))
        _first_after(self.first, self.at, np.asarray(pages, np.int64), when, found)
        return found


class ChangingWorld(NamedTuple):
    name: str
    host: Any
    template: Any
    entities: Any
    rate: Any  # true changes per day
    changes: Times
    hints: Times
    days: float  # as long as changes are known

    @property
    def size(self) -> int:
        return len(self.host)


def load_changing(path: str | Path) -> ChangingWorld:
    """Raises SundogError: it is no world that changes, or a file is broken."""
    path = Path(path)
    if not (path / CHANGES).exists():
        raise SundogError(
            f"world '{path}' does not change: it has no {CHANGES}; "
            f"make one with  sundog synth {path} --profile changing"
        )
    world = load_world(path)
    facts = _columns(path / "pages.parquet", {"template": np.int32, "entities": np.float64, "rate": np.float64})
    for name, values in facts.items():
        if not np.all((values >= 0) & (values < 2**31)):
            raise SundogError(f"{path / 'pages.parquet'}: column '{name}' has a value below 0, or none at all")
    changes = _times(path / CHANGES, world.pages.ids)
    hints = _times(path / HINTS, world.pages.ids) if (path / HINTS).exists() else _empty(world.size)
    days = float(np.ceil(changes.at.max(initial=0.0)))
    return ChangingWorld(path.name, np.asarray(world.facts.host), **facts, changes=changes, hints=hints, days=days)


def _columns(path: Path, kinds: dict[str, Any]) -> dict[str, Any]:
    try:
        table = pq.read_table(path)
        missing = [name for name in kinds if name not in table.column_names]
        if missing:
            raise SundogError(f"{path} has no column '{missing[0]}'; it has {', '.join(table.column_names)}")
        return {name: table[name].to_numpy().astype(kind) for name, kind in kinds.items()}
    except (pa.ArrowException, OSError, ValueError, TypeError) as error:
        raise SundogError(f"{path} cannot be read: {str(error).splitlines()[0]}") from None


def _times(path: Path, ids: Any) -> Times:
    columns = _columns(path, {"page": np.int64, "at": np.float64})
    order = np.argsort(ids, kind="stable")
    places = np.minimum(np.searchsorted(ids[order], columns["page"]), len(ids) - 1)
    if not np.array_equal(ids[order][places], columns["page"]):
        raise SundogError(f"{path} names a page that is not in pages.parquet")
    if not np.all((columns["at"] >= 0.0) & (columns["at"] < np.inf)):
        raise SundogError(f"{path}: a time is a number of days from 0 on")
    return times_of(order[places], columns["at"], len(ids))


def times_of(pages: Any, at: Any, size: int) -> Times:
    order = np.lexsort((at, pages))
    return Times(np.searchsorted(pages[order], np.arange(size + 1)), at[order])


def _empty(size: int) -> Times:
    return Times(np.zeros(size + 1, np.int64), np.zeros(0))


@njit
def _first_after(first: Any, at: Any, pages: Any, when: float, found: Any) -> None:
    for i in range(len(pages)):
        low, high = first[pages[i]], first[pages[i] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if at[middle] > when:
                high = middle
            else:
                low = middle + 1
        found[i] = at[low] if low < end else np.inf
