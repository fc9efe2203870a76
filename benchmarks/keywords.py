"""`hybrid` and `ensemble` compared with the best single estimator, on keyword graphs of real pages.

Keywords are in two halves: the parts of the two policies were chosen on the first, without looking at the second.
Pages with texts are scored as `sundog score` does; of a real graph without texts, titles are the texts.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from benchmarks.common import DATA, print_table
from sundog import load_world, simulate
from sundog.engines.saved_pages import read_saved, world_from_pages
from sundog.worlds.parquet import LINKS
from sundog.worlds.static import Links, Pages, StaticWorld
from sundog.worlds.synthetic.graphs import smoothed

MOMENTS = (100, 300, 1000, 2000)
SEED_SETS = 20
SINGLE: list[tuple[str, dict[str, Any]]] = [
    *((f"nh-{feature}", {"aggregate": word}) for feature in ("n", "e", "ne") for word in ("sum", "avg", "max")),
    *((policy, {}) for policy in ("lnh-sum", "lnh-max", "lnh-avg", "opic", "navigational-rank")),
]
COMBINED = ("hybrid", "ensemble")
TITLES = {
    "chosen on": "africa england germany music city church islands solar",
    "left for the end": "war china india empire river football physics space",
}
TEXTS = {
    "chosen on": "community security network history python world",
    "left for the end": "software people language research internet water",
}
NEARBY = (0.85, 0.33, 0.16, 0.08)  # the chance that a mention counts for its own link, for the next one, …
NEAR_A_LINK = 0.4  # of the further mentions


def main(wiki: str | None = None, site: str | None = None) -> None:
    """``wiki``: a scored world whose URLs end with titles; ``site``: pages with texts."""
    for half in TITLES:
        if wiki:
            compare(f"Titles, {half}", ((word, keyword_world(wiki, word)) for word in TITLES[half].split()))
        if site:
            compare(f"Texts, {half}", ((word, text_world(site, word)) for word in TEXTS[half].split()))
    if wiki:
        compare("Its own scores", [(Path(wiki).name, load_world(wiki))])


def text_world(site: str, word: str) -> StaticWorld:
    directory = DATA / f"text-{word}"
    if not (directory / LINKS).exists():
        world_from_pages(read_saved(Path(site)), f"keyword:{word}", directory)
    return load_world(directory)


def compare(title: str, worlds: Iterator[tuple[str, StaticWorld]] | list[tuple[str, StaticWorld]]) -> None:
    rows, shares = [], []
    for word, world in worlds:
        single = {"-".join([name, *settings.values()]): found(world, name, settings) for name, settings in SINGLE}
        best = np.max(list(single.values()), axis=0)
        share = np.array([found(world, policy, {}) / best for policy in COMBINED])
        shares.append(share)
        names = [max(single, key=lambda name, at=at: single[name][at]) for at in range(len(MOMENTS))]  # type: ignore[misc]
        scored = np.mean(world.pages.score() > 0)
        rows.append((word, f"{scored:.1%}", " · ".join(f"`{name}`" for name in names), *map(_cells, share)))
    rows.append(("mean", "", "", *map(_cells, np.mean(shares, axis=0))))
    rows.append(("lowest", "", "", *map(_cells, np.min(shares, axis=0))))
    columns = ("keyword", "pages with it", "best single", *(f"`{policy}`" for policy in COMBINED))
    steps = ", ".join(f"{steps:,}" for steps in MOMENTS)
    print_table(f"{title}: share of the best single estimator's score at {steps} steps", columns, rows)


def found(world: StaticWorld, policy: str, settings: dict[str, Any]) -> Any:
    """Mean sums of scores at the moments; a crawl may end before, when nothing is left that links reach."""
    sums = []
    for seed in range(SEED_SETS):
        options = {"budget": MOMENTS[-1], "objective": "score", "start": "random:50", "seed": seed, **settings}
        total = np.cumsum(simulate(world, policy, **options).trace.rewards)
        sums.append(total[np.minimum(MOMENTS, len(total)) - 1])
    return np.mean(sums, axis=0)


def _cells(shares: Any) -> str:
    return " · ".join(f"{share:.2f}" for share in shares)


class Graph(NamedTuple):
    world: StaticWorld
    titles: list[set[str]]
    sources: Any
    targets: Any
    starts: Any

    @property
    def degrees(self) -> Any:
        return np.diff(self.starts)


@cache
def graph_of(directory: str) -> Graph:
    world = load_world(directory)
    titles = [_words(world.url(page)) for page in range(world.size)]
    starts = np.asarray(world.links.starts)
    sources = np.repeat(np.arange(world.size), np.diff(starts))
    return Graph(world, titles, sources, np.asarray(world.links.targets), starts)


def _words(url: str) -> set[str]:
    """
    >>> sorted(_words("https://wiki.example/t/Tour_de_France"))
    ['de', 'france', 'tour']
    """
    return set(re.findall(r"[^\W_]+", unquote(url.rpartition("/")[2]).lower()))


def keyword_world(directory: Path | str, word: str) -> StaticWorld:
    """A real graph without texts, scored for a word: a link to a page whose title has it is a mention of it.

    Links are in the order of the page. Besides the linked mentions there are further ones, more of them where more
    links lead to pages that mention the word; some of these are near a link. A link's score counts the mentions
    within 100 characters, drawn by how many links are between. How often was read off the real scores of
    `wiki-france`, without looking at any policy. Scores are 1 + log x, as in the paper.
    """
    graph, rng = graph_of(str(directory)), np.random.default_rng(zlib.crc32(word.encode()))
    titled = np.array([word in title for title in graph.titles])
    linked = np.bincount(graph.sources[titled[graph.targets]], minlength=graph.world.size)
    mentions = linked + _further_mentions(graph, titled, linked, rng)
    scores = smoothed(mentions)
    link_scores = smoothed(_mentions_nearby(graph, _places(graph, titled, mentions - linked, mentions, rng), rng))
    pages = Pages(graph.world.pages.ids, graph.world.pages.urls, {"score": scores})
    links = Links(graph.starts, graph.targets, scores=link_scores)
    return StaticWorld(word, pages, links)


def _further_mentions(graph: Graph, titled: Any, linked: Any, rng: np.random.Generator) -> Any:
    """Most on pages about the word, some on pages that link to it, a few on others; with a heavy tail."""
    about = (linked > 0) | titled
    share = np.bincount(graph.sources, weights=about[graph.targets], minlength=len(about))
    closeness = share / np.maximum(graph.degrees, 1)
    closeness /= closeness[about].mean()
    elsewhere = 0.12 * closeness * np.sqrt(graph.degrees / 30)
    rate = np.where(about, 1.5 * closeness**2, elsewhere) * rng.lognormal(-0.5, 1.0, len(about))
    return rng.poisson(rate + titled * rng.lognormal(3.5, 0.8, len(about)))


def _places(graph: Graph, titled: Any, further: Any, mentions: Any, rng: np.random.Generator) -> Any:
    """The links at which mentions are; of two places, a further one is at the link to the richer page."""
    pages = np.repeat(np.arange(len(further)), further)
    pages = pages[(rng.random(len(pages)) < NEAR_A_LINK) & (graph.degrees[pages] > 0)]
    one, two = (
        graph.starts[pages] + (rng.random(len(pages)) * graph.degrees[pages]).astype(np.int64) for _ in range(2)
    )
    richer = mentions[graph.targets[one]] >= mentions[graph.targets[two]]
    return np.concatenate([np.flatnonzero(titled[graph.targets]), np.where(richer, one, two)])


def _mentions_nearby(graph: Graph, places: Any, rng: np.random.Generator) -> Any:
    counts = np.zeros(len(graph.sources))
    for distance, chance in enumerate(NEARBY):
        for step in (distance, -distance)[: 1 + (distance > 0)]:
            at = np.clip(places + step, 0, len(counts) - 1)
            same_page = (at == places + step) & (graph.sources[at] == graph.sources[places])
            np.add.at(counts, at[same_page & (rng.random(len(at)) < chance)], 1)
    return counts
