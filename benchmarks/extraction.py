"""Extraction: all syntaxes and the links, beside extruct's six syntaxes, page by page in one run."""

from __future__ import annotations

import gzip
import json
import logging
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from benchmarks.common import print_table
from benchmarks.extraction_pages import pages

REPEATS = 5


def main(real: str | None = None) -> None:
    groups = pages()
    if real:
        with gzip.open(Path(real), "rt", encoding="utf-8") as lines:
            groups = {
                "real pages": [(page["url"], page["html"].encode()) for page in map(json.loads, lines)]
            } | groups
    rows = [_row(style, group) for style, group in groups.items()]
    columns = (
        "pages", "mean kB", "extruct ms", "Sundog ms", "times faster", "Sundog ms / 100 kB", "with link contexts"
    )  # fmt: skip
    print_table("Extraction: ms a page", columns, rows)


def _row(style: str, group: list[tuple[str, bytes]]) -> tuple[str, ...]:
    theirs, ours, with_text = _seconds(
        [_by_extruct(url, body.decode("utf-8", "replace")) for url, body in group],
        [_by_sundog(url, body) for url, body in group],
        [_by_sundog(url, body, text_around=True) for url, body in group],
    )
    count, size = len(group), sum(len(body) for _, body in group)
    return (
        style,
        f"{size / count / 1000:.0f}",
        f"{theirs / count * 1000:.1f}",
        f"{ours / count * 1000:.2f}",
        f"{theirs / ours:.0f}",
        f"{ours / size * 1e8:.2f}",
        f"{with_text / count * 1000:.2f} ms, {theirs / with_text:.0f} times",
    )


def _by_sundog(url: str, body: bytes, *, text_around: bool = False) -> Callable[[], object]:
    """``text_around``: also ask for what stands around each link, which is looked for only then."""
    from sundog.extract import extract

    def run() -> object:
        found = extract(body, base=url)
        if text_around:
            _ = [link.before + link.after for link in found.links]
        return found.counts, found.links, found.nquads()

    return run


def _by_extruct(url: str, text: str) -> Callable[[], object]:
    import extruct

    logging.disable()
    warnings.simplefilter("ignore")
    return lambda: extruct.extract(text, base_url=url, errors="ignore")


def _seconds(*sides: list[Callable[[], object]]) -> list[float]:
    """Passes in turn, so that other work meets both sides; of each page the best time of the processor counts."""
    best = [[float("inf")] * len(runs) for runs in sides]
    for _ in range(REPEATS):
        for times, runs in zip(best, sides, strict=True):
            for number, run in enumerate(runs):
                begun = time.thread_time()
                run()
                times[number] = min(times[number], time.thread_time() - begun)
    return [sum(times) for times in best]
