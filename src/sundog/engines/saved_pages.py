"""Saved pages as a scored world: what a crawl with a keyword would have met, to be simulated at leisure.

Pages are scored as a live crawl scores them, and links by the text around them; the world also has the counts and
types of the pages' statements, for other objectives.
"""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from sundog.arrow import pa, pq
from sundog.engines.live.pages.intake import judged, view_of
from sundog.engines.live.pages.reading import Reading, read
from sundog.errors import SundogError, UsageError, unreadable
from sundog.fetch.values import Limits
from sundog.files import complete_together
from sundog.objectives import Judge, parse_objective
from sundog.objectives.relevance import Relevance
from sundog.syntaxes import STORED
from sundog.urls.identity import identity
from sundog.worlds.parquet import LINKS, PAGES

HTML = "text/html"


class SavedPage(NamedTuple):
    url: str
    body: bytes
    content_type: str = HTML


class Scored(NamedTuple):
    """What a world was made of. ``left_out``: pages whose URL is none, or was there already."""

    pages: int
    links: int
    scored_pages: int
    scored_links: int
    left_out: int


def read_saved(path: Path) -> Iterator[SavedPage]:
    """A JSON object a line, perhaps packed by gzip: ``url``, ``html`` or ``body``, perhaps ``content_type``."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _saved_page(line, f"{path}, line {number}")
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from None


def _saved_page(line: bytes, place: str) -> SavedPage:
    try:
        page = orjson.loads(line)
        url, body = page["url"], page["html"] if "html" in page else page["body"]
        return SavedPage(str(url), body.encode(), str(page.get("content_type") or HTML))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SundogError(
            f"{place}: a JSON object with the texts 'url' and 'html' or 'body' is expected"
        ) from None


def tf_idf_of(pages: Iterable[SavedPage], objective: str) -> Relevance:
    """Relevance by tf-idf, which has seen all these pages."""
    relevance = Relevance(objective, "tf-idf")
    counts, number = [], 0
    for page in pages:
        reading = read(page.body, page.url, page.content_type, max_bytes=Limits().max_bytes, with_text=True)
        number += 1
        if any(found := relevance.count(reading.text, reading.language)):
            counts.append(found)
    relevance.learn(counts, number)
    return relevance


def world_from_pages(
    pages: Iterable[SavedPage],
    objective: str,
    directory: Path | str,
    *,
    relevance: Relevance | None = None,
    progress: Callable[[int], None] = lambda count: None,
) -> Scored:
    """Write the world of these pages; links that lead to none of them are left out.

    With ``relevance``, pages and links are scored by it.
    """
    parsed = parse_objective(objective)
    if parsed.text_score is None:
        raise UsageError(f"the objective '{objective}' says nothing of links: say keyword:…")
    judge = parsed.judge()
    world = _World(judge, relevance)
    try:
        for page in pages:
            name = identity(page.url)
            if name is None or name in world.rows:
                world.left_out += 1
                continue
            reading = read(
                page.body,
                page.url,
                page.content_type,
                max_bytes=Limits().max_bytes,
                with_text=True,
                text_score=relevance.text_score if relevance else parsed.text_score,
            )
            world.add(name, reading)
            progress(len(world.rows))
    finally:
        judge.close()
    if not world.rows:
        raise SundogError("there is no page to make a world of")
    return world.write(Path(directory))


class _World:
    """Columns as they grow. Targets have numbers of their own until all pages are known."""

    def __init__(self, judge: Judge, relevance: Relevance | None) -> None:
        self._judge, self._relevance = judge, relevance
        self.rows: dict[str, int] = {}
        self.left_out = 0
        self._targets: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {name: [] for name in ("score", "types", *STORED)}
        self._sources, self._to, self._scores = array("i"), array("i"), array("d")
        self._anchors: list[str] = []

    def add(self, url: str, reading: Reading) -> None:
        row = self.rows[url] = len(self.rows)
        columns = self._columns
        columns["score"].append(self._score(url, reading))
        columns["types"].append(list(reading.types))
        for name in STORED:
            columns[name].append(reading.counts.get(name, 0))
        for link in reading.links:
            target = identity(link.url)
            if target is not None:
                self._sources.append(row)
                self._to.append(self._targets.setdefault(target, len(self._targets)))
                self._scores.append(link.score)
                self._anchors.append(link.anchor)

    def _score(self, url: str, reading: Reading) -> float:
        if self._relevance is not None:
            return self._relevance.text_score(reading.text, reading.language)
        return judged(self._judge, view_of(url, reading, {})).reward

    def write(self, directory: Path) -> Scored:
        rows = [self.rows.get(target, -1) for target in self._targets]
        kept = [number for number, target in enumerate(self._to) if rows[target] >= 0]
        pages = pa.table(
            {"id": pa.array(range(len(self.rows)), pa.int64()), "url": list(self.rows), **self._columns}
        )
        links = pa.table(
            {
                "src": pa.array([self._sources[number] for number in kept], pa.int64()),
                "dst": pa.array([rows[self._to[number]] for number in kept], pa.int64()),
                "anchor": pa.array([self._anchors[number] for number in kept], pa.string()),
                "score": pa.array([self._scores[number] for number in kept], pa.float64()),
            }
        )
        _write(directory, {PAGES: pages, LINKS: links})
        scores = self._columns["score"]
        return Scored(
            len(scores),
            len(kept),
            sum(score > 0 for score in scores),
            sum(self._scores[number] > 0 for number in kept),
            self.left_out,
        )


def _write(directory: Path, tables: dict[str, Any]) -> None:
    """Both files or none."""
    with complete_together(*[directory / name for name in tables]) as temporary:
        for path, table in zip(temporary, tables.values(), strict=True):
            pq.write_table(table, path, compression="zstd")
