"""A finished synthetic web in file order, and the two Parquet files that it is written to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sundog._jit import njit
from sundog.arrow import pa, pq
from sundog.files import complete_together
from sundog.short_repr import ShortRepr
from sundog.worlds.changing import CHANGES, HINTS
from sundog.worlds.parquet import LINKS, PAGES
from sundog.worlds.synthetic.software import MARKUP_SYNTAXES

PAGE_ROWS = 500_000
LINK_PAGES = 250_000


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of few different strings: row i is `names[codes[i]]`."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a web that changes has besides: facts of pages, and times in days by page and time."""

    template: NDArray[np.int32]
    entities: NDArray[np.int32]
    rate: NDArray[np.float64]
    change_page: NDArray[np.int64]
    change_at: NDArray[np.float64]
    hint_page: NDArray[np.int64]
    hint_at: NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class SyntheticWeb(ShortRepr):
    """Pages 0 .. n-1 in file order.

    Page 0 is the root, from which every page can be reached; the order of the others is random,
    so that an id tells nothing. Page p's URL is `url_bytes[url_offsets[p]:url_offsets[p + 1]]`,
    its links in the order of the page are `link_targets[link_offsets[p]:link_offsets[p + 1]]`. A graph has scores
    of pages and of links; not all of its pages need be reached from page 0. A Web of Data has Content-Types,
    statuses and the RDF properties of links.
    """

    url_bytes: NDArray[np.uint8]
    url_offsets: NDArray[np.int64]
    counts: dict[str, NDArray[np.int32]]
    link_offsets: NDArray[np.int64]
    link_targets: NDArray[np.int32]
    host_of: NDArray[np.int32]
    scores: NDArray[np.float64] | None = None
    link_scores: NDArray[np.float64] | None = None
    content_types: Labels | None = None
    statuses: NDArray[np.int32] | None = None
    link_properties: Labels | None = None
    changes: Changes | None = None

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self.host_of)

    def _shown(self) -> dict[str, Any]:
        return {"pages": self.pages, "hosts": len(np.unique(self.host_of)), "links": len(self.link_targets)}

    def url(self, page: int) -> str:
        """One URL as a string."""
        return bytes(self.url_bytes[self.url_offsets[page] : self.url_offsets[page + 1]]).decode("ascii")

    def relevant(self) -> NDArray[np.bool_]:
        """Which pages have at least one statement of the objective `any`."""
        return np.asarray(sum(self.counts[name] for name in MARKUP_SYNTAXES) > 0)


def offsets_of(lengths: ArrayLike) -> NDArray[np.int64]:
    """Where rows of these lengths begin, and at last where they end."""
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)


def gather(
    values: NDArray[np.uint8], offsets: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Variable-length rows in a new order."""
    lengths = np.diff(offsets)[order]
    moved = offsets_of(lengths)
    out = np.empty_like(values)
    _copy_rows(values, offsets, order, moved, out)
    return out, moved


@njit
def _copy_rows(
    values: NDArray[np.uint8], offsets: NDArray[np.int64], order: NDArray[np.int64],
    moved: NDArray[np.int64], out: NDArray[np.uint8],
) -> None:  # fmt: skip
    for row in range(len(order)):
        at = offsets[order[row]]
        for position in range(moved[row], moved[row + 1]):
            out[position] = values[at + position - moved[row]]


def write(web: SyntheticWeb, directory: Path, *, progress: Callable[[str], None] | None = None) -> None:
    """Write pages.parquet and links.parquet, and the changes if there are any; all appear whole or not at all.

    The directory is made if need be. SundogError if they cannot be written.
    """
    parts = {PAGES: _page_tables(web), LINKS: _link_tables(web)}
    if (changes := web.changes) is not None:
        parts[CHANGES] = _time_table(changes.change_page, changes.change_at)
        parts[HINTS] = _time_table(changes.hint_page, changes.hint_at)
    with complete_together(*[directory / name for name in parts]) as temporary:
        for path, (name, tables) in zip(temporary, parts.items(), strict=True):
            if progress:
                progress(f"writing {name}")
            _write_tables(tables, path)


def _write_tables(tables: Iterator[Any], path: Path) -> None:
    """Write tables of one schema one after the other, each a row group."""
    first = next(tables)
    plain = [name for name in first.column_names if name == "url"]
    with pq.ParquetWriter(path, first.schema, compression="zstd", use_dictionary=[
        name for name in first.column_names if name not in (*plain, "id", "src", "dst")
    ]) as writer:  # fmt: skip
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def _page_tables(web: SyntheticWeb) -> Iterator[Any]:
    for first in range(0, web.pages, PAGE_ROWS):
        last = min(first + PAGE_ROWS, web.pages)
        columns = {"id": pa.array(np.arange(first, last, dtype=np.int64)), "url": _url_column(web, first, last)}
        columns |= {name: pa.array(counts[first:last]) for name, counts in web.counts.items()}
        if web.scores is not None:
            columns["score"] = pa.array(web.scores[first:last])
        if web.content_types is not None:
            columns["content_type"] = _label_column(web.content_types, first, last)
        if web.statuses is not None:
            columns["status"] = pa.array(web.statuses[first:last])
        if (changes := web.changes) is not None:
            columns |= {
                "template": pa.array(changes.template[first:last]),
                "entities": pa.array(changes.entities[first:last]),
                "rate": pa.array(changes.rate[first:last]),
            }
        yield pa.table(columns)


def _time_table(pages: NDArray[np.int64], at: NDArray[np.float64]) -> Iterator[Any]:
    yield pa.table({"page": pa.array(pages), "at": pa.array(at)})


def _url_column(web: SyntheticWeb, first: int, last: int) -> Any:
    """The URLs of a range of pages as an Arrow string column over the web's own bytes."""
    start, end = web.url_offsets[first], web.url_offsets[last]
    offsets = (web.url_offsets[first : last + 1] - start).astype(np.int32)
    return pa.StringArray.from_buffers(last - first, pa.py_buffer(offsets), pa.py_buffer(web.url_bytes[start:end]))


def _label_column(labels: Labels, first: int, last: int) -> Any:
    names = pa.array([name or None for name in labels.names], pa.string())
    return names.take(pa.array(labels.codes[first:last]))


def _link_tables(web: SyntheticWeb) -> Iterator[Any]:
    degree = np.diff(web.link_offsets)
    for first in range(0, web.pages, LINK_PAGES):
        last = min(first + LINK_PAGES, web.pages)
        sources = np.repeat(np.arange(first, last, dtype=np.int64), degree[first:last])
        links = slice(web.link_offsets[first], web.link_offsets[last])
        columns = {"src": pa.array(sources), "dst": pa.array(web.link_targets[links].astype(np.int64))}
        if web.link_scores is not None:
            columns["score"] = pa.array(web.link_scores[links])
        if web.link_properties is not None:
            columns["property"] = _label_column(web.link_properties, links.start, links.stop)
        yield pa.table(columns)
