"""Edge lists of URLs as files: links as ``*.csv`` or ``*.tsv``, perhaps with ``.gz``, and pages."""

from __future__ import annotations

import csv
import gzip
import zlib
from pathlib import Path

from sundog.errors import SundogError, UsageError
from sundog.worlds.own_graphs import Columns, world_of_columns
from sundog.worlds.static import StaticWorld

ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")


def table_of_links(path: Path) -> Path | None:
    """The table that ``path`` is, or the ``links.csv`` that it holds."""
    if path.is_file():
        return path if path.name.endswith(ENDINGS) else None
    return _named(path, "links")


def _named(directory: Path, name: str) -> Path | None:
    paths = (directory / f"{name}{ending}" for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def load_tables(links: Path) -> StaticWorld:
    """``pages.csv`` is looked for beside ``links.csv`` only: other tables may be anybody's."""
    name = links.name.split(".")[0]
    pages = _named(links.parent, "pages") if name == "links" else None
    try:
        nodes = _columns(pages) if pages else {}
        return world_of_columns(_columns(links), nodes, links.parent.name if name == "links" else name)
    except UsageError as error:
        raise SundogError(f"{links}: {error} (the first row after the header is row 0)") from None


def _columns(path: Path) -> Columns:
    delimiter = "\t" if ".tsv" in path.suffixes else ","
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter=delimiter, strict=True)
            header = next(rows, [])
            columns: dict[str, list[str]] = {name.strip(): [] for name in header}
            if len(columns) < len(header):
                raise SundogError(f"{path}: two columns have the same name: {', '.join(header)}")
            for row in rows:
                if not row:
                    continue
                if len(row) != len(header):
                    raise SundogError(
                        f"{path}, line {rows.line_num}: {len(row)} values, but the header names {len(header)}"
                    )
                for values, value in zip(columns.values(), row, strict=True):
                    values.append(value)
    except (OSError, EOFError, zlib.error, UnicodeError, csv.Error) as error:
        raise SundogError(f"{path} cannot be read: {error}") from None
    return {name: values for name, values in columns.items()}
