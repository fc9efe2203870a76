"""Strings to dense ids and back: the URLs, hosts, anchors and tag paths of one crawl.

Strings live in one byte array each kind, not as Python objects: a million URLs cost what their
bytes cost. Kernels read the facts that ``encode`` derives from them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from sundog._jit import int64, njit
from sundog.frontier.arrays import longer
from sundog.frontier.facts import (
    empty_facts,
    empty_names,
    encode,
    encode_texts,
    facts_with,
    roomy_facts,
    roomy_names,
    roomy_table,
    with_tokens,
)
from sundog.urls.tokens import hash_bytes, mix, most_tokens


def read_only(array: Any) -> Any:
    """A view that cannot be written: buffers of Arrow are so, and kernels are compiled for one type only."""
    view = array.view()
    view.flags.writeable = False
    return view


@njit
def _intern(blob: Any, offsets: Any, hashes: Any, table: Any, count: int, staged: Any, ids: Any) -> int:
    """Give each staged string (its bytes follow the known ones) its id; new bytes move up, known ones vanish."""
    mask, low = len(table) - 1, offsets[count]
    for i in range(len(staged)):
        high = low + staged[i]
        key = hash_bytes(blob, low, high)
        cell = np.int64(mix(key, 0) & np.uint64(mask))
        while table[cell] >= 0:
            known = table[cell]
            at = offsets[known]
            if hashes[known] == key and offsets[known + 1] - at == high - low:
                same = True
                for j in range(high - low):
                    if blob[at + j] != blob[low + j]:
                        same = False
                        break
                if same:
                    break
            cell = (cell + 1) & mask
        if table[cell] < 0:
            end = offsets[count]
            for j in range(high - low):
                blob[end + j] = blob[low + j]
            hashes[count], table[cell] = key, count
            count += 1
            offsets[count] = end + high - low
        ids[i] = table[cell]
        low = high
    return count


@njit
def _find(blob: Any, offsets: Any, hashes: Any, table: Any, wanted: Any) -> int:
    """The id of a string; -1 if it is unknown."""
    mask = len(table) - 1
    key = hash_bytes(wanted, 0, len(wanted))
    cell = np.int64(mix(key, 0) & np.uint64(mask))
    while table[cell] >= 0:
        known = table[cell]
        at = offsets[known]
        if hashes[known] == key and offsets[known + 1] - at == len(wanted):
            same = True
            for j in range(len(wanted)):
                if blob[at + j] != wanted[j]:
                    same = False
                    break
            if same:
                return int64(known)
        cell = (cell + 1) & mask
    return int64(-1)


class StringTable:
    """A set of strings with dense ids in order of first appearance.

    >>> table = StringTable()
    >>> table.intern(["a", "bc", "a"]).tolist(), table[1], len(table)
    ([0, 1, 0], 'bc', 2)
    >>> table.since(1), table.find("bc"), table.find("b")
    (['bc'], 1, -1)
    """

    def __init__(self) -> None:
        self.blob = np.zeros(1024, np.uint8)
        self.offsets = np.zeros(17, np.int64)
        self._hashes = np.zeros(16, np.uint64)
        self._table = np.full(64, -1, np.int32)
        self._count = 0
        self._look()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> str:
        low, high = self.offsets[index], self.offsets[index + 1]
        return bytes(self.blob[low:high]).decode("utf-8", "replace")

    def __getstate__(self) -> dict[str, Any]:
        own = ("_views", "_viewed")  # as arrays they would be copies
        return {name: value for name, value in vars(self).items() if name not in own}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._look()

    def find(self, string: str) -> int:
        """The id of a string; -1 if it is not in the set."""
        coded = string.encode("utf-8", "replace")
        wanted = np.frombuffer(coded, np.uint8).copy()  # one that can be written, as kernels are compiled for
        return int(_find(self.blob, self.offsets, self._hashes, self._table, wanted))

    def since(self, first: int) -> list[str]:
        """The strings from an id on."""
        ends = self.offsets[first : self._count + 1].tolist()
        text = bytes(self.blob[ends[0] : ends[-1]])
        return [
            text[low - ends[0] : high - ends[0]].decode("utf-8", "replace")
            for low, high in itertools.pairwise(ends)
        ]

    def intern(self, strings: Sequence[str]) -> Any:
        """Ids of the strings, new ones added."""
        joined, lengths = "".join(strings), list(map(len, strings))
        if joined.isascii():  # most are: then a character is a byte
            staged = joined.encode()
        else:
            coded = [string.encode("utf-8", "replace") for string in strings]
            staged, lengths = b"".join(coded), list(map(len, coded))
        self._make_room(len(lengths), len(staged))
        end = int(self.offsets[self._count])
        self.blob[end : end + len(staged)] = np.frombuffer(staged, np.uint8)
        ids = np.empty(len(lengths), np.int32)
        self._count = _intern(
            self.blob, self.offsets, self._hashes, self._table, self._count, np.array(lengths, np.int64), ids
        )
        return ids

    @property
    def read_only(self) -> tuple[Any, Any]:
        """Bytes and offsets for kernels; the same views as long as the arrays are the same."""
        if self._viewed[0] is not self.blob or self._viewed[1] is not self.offsets:
            self._look()
        return self._views

    def _look(self) -> None:
        self._viewed = self.blob, self.offsets
        self._views = read_only(self.blob), read_only(self.offsets)

    def _make_room(self, strings: int, length: int) -> None:
        self.blob = longer(self.blob, int(self.offsets[self._count]) + length)
        self.offsets = longer(self.offsets, self._count + strings + 1)
        self._hashes = longer(self._hashes, self._count + strings)
        self._table = roomy_table(self._table, self._hashes, self._count, strings)


class Catalog:
    """Every URL met in a crawl with its id, and the facts that estimators may use.

    >>> catalog = Catalog()
    >>> catalog.add(["http://a.example/x/1", "http://b.example/", "http://a.example/x/1"]).tolist()
    [0, 1, 0]
    >>> catalog.url(1), catalog.host_name(0), catalog.hosts
    ('http://b.example/', 'a.example', 2)
    """

    def __init__(self) -> None:
        self._urls = StringTable()
        self._texts = StringTable()
        self._encoded = 0
        self._texts_encoded = 0
        self._keeps_tokens = False
        self.facts = empty_facts()
        self.names = empty_names()
        self.content_types = None  # nobody is asked for them

    @property
    def url_bytes(self) -> tuple[Any, Any]:
        return self._urls.read_only

    @property
    def text_bytes(self) -> tuple[Any, Any]:
        return self._texts.read_only

    @property
    def size(self) -> int:
        return len(self._urls)

    @property
    def hosts(self) -> int:
        return int(self.names.count[0])

    def url(self, candidate: int) -> str:
        return self._urls[candidate]

    def find(self, url: str) -> int:
        """-1 if it is unknown."""
        return self._urls.find(url)

    def keep_tokens(self) -> None:
        if not self._keeps_tokens:
            self._keeps_tokens = True
            self.facts = with_tokens(self.facts, *self._urls.read_only, 0, len(self._urls))

    @property
    def texts(self) -> int:
        return len(self._texts)

    def urls_since(self, first: int) -> list[str]:
        """The URLs from an id on, in the order of their ids."""
        return self._urls.since(first)

    def texts_since(self, first: int) -> list[str]:
        return self._texts.since(first)

    def host_name(self, host: int) -> str:
        start, length = int(self.names.start[host]), int(self.names.length[host])
        return bytes(self._urls.blob[start : start + length]).decode("utf-8", "replace")

    def add(self, urls: Sequence[str]) -> Any:
        """Ids of the URLs as int32; unknown ones are added and encoded."""
        ids = self._urls.intern(urls)
        if len(self._urls) > self._encoded:
            self._encode_new()
        return ids

    def text_ids(self, texts: Sequence[str]) -> Any:
        """Ids of anchors or tag paths; -1 for an empty one."""
        ids = self._texts.intern(texts)
        if len(self._texts) > self._texts_encoded:
            self._encode_new_texts()
        if "" in texts:
            ids[[not text for text in texts]] = -1
        return ids

    def _encode_new(self) -> None:
        begin, end = self._encoded, len(self._urls)
        blob, offsets = read_only(self._urls.blob), read_only(self._urls.offsets)
        self.facts = roomy_facts(self.facts, begin, end)
        self.names = roomy_names(self.names, end - begin)
        encode(self.facts, self.names, blob, offsets, begin, end)
        if self._keeps_tokens:
            self.facts = with_tokens(self.facts, blob, offsets, begin, end)
        self._encoded = end

    def _encode_new_texts(self) -> None:
        begin, end = self._texts_encoded, len(self._texts)
        blob, offsets = read_only(self._texts.blob), read_only(self._texts.offsets)
        tokens = most_tokens(int(offsets[end] - offsets[begin]), end - begin)
        facts = self.facts
        self.facts = facts_with(
            facts,
            text_start=longer(facts.text_start, end + 1),
            text_hash=longer(facts.text_hash, end),
            text_tokens=longer(facts.text_tokens, int(facts.text_start[begin]) + tokens),
        )
        encode_texts(self.facts, blob, offsets, begin, end)
        self._texts_encoded = end
