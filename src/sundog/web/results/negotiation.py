"""Which of the formats that we have a client likes best, by its header Accept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sundog.rdf.answer_formats import AnswerFormat

ALSO = {"application/json": "application/sparql-results+json", "application/xml": "application/sparql-results+xml"}
_QUALITY = re.compile(r"[01](?:\.\d{0,3})?")


def preferred(accept: str, offered: Sequence[AnswerFormat]) -> AnswerFormat | None:
    """The first of the best; none if the client takes none of them.

    >>> from sundog.rdf.answer_formats import GRAPHS, TABLES
    >>> for accept in ("", "text/csv;q=0.5, application/json", "text/*", "*/*;q=0.1, text/csv", "image/png"):
    ...     print(getattr(preferred(accept, TABLES), "name", None))
    json
    json
    csv
    csv
    None
    >>> preferred("text/html, text/turtle;q=0, */*;q=0.2", GRAPHS).name
    'ntriples'
    """
    wanted = _wanted(accept) or {"*/*": 1.0}
    qualities = [_quality(each.media_type, wanted) for each in offered]
    best = max(qualities)
    return offered[qualities.index(best)] if best > 0 else None


def _wanted(accept: str) -> dict[str, float]:
    """By range of media types; for the same one twice, the larger quality."""
    wanted: dict[str, float] = {}
    for part in accept.split(","):
        media_range, *parameters = (word.strip().lower() for word in part.split(";"))
        if not media_range:
            continue
        given = next((each[2:].strip() for each in parameters if each.startswith("q=")), "1")
        quality = float(given) if _QUALITY.fullmatch(given) else 1.0
        name = ALSO.get(media_range, media_range)
        wanted[name] = max(quality, wanted.get(name, 0.0))
    return wanted


def _quality(media_type: str, wanted: dict[str, float]) -> float:
    """What is named exactly counts more than what a range has."""
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
    return next((wanted[each] for each in ranges if each in wanted), 0.0)
