"""Every format in which a crawl's data can be exported: the one list, from which all others derive theirs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sundog.errors import UsageError, nearest_or_all
from sundog.results.formats import OF_ENTITIES
from sundog.results.formats.jsonl import JSONL
from sundog.results.merge import as_one
from sundog.results.moments import find_step
from sundog.results.result_document import RESULT
from sundog.store.formats import STORED
from sundog.store.formats.answers import ANSWERS
from sundog.store.formats.format import EVERYTHING, Format, Selection, write_export
from sundog.store.formats.items import ITEMS
from sundog.store.formats.warc import WARC

FORMATS: dict[str, Format] = {each.name: each for each in (*STORED[:1], *OF_ENTITIES, *STORED[1:], RESULT)}
MADE = frozenset(file for each in FORMATS.values() for file in each.files)  # what exports leave in a directory
REPLACEABLE = frozenset(part for each in FORMATS.values() for part in each.parts)


def export(
    directory: Path | str,
    name: str,
    out: Path | str | None = None,
    *,
    selection: Selection = EVERYTHING,
    with_provenance: bool = False,
    as_of: str | None = None,
) -> Path:
    """Write what a crawl found, finished or running, in a format of ``sundog export``; returns where.

    ``out`` may be ``-``, for standard output. ``selection``: which entities. ``with_provenance``: N-Quads have
    another graph, which says where the others come from. ``as_of``: a round, a date or how long ago; now, if it is
    None.
    """
    directory, format = Path(directory), find_format(name)
    if as_of is not None and format is WARC:
        raise UsageError("a WARC file has all pages that ever came: leave out --as-of")
    place = as_one(directory)
    return write_export(
        format,
        place,
        None if out is None else Path(out),
        selection=selection,
        with_provenance=with_provenance,
        replaceable=REPLACEABLE,
        home=directory,
        as_of=None if as_of is None else find_step(place, as_of),
    )


def find_format(name: str) -> Format:
    if name not in FORMATS:
        raise UsageError(f"unknown format '{name}'{nearest_or_all(name, FORMATS)}")
    return FORMATS[name]


def best_format(summary: Mapping[str, Any]) -> Format:
    """The format that suits most users of a crawl with this summary."""
    if "requests" in summary:  # of an API or a form
        return ANSWERS
    return ITEMS if "patterns" in summary else JSONL
