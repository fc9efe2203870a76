"""Every format in which a crawl's data can be exported: the one list, from which all others derive theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sundog.errors import UsageError, nearest_or_all
from sundog.plugins import Plugins
from sundog.results.formats import OF_ENTITIES
from sundog.results.formats.jsonl import JSONL
from sundog.results.merge import as_one
from sundog.results.moments import find_step
from sundog.results.result_document import RESULT
from sundog.store.directory import OWN_FILES
from sundog.store.formats import STORED
from sundog.store.formats.answers import ANSWERS
from sundog.store.formats.format import EVERYTHING, Format, Selection, write_export
from sundog.store.formats.items import ITEMS
from sundog.store.formats.warc import WARC

FORMATS: dict[str, Format] = {each.name: each for each in (*STORED[:1], *OF_ENTITIES, *STORED[1:], RESULT)}


def _plugged(name: str, given: Any) -> Format:
    if not isinstance(given, Format):
        raise ValueError(f"a Format of sundog.store.formats.format is expected, not {given!r:.80}")
    if given.name != name:
        raise ValueError(f"its format is called '{given.name}'")
    taken = {*OWN_FILES, *_files_of(FORMATS.values())}
    if others := [file for file in given.files if file in taken or Path(file).name != file]:
        raise ValueError(f"a crawl's directory has other uses for the file '{others[0]}'")
    return given


PLUGINS: Plugins[Format] = Plugins("sundog.exports", _plugged, lambda: FORMATS)


def all_formats() -> dict[str, Format]:
    """Those of Sundog, then those of installed packages."""
    return {**FORMATS, **PLUGINS.all()}


def files_of_exports() -> frozenset[str]:
    """What exports may leave in a crawl's directory."""
    return _files_of(all_formats().values())


def _files_of(formats: Iterable[Format]) -> frozenset[str]:
    return frozenset(file for each in formats for file in each.files)


def _replaceable(chosen: Format) -> frozenset[str]:
    return frozenset(part for each in (*FORMATS.values(), chosen) for part in each.parts)


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
    directory, chosen = Path(directory), find_format(name)
    if as_of is not None and chosen is WARC:
        raise UsageError("a WARC file has all pages that ever came: leave out --as-of")
    place = as_one(directory)
    return write_export(
        chosen,
        place,
        None if out is None else Path(out),
        selection=selection,
        with_provenance=with_provenance,
        replaceable=_replaceable(chosen),
        home=directory,
        as_of=None if as_of is None else find_step(place, as_of),
    )


def find_format(name: str) -> Format:
    if name in FORMATS:
        return FORMATS[name]
    if name in PLUGINS:
        return PLUGINS.load(name)
    raise UsageError(f"unknown format '{name}'{nearest_or_all(name, [*FORMATS, *PLUGINS.names()])}")


def best_format(summary: Mapping[str, Any]) -> Format:
    """The format that suits most users of a crawl with this summary."""
    if "requests" in summary:  # of an API or a form
        return ANSWERS
    return ITEMS if "patterns" in summary else JSONL
