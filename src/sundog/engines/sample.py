"""Samples for ``pretrain=``: pages of a world or a crawl, with what a learner may know and what it must learn.

The format is that of ``policies/pretrain.py``: id, url, whether it is relevant, whether the page that linked to it
is, that page, and the RDF property by which it linked, if it was one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sundog.engines.simulate import rewards_of
from sundog.errors import SundogError
from sundog.files import complete_or_absent
from sundog.store import open_readonly
from sundog.worlds.load import AnyWorld, load_world

CRAWLED = """SELECT p.id, p.url, p.relevant, coalesce(q.relevant, 0), coalesce(q.url, '')
  FROM pages p LEFT JOIN pages q ON q.id = p.parent
  WHERE p.status < 400 ORDER BY p.id"""


class Row(NamedTuple):
    id: int
    url: str
    relevant: bool
    parent_relevant: bool
    referrer: str = ""
    property: str = ""


def write_sample(rows: Iterable[Row], out: Path) -> tuple[int, int]:
    """Returns how many were written, and how many are relevant. A URL with a tab or line break is left out."""
    count = relevant = 0
    with complete_or_absent(out) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            fields = [
                str(row.id),
                row.url,
                f"{row.relevant:d}",
                f"{row.parent_relevant:d}",
                row.referrer,
                row.property,
            ]
            if not any(set(text) & set("\t\r\n") for text in fields):
                file.write("\t".join(fields) + "\n")
                count, relevant = count + 1, relevant + row.relevant
        if not 0 < relevant < count:
            raise SundogError(f"nothing could be learned from it: {relevant:,} of {count:,} pages are relevant")
    return count, relevant


def of_crawl(directory: Path, *, most: int) -> Iterator[Row]:
    """The first pages of a crawl that were fetched, as its objective has judged them."""
    with open_readonly(directory) as reader:
        for number, url, relevant, parent, referrer in islice(reader.connection.execute(CRAWLED), most):
            yield Row(number, url, bool(relevant), bool(parent), referrer)


def of_world(world: AnyWorld, objective: str, *, most: int, seed: int = 0) -> Iterator[Row]:
    """Pages of a static world, drawn by the seed, each with the first page that links to it."""
    world = load_world(world)
    relevant = rewards_of(world, objective) > 0
    links = world.links
    first = np.full(world.size, -1, np.int64)  # the first link to each page
    found, where = np.unique(links.targets, return_index=True)
    first[found] = where
    pages = np.arange(world.size)
    if most < world.size:
        pages = np.sort(np.random.default_rng(seed).choice(world.size, most, replace=False))
    for page in pages.tolist():
        link = int(first[page])
        if link < 0:
            yield Row(page, world.url(page), bool(relevant[page]), False)
            continue
        parent = int(np.searchsorted(links.starts, link, side="right")) - 1
        path = links.texts[int(links.paths[link])] if len(links.paths) and links.paths[link] >= 0 else ""
        named = path if "://" in path else ""
        yield Row(page, world.url(page), bool(relevant[page]), bool(relevant[parent]), world.url(parent), named)
