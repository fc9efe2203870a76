"""A crawl in shards from its spec to its summary: ``crawl_in_shards``, ``resume_shards`` and ``refresh_shards``.

The driver starts the shards and is their coordinator. It may die at any moment: shards die with it, and
``resume_shards`` goes on from what they have committed.
"""

from __future__ import annotations

import os
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sundog.engines.cluster.driver import Driver, spent_by
from sundog.engines.cluster.ray_runtime import check_room, ray_running
from sundog.engines.cluster.reshard import reshard
from sundog.engines.live.loop import Watch
from sundog.engines.live.rounds.round import RoundRequest, told_edits, wanted_by
from sundog.engines.live.run import check_request, nobody, warn
from sundog.engines.live.start import with_own_files, write_files
from sundog.engines.live.summary import Summary
from sundog.errors import SundogError, UsageError
from sundog.files import write_whole
from sundog.model import INTERRUPTED
from sundog.objectives import parse_objective
from sundog.patterns.check import check_patterns
from sundog.sharding.ownership import Owners
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.crawl import parse_spec
from sundog.spec.credentials import check_no_literals, check_secrets
from sundog.spec.linked_data import check_bytes
from sundog.spec.tables import check_number
from sundog.store import open_readonly
from sundog.store.directory import SPEC, Lock, prepare_new
from sundog.store.shards import Layout, is_sharded, read_layout, shard_directories, shard_number, write_layout
from sundog.store.whole_round import WholeRound, read_round, unfinished_whole_round, write_round


def crawl_in_shards(
    spec: CrawlSpec,
    directory: Path | str,
    *,
    shards: int,
    address: str | None = None,
    folder: Path | str = ".",
    watch: Watch = nobody,
    accepted: Callable[[], object] = lambda: None,
) -> Summary:
    """Begin a crawl in so many shards and run it to its end; ``address``: of a Ray cluster that is there.

    ``accepted`` is called when the cluster has been found and has room for them.
    """
    directory = Path(directory).absolute()
    _check(spec, shards)
    objective = parse_objective(spec.objective, folder=folder)
    spec.check_objective(objective)
    check_no_literals(spec)
    check_secrets(spec, os.environ)
    check_patterns(spec.patterns, objective)
    if is_sharded(directory):
        raise SundogError(f"{directory} holds a crawl already: resume it, or choose another directory")
    with ray_running(address, shards, spec.cluster) as ray:
        check_room(ray, shards, spec.cluster)
        prepare_new(directory)
        accepted()
        with _locked(directory):
            spec = with_own_files(spec, objective)
            write_files(directory, objective)
            write_whole(directory / SPEC, spec_text(spec).encode())
            write_layout(directory, Layout(shards, tuple(sorted(spec.cluster.split))))
            return Driver(ray, spec, directory, shards, watch).run()


def resume_shards(
    directory: Path | str,
    *,
    shards: int | None = None,
    address: str | None = None,
    budget: int | None = None,
    watch: Watch = nobody,
    accepted: Callable[[], object] = lambda: None,
) -> Summary:
    """Go on with a crawl in shards, however it ended; ``budget`` is a new one, of the whole crawl.

    With another number of ``shards``, hosts that belong to others then are moved first. A round that was
    interrupted goes on, as it was.
    """
    directory = Path(directory).absolute()
    layout, spec = _opened(directory)
    path = directory / SPEC
    if (unfinished := unfinished_whole_round(directory)) is not None:
        if budget is not None or (shards or layout.shards) != layout.shards:
            raise UsageError(
                f"round {unfinished.number} of {directory} was interrupted: let it end first, with its own budget "
                "and shards"
            )
        return _make_round(directory, layout, spec, lambda: unfinished, address, watch, accepted)
    if budget is not None:
        check_number("budget", budget)
        spent = sum(spent_by(each).fetches for each in shard_directories(directory))
        if budget < spent:
            raise UsageError(f"a budget of {budget:,} is less than what was spent already ({spent:,})")
        spec = replace(spec, budget=budget)
    _check(spec, shards or layout.shards)
    with ray_running(address, shards or layout.shards, spec.cluster) as ray, _locked(directory):
        check_room(ray, shards or layout.shards, spec.cluster)
        accepted()
        if budget is not None:
            write_whole(path, spec_text(spec).encode())
        layout = reshard(directory, layout, shards or layout.shards, spec_text(spec))
        return Driver(ray, spec, directory, layout.shards, watch).run()


