"""A world as it grows, page by page, and its two files at the end.

Pages and targets of links are known by their names (``urls/identity.py``). A link may lead to a page by redirects.
A link to a page that the world does not have is counted, and left out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sundog.arrow import pa, pc, pq
from sundog.errors import SundogError
from sundog.files import complete_together
from sundog.model import Link
from sundog.syntaxes import STORED
from sundog.urls.hosts import host_of
from sundog.urls.identity import identity
from sundog.worlds.parquet import LINKS, PAGES

MOST_HOPS = 5  # redirects between a link and its page, as in a crawl


class PageRow(NamedTuple):
    """What a world says of a page. ``seconds`` is nan where nobody measured them."""

    status: int
    content_type: str
    size: int
    seconds: float
    at: float
    counts: Mapping[str, int] = {}
    types: Iterable[str] = ()


class WorldMade(NamedTuple):
    """``outside``: links to pages that the world does not have, ``outside_pages``: how many these are."""

    pages: int
    hosts: int
    links: int
    outside: int
    outside_pages: int
    copies: int
    left_out: dict[str, int]

    @property
    def outside_share(self) -> float:
        return self.outside / max(1, self.links + self.outside)


class WorldBuilder:
    """Call ``add`` for each page, ``redirect`` and ``copy`` for what stands for another one, then ``write``."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.left_out: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("status", "content_type", "bytes", "seconds", "fetched_at", "types", *STORED)
        }
        self._starts = array("q", [0])  # where the links of each page begin
        self._targets, self._anchors, self._paths = array("i"), array("i"), array("i")
        self._target_ids: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._redirects: dict[str, str] = {}
        self._copies: dict[str, str] = {}

    def leave_out(self, reason: str) -> None:
        self.left_out[reason] = self.left_out.get(reason, 0) + 1

    def add(self, name: str, page: PageRow, links: Iterable[Link]) -> None:
        """``name`` is new; links have the names of their pages, and each page once."""
        self.rows[name] = len(self.rows)
        columns = self._columns
        columns["status"].append(page.status)
        columns["content_type"].append(page.content_type or None)
        columns["bytes"].append(page.size)
        columns["seconds"].append(page.seconds)
        columns["fetched_at"].append(page.at)
        columns["types"].append(list(page.types))
        for syntax in STORED:
            columns[syntax].append(page.counts.get(syntax, 0))
        for link in links:
            self._targets.append(self._target_ids.setdefault(link.url, len(self._target_ids)))
            self._anchors.append(self._text(link.anchor))
            self._paths.append(self._text(link.tag_path or link.property))
        self._starts.append(len(self._targets))

    def redirect(self, url: str, target: str) -> None:
        name, leads_to = identity(url), identity(target)
        if name and leads_to and name != leads_to:
            self._redirects.setdefault(name, leads_to)

    def copy(self, url: str, original: str) -> None:
        """At one URL stood what stands at another: they have the same statements and the same links."""
        name, of = identity(url), identity(original)
        if name and of and name != of:
            self._copies.setdefault(name, of)

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts)) if text else -1

    def _add_copies(self) -> int:
        count = 0
        for name, original in self._copies.items():
            row = self.rows.get(original)
            if name in self.rows:
                continue
            if row is None:
                self.leave_out("copies of pages that are not there")
                continue
            self.rows[name] = len(self.rows)
            for column in self._columns.values():
                column.append(column[row])
            for numbers in (self._targets, self._anchors, self._paths):
                numbers.extend(numbers[self._starts[row] : self._starts[row + 1]])
            self._starts.append(len(self._targets))
            count += 1
        return count

    def _row_of(self, name: str) -> int:
        """-1 if neither it nor what it redirects to is there."""
        for _ in range(MOST_HOPS + 1):
            if name in self.rows:
                return self.rows[name]
            if name not in self._redirects:
                return -1
            name = self._redirects[name]
        return -1

    def write(self, directory: Path) -> WorldMade:
        if not self.rows:
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in self.left_out.items())
            raise SundogError(f"there is no page to make a world of{f': {reasons}' if reasons else ''}")
        copies = self._add_copies()
        rows = pa.array([self._row_of(name) for name in self._target_ids], pa.int64())
        links = self._link_table(rows)
        inside = links.filter(pc.greater_equal(links["dst"], 0))
        outside_pages = pc.sum(pc.less(rows, 0)).as_py() or 0
        with complete_together(directory / PAGES, directory / LINKS) as (pages_file, links_file):
            pq.write_table(self._page_table(), pages_file, compression="zstd")
            pq.write_table(inside, links_file, compression="zstd")
        return WorldMade(
            pages=len(self.rows),
            hosts=len(set(map(host_of, self.rows))),
            links=len(inside),
            outside=len(links) - len(inside),
            outside_pages=outside_pages,
            copies=copies,
            left_out=dict(self.left_out),
        )

    def _page_table(self) -> Any:
        kinds = {"types": pa.list_(pa.string()), "content_type": pa.string(), "seconds": pa.float64()}
        kinds |= {"fetched_at": pa.float64(), "bytes": pa.int64()}
        columns = {
            name: pa.array(values, kinds.get(name, pa.int32()), from_pandas=name == "seconds")
            for name, values in self._columns.items()
        }
        ids = pa.array(range(len(self.rows)), pa.int64())
        return pa.table({"id": ids, "url": pa.array(self.rows, pa.string()), **columns})

    def _link_table(self, rows: Any) -> Any:
        starts: Any = np.frombuffer(self._starts, np.int64)
        sources = np.repeat(np.arange(len(self.rows)), starts[1:] - starts[:-1])
        texts = pa.array(self._texts, pa.string())

        def named(ids: array[int]) -> Any:
            numbers = np.asarray(ids, np.int32)
            return pa.DictionaryArray.from_arrays(pa.array(numbers, mask=numbers < 0), texts)

        return pa.table(
            {
                "src": pa.array(sources, pa.int64()),
                "dst": rows.take(pa.array(np.asarray(self._targets, np.int32))),
                "anchor": named(self._anchors),
                "tag_path": named(self._paths),
            }
        )
