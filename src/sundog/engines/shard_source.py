"""The part of a static world that one simulated shard has met, with ids of its own: as small as what it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import njit
from sundog.frontier.arrays import longer
from sundog.frontier.facts import Facts, empty_facts, facts_with
from sundog.worlds.static import StaticWorld


class ShardSource:
    """A source that grows by rows of the world. Texts keep the ids that they have there."""

    content_types = None

    def __init__(self, world: StaticWorld) -> None:
        self._world = world
        self._ids = np.full(world.size, -1, np.int32)
        self._host_ids = np.full(world.hosts, -1, np.int32)
        self._rows, self._host_rows = np.zeros(16, np.int32), np.zeros(16, np.int32)
        self._counts = np.zeros(2, np.int64)  # pages, hosts
        self._keeps_tokens = False
        texts = world.facts
        self.facts = empty_facts()._replace(
            text_start=texts.text_start, text_tokens=texts.text_tokens, text_hash=texts.text_hash
        )

    @property
    def size(self) -> int:
        return int(self._counts[0])

    @property
    def hosts(self) -> int:
        return int(self._counts[1])

    def row_of(self, candidate: int) -> int:
        return int(self._rows[candidate])

    @property
    def rows(self) -> Any:
        """Of the world, by id."""
        return self._rows[: self.size]

    def url(self, candidate: int) -> str:
        return self._world.url(self.row_of(candidate))

    def host_name(self, host: int) -> str:
        return self._world.host_name(int(self._host_rows[host]))

    def find(self, url: str) -> int:
        row = self._world.find(url)
        return int(self._ids[row]) if row >= 0 else -1

    @property
    def url_bytes(self) -> tuple[Any, Any]:
        raise NotImplementedError("policies that read the bytes of URLs are not simulated in shards")

    @property
    def text_bytes(self) -> tuple[Any, Any]:
        return self._world.text_bytes

    def keep_tokens(self) -> None:
        """Before the first page."""
        self._keeps_tokens = True
        self._world.keep_tokens()

    def intern(self, rows: Any) -> Any:
        """Ids of pages of the world, new ones in the order of the rows."""
        world = self._world.facts
        self._rows = longer(self._rows, self.size + len(rows))
        self._host_rows = longer(self._host_rows, self.hosts + len(rows))
        self.facts = _roomy(self.facts, world, self.size, rows)
        if self._keeps_tokens:
            self.facts = _roomy_tokens(self.facts, world, self.size, rows)
        ids, known = np.empty(len(rows), np.int32), (self._ids, self._rows, self._host_ids, self._host_rows)
        _copy_new(self.facts, world, rows, ids, *known, self._counts, self._keeps_tokens)
        return ids


def _roomy(facts: Facts, world: Facts, size: int, rows: Any) -> Facts:
    path_tokens = int((world.path_start[rows + 1] - world.path_start[rows]).sum())
    return facts_with(
        facts,
        host=longer(facts.host, size + len(rows)),
        shape=longer(facts.shape, size + len(rows)),
        numbers=longer(facts.numbers, size + len(rows)),
        path_start=longer(facts.path_start, size + len(rows) + 1),
        path_tokens=longer(facts.path_tokens, int(facts.path_start[size]) + path_tokens),
    )


def _roomy_tokens(facts: Facts, world: Facts, size: int, rows: Any) -> Facts:
    tokens = int((world.token_start[rows + 1] - world.token_start[rows]).sum())
    return facts_with(
        facts,
        token_start=longer(facts.token_start, size + len(rows) + 1),
        tokens=longer(facts.tokens, int(facts.token_start[size]) + tokens),
    )


@njit
def _copy_new(
    facts: Any,
    world: Any,
    rows: Any,
    ids: Any,
    known: Any,
    known_rows: Any,
    known_hosts: Any,
    host_rows: Any,
    counts: Any,
    keeps_tokens: bool,
) -> None:
    for i in range(len(rows)):
        row = rows[i]
        if known[row] < 0:
            page = counts[0]
            known[row], known_rows[page] = page, row
            counts[0] += 1
            host = world.host[row]
            if known_hosts[host] < 0:
                known_hosts[host], host_rows[counts[1]] = counts[1], host
                counts[1] += 1
            facts.host[page] = known_hosts[host]
            facts.shape[page] = world.shape[row]
            facts.numbers[page] = world.numbers[row]
            if keeps_tokens:
                _copy_tokens(facts.token_start, facts.tokens, page, world.token_start, world.tokens, row)
            _copy_tokens(facts.path_start, facts.path_tokens, page, world.path_start, world.path_tokens, row)
        ids[i] = known[row]


@njit
def _copy_tokens(starts: Any, tokens: Any, page: int, world_starts: Any, world_tokens: Any, row: int) -> None:
    at = starts[page]
    for place in range(world_starts[row], world_starts[row + 1]):
        tokens[at] = world_tokens[place]
        at += 1
    starts[page + 1] = at
