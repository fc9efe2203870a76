"""The entities that an export is about."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sundog.entities.database import EntityDatabase, connect, open_entities
from sundog.entities.raw import raw_entities
from sundog.entities.reading import Selected, TableReader
from sundog.store.directory import ENTITIES
from sundog.store.formats.format import Selection
from sundog.store.reader import CrawlReader


@contextmanager
def selected_entities(reader: CrawlReader, selection: Selection) -> Iterator[Selected]:
    """Up to date, merged or not."""
    with _entities(reader, selection) as database:
        if not selection.raw:
            yield Selected(database)
            return
        with raw_entities(database) as raw:
            yield Selected(raw)


@contextmanager
def _entities(reader: CrawlReader, selection: Selection) -> Iterator[EntityDatabase]:
    """Those of an earlier state are made for the time being."""
    if reader.as_of is None:
        with open_entities(reader.directory, progress=selection.progress) as (database, _):
            yield database
        return
    with tempfile.TemporaryDirectory() as folder, closing(connect(Path(folder) / ENTITIES)) as connection:
        database = EntityDatabase(connection)
        database.update(reader, progress=selection.progress)
        yield database


def selected_table(selected: Selected, selection: Selection) -> TableReader:
    """The rows of its type."""
    return selected.table(
        selection.type,
        selection.where,
        search=selection.search,
        sort=selection.sort,
        descending=selection.descending,
    )
