"""The entities that an export is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sundog.entities.database import open_entities
from sundog.entities.raw import raw_entities
from sundog.entities.reading import Selected, TableReader
from sundog.store.formats.format import Selection
from sundog.store.reader import CrawlReader


@contextmanager
def selected_entities(reader: CrawlReader, selection: Selection) -> Iterator[Selected]:
    """Up to date, merged or not."""
    with open_entities(reader.directory, progress=selection.progress) as (database, _):
        if not selection.raw:
            yield Selected(database)
            return
        with raw_entities(database) as raw:
            yield Selected(raw)


def selected_table(selected: Selected, selection: Selection) -> TableReader:
    """The rows of its type."""
    return selected.table(
        selection.type,
        selection.where,
        search=selection.search,
        sort=selection.sort,
        descending=selection.descending,
    )
