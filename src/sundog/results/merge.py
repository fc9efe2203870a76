"""A crawl in shards as one ordinary crawl: their logs told as one, in the order in which things happened.

The merged log is one that a single crawl might have written: a page's links to hosts of other shards stand with
its others, and what shards told each other is left out. So the directory can be exported, queried and explained as
any other, and resumed without shards.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import orjson

from sundog.errors import SundogError
from sundog.results.merged_log import LogMerger, Progress
from sundog.spec.crawl import read_leniently
from sundog.store import CrawlReader, CrawlStore, open_readonly
from sundog.store.directory import OBJECTIVE, SPEC, WARC
from sundog.store.reader import SPENT, WARC_LENGTH
from sundog.store.rounds import ROUND_ENDED, rounds_of
from sundog.store.shards import MERGED, is_sharded, shard_directories
from sundog.store.whole_round import read_round

MERGED_STEPS = "merged"  # the state that says what was merged


def nobody(done: int, total: int) -> None:
    """Watches nothing."""


def as_one(directory: Path | str, progress: Progress = nobody) -> Path:
    """The directory itself, or of a crawl in shards its ``merged`` folder, made anew if shards have gone on."""
    directory = Path(directory)
    if not is_sharded(directory):
        return directory
    merged = directory / MERGED
    if merged.is_dir() and _merged_steps(merged) == _steps(directory):
        return merged
    fresh = directory / f".{MERGED}"
    shutil.rmtree(fresh, ignore_errors=True)
    merge(directory, fresh, progress)
    shutil.rmtree(merged, ignore_errors=True)
    fresh.rename(merged)
    return merged


def merge(directory: Path | str, out: Path | str, progress: Progress = nobody) -> Path:
    """Write a crawl in shards, finished or running, as an ordinary one; returns where."""
    directory, out = Path(directory), Path(out)
    if not is_sharded(directory):
        raise SundogError(f"{directory} is no crawl in shards: there is nothing to merge")
    shards = shard_directories(directory)
    if not shards:
        raise SundogError(f"{directory} has no shards here: without a shared disk, copy them from their nodes")
    with ExitStack() as stack:
        readers = [stack.enter_context(open_readonly(shard)) for shard in shards]
        for reader in readers:
            reader.connection.execute("BEGIN")  # each as of one commit
        steps = {reader.directory.name: reader.steps for reader in readers}
        store = stack.enter_context(CrawlStore.create(out, (directory / SPEC).read_text(encoding="utf-8")))
        if (directory / OBJECTIVE).is_dir():
            shutil.copytree(directory / OBJECTIVE, out / OBJECTIVE)
        LogMerger(store, readers, progress).run()
        store.save(MERGED_STEPS, steps)
        store.index()
        _write_rest(store, directory, readers)
    _join_warc(out, shards)
    return out


def _steps(directory: Path) -> dict[str, int]:
    found = {}
    for shard in shard_directories(directory):
        with open_readonly(shard) as reader:
            found[shard.name] = reader.steps
    return found


def _merged_steps(merged: Path) -> dict[str, int]:
    with open_readonly(merged) as reader:
        return dict(reader.state(MERGED_STEPS, {}))


def _write_rest(store: CrawlStore, directory: Path, readers: Sequence[CrawlReader]) -> None:
    spent = [reader.state(SPENT, {}) for reader in readers]
    names = {name for each in spent for name in each}
    cost = {name: sum(each.get(name, 0) for each in spent) for name in names}
    cost["seconds"] = max((each.get("seconds", 0.0) for each in spent), default=0.0)
    store.save(SPENT, cost)
    last = read_round(directory)
    if last is not None:
        store.save(ROUND_ENDED, last.number if last.has_ended else last.number - 1)
    store.save(WARC_LENGTH, sum(reader.state(WARC_LENGTH, 0) for reader in readers))
    try:
        whole = orjson.loads((directory / "summary.json").read_bytes())
    except (OSError, ValueError):
        whole = {"stopped": "", "unit": "pages"}
    summary = {**whole, **cost, **store.totals(), "rounds": rounds_of(store)}
    if names := read_leniently(store.spec_text)["patterns"].names_on_pages:
        summary["patterns"] = store.match_counts(names)
    store.write_summary({**summary, "spent": summary["fetched"] + store.visits})
    store.commit()


def _join_warc(out: Path, shards: Sequence[Path]) -> None:
    """Records of WARC files can be put one after the other; only what is committed is."""
    if not any((shard / WARC).exists() for shard in shards):
        return
    with (out / WARC).open("wb") as target:
        for shard in shards:
            with open_readonly(shard) as reader:
                length = int(reader.state(WARC_LENGTH, 0))
            if length:
                with (shard / WARC).open("rb") as source:
                    target.write(source.read(length))