def refresh_shards(
    directory: Path | str,
    *,
    budget: int,
    share: float | None = None,
    address: str | None = None,
    watch: Watch = nobody,
    tell: Callable[[str], None] = warn,
    accepted: Callable[[], object] = lambda: None,
) -> Summary:
    """One round over all shards, as ``refresh`` makes one of a crawl in one process."""
    check_request(budget, share)
    directory = Path(directory).absolute()
    layout, spec = _opened(directory)
    check_all_own_their_pages(directory, layout)

    def next_round() -> WholeRound:
        last = read_round(directory)
        if last is not None and not last.has_ended:
            tell(f"round {last.number} was interrupted: it goes on with what is left of its budget")
            return last
        wanted = wanted_by(tomllib.loads((directory / SPEC).read_text(encoding="utf-8")))
        for edit in told_edits(last.wanted if last is not None else None, wanted):
            tell(edit)
        return WholeRound(1 if last is None else last.number + 1, budget, time.time(), share, wanted)

    return _make_round(directory, layout, spec, next_round, address, watch, accepted)


def _make_round(
    directory: Path,
    layout: Layout,
    spec: CrawlSpec,
    next_round: Callable[[], WholeRound],
    address: str | None,
    watch: Watch,
    accepted: Callable[[], object],
) -> Summary:
    """From its beginning, or from where it was interrupted, to its end; ``next_round`` is asked while no other
    process can make one."""
    _check(spec, layout.shards)
    with ray_running(address, layout.shards, spec.cluster) as ray, _locked(directory):
        check_room(ray, layout.shards, spec.cluster)
        accepted()
        made = next_round()
        write_round(directory, made)
        request = RoundRequest(made.budget, made.share, made.number)
        summary = Driver(ray, spec, directory, layout.shards, watch, request).run()
        if summary["stopped"] != INTERRUPTED:
            write_round(directory, made._replace(has_ended=True))
        return summary


def check_all_own_their_pages(directory: Path, layout: Layout) -> None:
    """A page is visited again by the shard that has its versions, which must own its host to ask it."""
    shards = shard_directories(directory)
    if shards and not any(spent_by(each).fetches for each in shards):
        raise UsageError(f"{directory} has no page yet: begin with sundog resume")
    for each in shards:
        with open_readonly(each) as reader:
            if shard_number(each) >= layout.shards or next(reader.asked_elsewhere(), None) is not None:
                raise UsageError(
                    f"{directory} has had another number of shards, so some pages are not with the shard of their "
                    f"host: refresh what sundog merge {directory} OUT makes of it"
                )


def _opened(directory: Path) -> tuple[Layout, CrawlSpec]:
    layout = read_layout(directory)
    path = directory / SPEC
    spec = parse_spec(path.read_text(encoding="utf-8"), str(path))
    check_secrets(spec, os.environ)
    if tuple(sorted(spec.cluster.split)) != layout.split:
        raise SundogError(f"{path}: cluster.split is not what the crawl began with ({', '.join(layout.split)})")
    return layout, spec


def _check(spec: CrawlSpec, shards: int) -> None:
    Owners(shards, spec.cluster.split)
    check_bytes(spec)
    if spec.world != "web":
        raise UsageError(f'world = "{spec.world}" is one host: it cannot be crawled in shards')
    if spec.patterns.link:
        raise UsageError("link patterns follow paths through the whole crawl: they do not work with --shards")
    if wanting := [pattern.name for pattern in spec.patterns.data if pattern.linked_from]:
        raise UsageError(
            f"pattern '{wanting[0]}' has linked_from, which looks through the whole crawl: that does not work "
            "with --shards"
        )


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    lock = Lock(directory)
    try:
        yield
    finally:
        lock.release()
