"""Worlds as Parquet: ``pages.parquet`` and ``links.parquet``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from sundog.arrow import pa, pc, pq
from sundog.errors import SundogError
from sundog.syntaxes import STORED
from sundog.worlds.scored import as_edges, check_link_scores, is_scored
from sundog.worlds.static import (
    NO_SCORES,
    NO_STRINGS,
    NO_TEXTS,
    ContentTypes,
    Links,
    Pages,
    RowsOfIds,
    StaticWorld,
    Strings,
    first_bad_score,
    rows_in_page_order,
)

PAGES, LINKS = "pages.parquet", "links.parquet"
ENDS, TEXTS = ("src", "dst"), ("anchor", "tag_path", "property")
LINKS_AT_A_TIME = 1 << 20


def load_parquet(directory: Path) -> StaticWorld:
    pages = _load_pages(directory / PAGES)
    links = _load_links(directory / LINKS, pages.ids)
    pa.default_memory_pool().release_unused()
    return StaticWorld(directory.name, pages, as_edges(links) if is_scored(pages, links) else links)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What may go wrong with a file, in one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise SundogError(f"{path} is missing; a Parquet world has {PAGES} and {LINKS}") from None
    except (pa.ArrowException, OSError) as error:
        raise SundogError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def _check_columns(path: Path, required: tuple[str, ...]) -> list[str]:
    """The names of all columns."""
    with _reading(path):
        names: list[str] = pq.read_schema(path).names
    missing = [name for name in required if name not in names]
    if missing:
        raise SundogError(f"{path} has no column '{missing[0]}'; it has {', '.join(names)}")
    return names


def _read(path: Path, names: list[str]) -> Any:
    with _reading(path):
        return pq.read_table(path, columns=names).combine_chunks()


def _column(table: Any, name: str) -> Any:
    """A column as one array; an empty table has none to combine."""
    column = table[name]
    return column.chunk(0) if column.num_chunks else pa.array([], column.type)


def _numbers(table: Any, name: str, kind: Any, path: Path) -> Any:
    return _as_numbers(_column(table, name), name, kind, path)


def _as_numbers(column: Any, name: str, kind: Any, path: Path) -> Any:
    try:
        if column.null_count:
            column = column.fill_null(0)
        return np.asarray(column.cast(pa.from_numpy_dtype(kind)))
    except pa.ArrowException as error:
        raise SundogError(f"{path}: column '{name}' is not numeric: {error}") from None


def _text(table: Any, name: str, path: Path) -> Any:
    column = _column(table, name)
    if not _is_text(column.type):
        raise SundogError(f"{path}: column '{name}' is not text but {column.type}")
    return column


def _is_text(kind: Any) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind))


def _lists(table: Any, name: str, path: Path) -> Any:
    column = _column(table, name)
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    if not is_list or not _is_text(column.type.value_type):
        raise SundogError(f"{path}: column '{name}' is not a list of strings but {column.type}")
    return column


def _load_pages(path: Path) -> Pages:
    names = _check_columns(path, ("id", "url"))
    kept = ("id", "url", *STORED, "score", "types", "content_type", "status")
    table = _read(path, [name for name in kept if name in names])
    columns = {name: _numbers(table, name, np.int32, path) for name in STORED if name in table.column_names}
    if "score" in table.column_names:
        columns["score"] = _numbers(table, "score", np.float64, path)
    types = _lists(table, "types", path) if "types" in table.column_names else None
    ids, urls = _numbers(table, "id", np.int64, path), strings_of(_text(table, "url", path))
    return Pages(ids, urls, columns, types, _content_types(table, path))


def _content_types(table: Any, path: Path) -> ContentTypes | None:
    """None if there is no such column; a page whose status is an error has no type."""
    if "content_type" not in table.column_names:
        return None
    codes, names = _as_ids(table, "content_type", path, 0)
    if "status" in table.column_names:
        codes[_numbers(table, "status", np.int32, path) >= 400] = -1
    return ContentTypes(codes, tuple(names.to_pylist()))


def strings_of(array: Any) -> Strings:
    """The array's own buffers, without a copy where the offsets allow it."""
    array = array.cast(pa.large_string())
    if array.null_count:
        array = array.fill_null("")
    if not len(array):
        return Strings(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    return Strings(np.frombuffer(data or b"", np.uint8), ends)


def _load_links(path: Path, ids: Any) -> Links:
    names = _check_columns(path, ("src", "dst"))
    table = _read(path, [name for name in (*TEXTS, "score") if name in names])
    anchors, paths, texts = _link_texts(table, path)
    scores = _numbers(table, "score", np.float64, path) if "score" in names else NO_SCORES
    if first_bad_score(scores) >= 0:
        sources, targets = (_numbers(_read(path, [end]), end, np.int64, path) for end in ENDS)
        check_link_scores(scores, sources, targets, str(path))
    rows = RowsOfIds(ids)
    source_rows, target_rows = (_ends(path, end, rows) for end in ENDS)
    return rows_in_page_order(source_rows, target_rows, len(ids), anchors, paths, texts, scores)


def _ends(path: Path, name: str, rows: RowsOfIds) -> Any:
    """The rows of one end of each link, read bit by bit: there may be far more links than pages."""
    with _reading(path):
        file = pq.ParquetFile(path)
        found, at = np.empty(file.metadata.num_rows, np.int32), 0
        for batch in file.iter_batches(LINKS_AT_A_TIME, columns=[name]):
            found[at : at + len(batch)] = rows(_as_numbers(batch.column(0), name, np.int64, path))
            at += len(batch)
    return found


def _link_texts(table: Any, path: Path) -> tuple[Any, Any, Strings]:
    """Anchors, and tag paths or else properties, as ids into one list of texts."""
    if not any(name in table.column_names for name in TEXTS):
        return NO_TEXTS, NO_TEXTS, NO_STRINGS
    codes, words = {}, [pa.array([], pa.large_string())]
    for name in TEXTS:
        codes[name], dictionary = _as_ids(table, name, path, sum(map(len, words)))
        words.append(dictionary)
    texts = pa.concat_arrays(words)
    if not len(texts):
        return NO_TEXTS, NO_TEXTS, strings_of(texts)
    paths = np.where(codes["tag_path"] >= 0, codes["tag_path"], codes["property"])
    return codes["anchor"], paths, strings_of(texts)


def _as_ids(table: Any, name: str, path: Path, base: int) -> tuple[Any, Any]:
    """A column of texts as ids from ``base`` on, -1 for none, and its distinct texts."""
    if name not in table.column_names:
        return np.full(table.num_rows, -1, np.int32), pa.array([], pa.large_string())
    column = _text(table, name, path)
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    ids = np.asarray(column.indices.fill_null(-1)).astype(np.int32)
    ids[ids >= 0] += base
    return ids, column.dictionary.cast(pa.large_string())
