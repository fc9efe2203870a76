"""Worlds made of other worlds: some of the pages, or the same links in another order."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog.worlds.static import Links, Pages, StaticWorld, Strings
from sundog.worlds.synthetic.web import gather

JITTER = 5.0  # places by which a link may pass others


def part_of(world: StaticWorld, rows: Any, name: str) -> StaticWorld:
    """These pages in this order, and the links among them."""
    new = np.full(world.size, -1, np.int32)
    new[rows] = np.arange(len(rows), dtype=np.int32)
    chosen = _links_of(world.links, rows)
    chosen = chosen[new[world.links.targets[chosen]] >= 0]
    sources = new[_sources(world)[chosen]]
    starts = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=len(rows))))).astype(np.int64)
    links = _taken(world.links, chosen)._replace(starts=starts, targets=new[world.links.targets[chosen]])
    pages = world.pages
    return StaticWorld(
        name,
        Pages(
            np.arange(len(rows)),
            _strings(pages.urls, rows),
            {label: values[rows] for label, values in pages.columns.items()},
            None if pages.types is None else pages.types.take(rows),
        ),
        _with_own_texts(links),
    )


def jittered(world: StaticWorld, rng: np.random.Generator) -> StaticWorld:
    """The links of every page in nearly the same order: other candidates win ties, little else changes."""
    places = np.arange(len(world.links.targets)) + rng.random(len(world.links.targets)) * JITTER
    order = np.lexsort((places, _sources(world)))
    return StaticWorld(world.name, world.pages, _taken(world.links, order))


def with_shuffled_directory(world: StaticWorld, rng: np.random.Generator) -> StaticWorld:
    """The links of the first page in random order."""
    count = int(world.links.starts[1])
    order = np.concatenate([rng.permutation(count), np.arange(count, len(world.links.targets))])
    return StaticWorld(world.name, world.pages, _taken(world.links, order))


def _sources(world: StaticWorld) -> Any:
    return np.repeat(np.arange(world.size), np.diff(world.links.starts))


def _links_of(links: Links, rows: Any) -> Any:
    """The numbers of the links of these pages, page after page."""
    counts = (links.starts[1:] - links.starts[:-1])[rows]
    ends = np.cumsum(counts)
    return np.arange(ends[-1]) - np.repeat(ends - counts, counts) + np.repeat(links.starts[rows], counts)


def _taken(links: Links, chosen: Any) -> Links:
    columns = (links.targets, links.anchors, links.paths, links.scores)
    targets, anchors, paths, scores = (column[chosen] if len(column) else column for column in columns)
    return links._replace(targets=targets, anchors=anchors, paths=paths, scores=scores)


def _with_own_texts(links: Links) -> Links:
    used = np.unique(np.concatenate([links.anchors, links.paths]))
    used = used[used >= 0]
    new = np.full(len(links.texts) + 1, -1, np.int32)  # the last one: no text
    new[used] = np.arange(len(used), dtype=np.int32)
    return links._replace(anchors=new[links.anchors], paths=new[links.paths], texts=_strings(links.texts, used))


def _strings(strings: Strings, rows: Any) -> Strings:
    blob, offsets = gather(strings.blob, strings.offsets, rows)
    return Strings(blob[: offsets[-1]], offsets)
