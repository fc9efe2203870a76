"""A graph whose nodes and links have counts of keywords, and the scored world that is made of it.

Nodes have names; their URLs come when the world is written. Counts of one node, or of one link, are added up.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sundog.arrow import pa, pq
from sundog.errors import SundogError
from sundog.files import complete_together
from sundog.objectives.relevance import Counts, Relevance, added
from sundog.worlds.parquet import LINKS, PAGES


class CountedWorld(NamedTuple):
    """What a world was made of. ``left_out``: what the dump has that is no node."""

    pages: int
    links: int
    scored_pages: int
    scored_links: int
    left_out: int


class CountedGraph:
    """Two nodes have one link at most."""

    def __init__(self, relevance: Relevance) -> None:
        self.relevance = relevance
        self.left_out = 0
        self.nodes: dict[str, int] = {}
        self._counts: dict[int, Counts] = {}  # of nodes that have any
        self._links: dict[tuple[int, int], int] = {}
        self._link_counts: dict[int, Counts] = {}

    def node(self, name: str, counts: Counts = ()) -> int:
        number = self.nodes.setdefault(name, len(self.nodes))
        if any(counts):
            before = self._counts.get(number)
            self._counts[number] = added(before, counts) if before else counts
        return number

    def link(self, source: int, target: int, counts: Counts) -> None:
        if source == target:
            return
        place = self._links.setdefault((source, target), len(self._links))
        if any(counts):
            before = self._link_counts.get(place)
            self._link_counts[place] = added(before, counts) if before else counts

    def write(self, directory: Path, url_of: Callable[[str], str]) -> CountedWorld:
        if not self.nodes:
            raise SundogError("the dump has no page to make a world of")
        self.relevance.learn(self._counts.values(), len(self.nodes))
        scores = self._scores(self._counts, len(self.nodes))
        link_scores = self._scores(self._link_counts, len(self._links))
        pages = pa.table(
            {
                "id": pa.array(range(len(self.nodes)), pa.int64()),
                "url": pa.array([url_of(name) for name in self.nodes], pa.string()),
                "score": pa.array(scores, pa.float64()),
            }
        )
        links = pa.table(
            {
                "src": pa.array([source for source, _ in self._links], pa.int64()),
                "dst": pa.array([target for _, target in self._links], pa.int64()),
                "score": pa.array(link_scores, pa.float64()),
            }
        )
        with complete_together(directory / PAGES, directory / LINKS) as temporary:
            for path, table in zip(temporary, (pages, links), strict=True):
                pq.write_table(table, path, compression="zstd")
        return CountedWorld(
            len(scores),
            len(link_scores),
            sum(score > 0 for score in scores),
            sum(score > 0 for score in link_scores),
            self.left_out,
        )

    def _scores(self, counts: dict[int, Counts], size: int) -> array[float]:
        scores = array("d", bytes(8 * size))
        for number, each in counts.items():
            scores[number] = self.relevance.score(each)
        return scores
