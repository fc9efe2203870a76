"""A static world: labelled pages and links in memory, as flat arrays.

Page ids of the files become row numbers. A page's links are one slice of ``targets``, in the order
in which they stand on the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import njit
from sundog.arrow import pa, pc
from sundog.errors import SundogError, UsageError
from sundog.frontier.catalog import read_only
from sundog.frontier.facts import (
    Facts,
    Names,
    empty_facts,
    empty_names,
    encode,
    encode_texts,
    roomy_facts,
    roomy_names,
    with_tokens,
)
from sundog.model import LinkBatch
from sundog.short_repr import ShortRepr
from sundog.syntaxes import MARKUP, STORED
from sundog.urls.tokens import most_tokens

NO_TEXTS = np.empty(0, np.int32)
NO_SCORES = np.empty(0)
MOST_ROOM = 16  # times as many numbers as ids, and a table of them is still worth its memory
SOME = 1 << 18  # URLs that are encoded at a time
TWICE = "page id {} occurs twice in the world's index; ids must be unique"


@dataclass(frozen=True)
class Strings:
    """Many strings in one byte array; string i is ``blob[offsets[i]:offsets[i + 1]]``."""

    blob: Any  # uint8
    offsets: Any  # int64

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        return bytes(self.blob[self.offsets[index] : self.offsets[index + 1]]).decode("utf-8", "replace")


NO_STRINGS = Strings(np.zeros(0, np.uint8), np.zeros(1, np.int64))


@dataclass(frozen=True)
class ContentTypes:
    """What servers say that pages are: page i is ``names[codes[i]]``, or gone if the code is negative."""

    codes: Any  # int32
    names: tuple[str, ...]


@dataclass(frozen=True)
class Pages:
    """The table of pages: ids as in the files, URLs, and whatever columns of labels there are."""

    ids: Any  # int64
    urls: Strings
    columns: dict[str, Any] = field(default_factory=dict)  # counts, score, label
    types: Any = None  # pyarrow list array
    content_types: ContentTypes | None = None

    def count(self, syntax: str) -> Any:
        """A syntax of which the world has no column does not occur in it, if it has any column at all."""
        if syntax in self.columns:
            return self.columns[syntax]
        if not any(name in self.columns for name in STORED):
            raise UsageError(
                f"this world has no counts per syntax, so '{syntax}' cannot be judged on it; {self._instead()}"
            )
        return np.zeros(len(self.ids), np.int32)

    def _instead(self) -> str:
        """Which objective this world is for."""
        if "score" in self.columns:
            return "its pages have scores: use --for score"
        if "label" in self.columns:
            return "its pages have labels: use --for any"
        return "give its links labels and use --for any, or its pages scores and use --for score"

    def score(self) -> Any:
        if "score" not in self.columns:
            raise UsageError("this world's pages have no score; use another objective than 'score'")
        scores = self.columns["score"].astype(float)
        row = first_bad_score(scores)
        if row >= 0:
            raise SundogError(
                f"the page in row {row} (id {self.ids[row]}, {self.urls[row]}) has the score {scores[row]}; "
                "scores are numbers from 0 on"
            )
        return scores

    def has_markup(self) -> Any:
        """The labels, if the world has them; otherwise whether there is a statement of markup in the page."""
        if "label" in self.columns:
            return self.columns["label"]
        return sum(self.count(syntax) for syntax in MARKUP) > 0

    def has_type(self, names: tuple[str, ...]) -> Any:
        if self.types is None:
            raise UsageError("this world's pages have no types; use another objective than 'type:…'")
        flat, rows = self.types.flatten().cast(pa.large_string()), pc.list_parent_indices(self.types)
        hits = np.asarray(pc.is_in(flat, value_set=pa.array(names, pa.large_string())))
        found = np.zeros(len(self.ids), bool)
        found[np.asarray(rows)[hits]] = True
        return found


def first_bad_score(scores: Any) -> int:
    """The row of the first score that is negative, infinite or not a number; -1 if all are fine."""
    bad = np.flatnonzero(~((scores >= 0) & (scores < np.inf)))
    return int(bad[0]) if len(bad) else -1


class Links(NamedTuple):
    """Links as CSR: those of page i are ``targets[starts[i]:starts[i + 1]]``."""

    starts: Any  # int64[pages + 1]
    targets: Any  # int32
    anchors: Any = NO_TEXTS  # int32 ids into texts, -1 for none
    paths: Any = NO_TEXTS
    texts: Strings = NO_STRINGS
    dropped: int = 0  # links to ids that are no pages
    scores: Any = NO_SCORES  # float64, empty if links have none
    loops: int = 0  # of a scored world: links from a page to itself, which are dropped
    merged: int = 0  # of a scored world: links that another one between the same pages stands for


class StaticWorld(ShortRepr):
    """Pages and links, and the facts that a crawler may know of each page before it fetches it."""

    def __init__(self, name: str, pages: Pages, links: Links) -> None:
        if len(pages.ids) == 0:
            raise SundogError(f"world '{name}' has no pages")
        self.name, self.pages, self.links = name, pages, links

    def _shown(self) -> dict[str, Any]:
        return {"name": self.name, "pages": self.size, "links": len(self.links.targets)}

    @property
    def size(self) -> int:
        return len(self.pages.ids)

    @property
    def hosts(self) -> int:
        return int(self._encoded[1].count[0])

    @property
    def facts(self) -> Facts:
        return self._encoded[0]

    def keep_tokens(self) -> None:
        facts, names = self._encoded
        if not len(facts.tokens):
            self._encoded = with_tokens(facts, *self.url_bytes, 0, self.size), names

    @cached_property
    def _encoded(self) -> tuple[Facts, Names]:
        return _encode_all(self.pages.urls, self.links.texts)

    @cached_property
    def url_bytes(self) -> tuple[Any, Any]:
        return read_only(self.pages.urls.blob), read_only(self.pages.urls.offsets)

    @cached_property
    def text_bytes(self) -> tuple[Any, Any]:
        return read_only(self.links.texts.blob), read_only(self.links.texts.offsets)

    @property
    def content_types(self) -> ContentTypes | None:
        """Known to whoever asks for them, which costs a request, and of pages that were fetched."""
        return self.pages.content_types

    def url(self, candidate: int) -> str:
        return self.pages.urls[candidate]

    def host_name(self, host: int) -> str:
        names = self._encoded[1]
        start, length = int(names.start[host]), int(names.length[host])
        return bytes(self.pages.urls.blob[start : start + length]).decode("utf-8", "replace")

    def links_of(self, page: int) -> LinkBatch:
        links = self.links
        low, high = links.starts.item(page), links.starts.item(page + 1)
        scores = links.scores[low:high]
        if len(links.paths) == 0:
            return LinkBatch(links.targets[low:high], NO_TEXTS, NO_TEXTS, scores)
        return LinkBatch(links.targets[low:high], links.anchors[low:high], links.paths[low:high], scores)

    def find(self, url: str) -> int:
        """-1 if no page has it; looks at all of them."""
        rows = np.flatnonzero(_equals(self.pages.urls.blob, self.pages.urls.offsets, _bytes(url)))
        return int(rows[0]) if len(rows) else -1

    def __getstate__(self) -> dict[str, Any]:
        made_anew = {"url_bytes", "text_bytes"}  # views, which would be saved as copies
        return {name: value for name, value in vars(self).items() if name not in made_anew}

    def row_of(self, page: str) -> int:
        """The row of a page given by its id or its URL."""
        if page.removeprefix("-").isdecimal():
            rows = np.flatnonzero(self.pages.ids == int(page))
            row = int(rows[0]) if len(rows) else -1
        else:
            row = self.find(page)
        if row < 0:
            raise UsageError(f"start '{page}' is neither the id nor the URL of a page of world '{self.name}'")
        return row


def _bytes(text: str) -> Any:
    return np.frombuffer(text.encode(), np.uint8)


@njit
def _equals(blob: Any, offsets: Any, wanted: Any) -> Any:
    found = np.zeros(len(offsets) - 1, np.bool_)
    for row in range(len(found)):
        low = offsets[row]
        if offsets[row + 1] - low != len(wanted):
            continue
        found[row] = True
        for i in range(len(wanted)):
            if blob[low + i] != wanted[i]:
                found[row] = False
                break
    return found


def _encode_all(urls: Strings, texts: Strings) -> tuple[Facts, Names]:
    facts = roomy_facts(empty_facts(), 0, len(urls))
    facts = facts._replace(
        text_start=np.zeros(len(texts) + 1, np.int64),
        text_hash=np.zeros((len(texts), 3), np.uint64),
        text_tokens=np.zeros(most_tokens(len(texts.blob), len(texts)), np.int32),
    )
    names, blob, offsets = empty_names(), read_only(urls.blob), read_only(urls.offsets)
    for begin in range(0, len(urls), SOME):  # pages share hosts: a table for as many would be large and empty
        end = min(begin + SOME, len(urls))
        names = roomy_names(names, end - begin)
        encode(facts, names, blob, offsets, begin, end)
    encode_texts(facts, read_only(texts.blob), read_only(texts.offsets), 0, len(texts))
    return facts, names


def in_page_order(
    sources: Any,
    targets: Any,
    ids: Any,
    anchors: Any = NO_TEXTS,
    paths: Any = NO_TEXTS,
    texts: Strings = NO_STRINGS,
    scores: Any = NO_SCORES,
) -> Links:
    """Links between page ids as CSR over rows; those from or to an id that is no page are dropped and counted."""
    rows = RowsOfIds(ids)
    return rows_in_page_order(rows(sources), rows(targets), len(ids), anchors, paths, texts, scores)


def rows_in_page_order(
    sources: Any,
    targets: Any,
    pages: int,
    anchors: Any = NO_TEXTS,
    paths: Any = NO_TEXTS,
    texts: Strings = NO_STRINGS,
    scores: Any = NO_SCORES,
) -> Links:
    """The same of rows; a negative one is no page."""
    columns = [sources, targets, anchors, paths, scores]
    del sources, targets  # they are large: what is replaced goes
    known = (columns[0] >= 0) & (columns[1] >= 0)
    dropped = int(len(known) - known.sum())
    if dropped:
        columns = [column[known] if len(column) else column for column in columns]
    starts = _link_starts(columns[0], pages)
    if np.any(columns[0][1:] < columns[0][:-1]):
        order = _order_by_source(columns[0], starts)
        columns = [column[order] if len(column) else column for column in columns]
    return Links(starts, columns[1], columns[2], columns[3], texts, dropped, columns[4])


class RowsOfIds:
    """Finds the row (int32) of a page's id, -1 if it is no page's.

    >>> RowsOfIds(np.array([7, 5, 9]))(np.array([9, 8, 7])).tolist()
    [2, -1, 0]
    """

    def __init__(self, ids: Any) -> None:
        count = len(ids)
        self._count = count
        self._table: Any = None
        self._is_row = not count or (
            ids[0] == 0 and ids[-1] == count - 1 and np.array_equal(ids, np.arange(count))
        )
        if self._is_row:
            return
        if ids.min() >= 0 and ids.max() < MOST_ROOM * count:
            self._table = _table_of_rows(ids)
            return
        self._order: Any = np.argsort(ids, kind="stable").astype(np.int32)
        self._ordered = ids[self._order]
        twice = self._ordered[1:][self._ordered[1:] == self._ordered[:-1]]
        if len(twice):
            raise SundogError(TWICE.format(twice[0]))

    def __call__(self, wanted: Any) -> Any:
        if self._is_row:
            return np.where((wanted >= 0) & (wanted < self._count), wanted, -1).astype(np.int32)
        if self._table is not None:
            last = len(self._table) - 1
            return self._table[np.where((wanted >= 0) & (wanted < last), wanted, last)]
        at = np.minimum(np.searchsorted(self._ordered, wanted), self._count - 1)
        return np.where(self._ordered[at] == wanted, self._order[at], np.int32(-1))


def _table_of_rows(ids: Any) -> Any:
    """Of all numbers up to the largest id: much quicker than to search, if there are few. The last is nobody's."""
    rows = np.full(int(ids.max()) + 2, -1, np.int32)
    rows[ids] = np.arange(len(ids), dtype=np.int32)
    if np.any(rows[ids] != np.arange(len(ids))):
        twice = ids[rows[ids] != np.arange(len(ids))][0]
        raise SundogError(TWICE.format(twice))
    return rows


@njit
def _link_starts(sources: Any, pages: int) -> Any:
    """Where each page's links begin once links are in the order of their sources."""
    starts = np.zeros(pages + 1, np.int64)
    for i in range(len(sources)):
        starts[sources[i] + 1] += 1
    for page in range(pages):
        starts[page + 1] += starts[page]
    return starts


@njit
def _order_by_source(sources: Any, starts: Any) -> Any:
    """A stable counting sort: links of a page keep the order of the file."""
    order = np.empty(len(sources), np.int64)
    at = starts[:-1].copy()
    for i in range(len(sources)):
        order[at[sources[i]]] = i
        at[sources[i]] += 1
    return order
