"""A world of an earlier crawl: what its log says of pages and links, without reading any page again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson

from sundog.engines.archived.world_builder import PageRow, WorldBuilder, WorldMade
from sundog.errors import UsageError
from sundog.model import Link
from sundog.store import open_readonly
from sundog.store.database import COUNTS, LATEST
from sundog.store.directory import DATABASE, merge_first
from sundog.store.reader import CrawlReader
from sundog.store.shards import is_sharded
from sundog.syntaxes import STORED
from sundog.urls.identity import identity

OUTCOMES = f"""SELECT o.candidate, u.url, o.final_url, o.status, o.trouble, o.content_type, o.size, o.seconds,
  l.at, o.types, {COUNTS} FROM outcomes o JOIN log l ON l.step = o.step JOIN urls u ON u.id = o.candidate
  WHERE l.event IN ('fetched', 'failed', 'revisited') AND {LATEST} ORDER BY o.step"""
BATCH = 1_000


def is_crawl(path: Path) -> bool:
    return (path / DATABASE).is_file() or is_sharded(path)


def world_from_crawl(
    directory: Path, out: Path, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> WorldMade:
    """Pages that were not found are there, with their status; failures without an answer are left out."""
    if is_sharded(directory):
        raise UsageError(merge_first(directory))
    builder = WorldBuilder()
    with open_readonly(directory) as reader:
        outcomes = reader.connection.execute(OUTCOMES).fetchall()
        for begin in range(0, len(outcomes), BATCH):
            batch = outcomes[begin : begin + BATCH]
            links = _links_of(reader, [row[0] for row in batch])
            for row in batch:
                _add(builder, row, links.get(row[0], []))
            progress(begin + len(batch), len(outcomes))
    return builder.write(out)


def _links_of(reader: CrawlReader, candidates: list[int]) -> dict[int, list[Link]]:
    batches = reader.links_of(candidates)
    urls = reader.urls_of({int(each) for links in batches.values() for each in links.targets})
    texts = reader.texts_of(
        {int(each) for links in batches.values() for ids in (links.anchors, links.paths) for each in ids}
    )
    return {
        candidate: [
            Link(urls[target], texts.get(anchor, ""), texts.get(path, ""))
            for target, anchor, path in zip(
                links.targets.tolist(), links.anchors.tolist(), links.paths.tolist(), strict=True
            )
            if target in urls
        ]
        for candidate, links in batches.items()
    }


def _add(builder: WorldBuilder, row: tuple, links: list[Link]) -> None:  # type: ignore[type-arg]
    _, url, final_url, status, trouble, content_type, size, seconds, at, types, *counts = row
    final = final_url or url
    builder.redirect(url, final)
    name = identity(final)
    if trouble and not (status and status >= 400):
        if not final_url:
            builder.leave_out(f"failed: {trouble}")
        return
    if name is None or name in builder.rows:
        builder.leave_out("later captures")
        return
    measured = float("nan") if seconds is None else seconds
    page = PageRow(status or 0, content_type or "", size or 0, measured, at or 0.0)
    counted = dict(zip(STORED, counts, strict=True))
    builder.add(name, page._replace(counts=counted, types=orjson.loads(types) if types else ()), links)
