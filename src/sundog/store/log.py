"""Events as rows of the table ``log``, and rows as events again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import orjson

from sundog.model import LinkBatch
from sundog.store.events import Decided, Event, GivenBack, Observed, Rested, Seeded

Row = tuple[str, int | None, float | None, float | None, str | bytes | None]  # event, subject, at, value, data
IDS = np.dtype("<i4")


def packed_ids(ids: Any) -> bytes:
    return np.ascontiguousarray(ids, IDS).tobytes()


def unpacked_ids(blob: bytes) -> Any:
    """A copy, for buffers of bytes are read-only and kernels are compiled for arrays that are not."""
    return np.frombuffer(blob, IDS).astype(np.int32)


def packed_links(links: LinkBatch) -> bytes:
    """Targets, anchors, tag paths, in this order; -1 for each text that is unknown.

    >>> ids = np.array([7, 8], np.int32)
    >>> unpacked_links(packed_links(LinkBatch(ids, ids[:0], ids))).anchors.tolist()
    [-1, -1]
    """
    count = len(links.targets)
    unknown = np.full(count, -1, IDS)
    return b"".join([packed_ids(ids if len(ids) == count else unknown) for ids in links])


def unpacked_links(blob: bytes) -> LinkBatch:
    ids = unpacked_ids(blob)
    count = len(ids) // 3
    return LinkBatch(ids[:count], ids[count : 2 * count], ids[2 * count :])


def row_of(event: Event, decided: int = 0) -> Row:
    """``decided``: the step of the decision that a ``GivenBack`` undoes."""
    match event:
        case Observed():
            if event.kind == "fetched":
                return ("fetched", event.candidate, event.now, event.reward, packed_links(event.links))
            return (event.kind, event.candidate, event.now, None, event.reason.encode("utf-8", "replace").decode())
        case Decided():
            parts = orjson.dumps(event[3:]).decode()
            return ("decided", event.candidate, event.now, event.score, parts)
        case Rested():
            return ("rested", event.host, event.until, None, None)
        case GivenBack():
            return ("given back", event.candidate, None, decided, None)
        case Seeded():
            return ("seeded", None, None, None, packed_ids(event.candidates))


def _number(value: float | None) -> float:
    return np.nan if value is None else value  # neither SQLite nor JSON has a NaN


def _decided(subject: int, at: float, value: Any, data: str) -> Decided:
    parts = orjson.loads(data)
    if None in parts or value is None:
        value, parts = _number(value), map(_number, parts)
    return Decided(subject, at, value, *parts)


READ: dict[str, Callable[[Any, Any, Any, Any], Event]] = {
    "seeded": lambda subject, at, value, data: Seeded(unpacked_ids(data)),
    "decided": _decided,
    "fetched": lambda subject, at, value, data: Observed(
        subject, at, "fetched", value, "", unpacked_links(data), None
    ),
    "failed": lambda subject, at, value, data: Observed(subject, at, "failed", reason=data),
    "refused": lambda subject, at, value, data: Observed(subject, at, "refused", reason=data),
    "rested": lambda subject, at, value, data: Rested(subject, at),
    "given back": lambda subject, at, value, data: GivenBack(subject),
}


def events_of(rows: Iterable[Sequence[Any]]) -> Iterator[Event]:
    for event, subject, at, value, data in rows:
        yield READ[event](subject, at, value, data)
