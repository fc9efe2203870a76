"""A crawl that goes on from a checkpoint is the one that a replay of the whole log gives."""

from __future__ import annotations

import itertools
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from sundog.engines.cluster.membership import Membership
from sundog.engines.cluster.messages import Lesson, Order, Parcel
from sundog.engines.live import checkpoints
from sundog.engines.live.journal import Journal
from sundog.engines.live.run import crawl, resume
from sundog.replay import Replayed, checkpoint, filled_catalog, new_session, replay, restore
from sundog.session import CrawlSession
from sundog.sharding.budget import Amounts, Grant, Lease
from sundog.sharding.ownership import Owners
from sundog.spec import CrawlSpec
from sundog.spec.crawl import parse_spec
from sundog.spec.explore import Explore
from sundog.store import CrawlStore, Decided, open_readonly
from sundog.store.directory import CHECKPOINT
from tests.engines.live.test_resume import fill
from tests.engines.live.webs import SmallWeb, crawled, spec_for, stop_after


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint whenever a crawl ends."""
    monkeypatch.setattr(checkpoints, "FEWEST_STEPS", 1)
    monkeypatch.setattr(checkpoints, "LONGEST_SHARE", 1e-9)  # none in between: how long writing takes is chance


@pytest.fixture
def own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of a user who has none yet."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(checkpoint, "cache_directory", lambda: folder)
    return folder / checkpoint.KEY


def found(directory: Path) -> checkpoint.Checkpoint | None:
    with open_readonly(directory) as reader:
        return checkpoint.read_checkpoint(reader, parse_spec(reader.spec_text, "spec"))


def counted_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where each replay begins."""
    begun: list[int] = []
    real = CrawlStore.replay

    def counting(self: CrawlStore, *, after: int = -1, **kind: Any) -> Any:
        begun.append(after)
        return real(self, after=after, **kind)

    monkeypatch.setattr(CrawlStore, "replay", counting)
    return begun


@pytest.mark.parametrize(
    "policy", ["bfs", "sundog", "thompson", "ensemble", "ldcoc", "sb-classifier", "q-learning"]
)
def test_the_same_choices_as_without_the_stop(
    web: SmallWeb, tmp_path: Path, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    whole = crawled(web, tmp_path / "whole", policy=policy, seed=3, budget=80)
    stop_after(monkeypatch, 29)
    stopped = crawled(web, tmp_path / "stopped", policy=policy, seed=3, budget=80)
    begun = counted_steps(monkeypatch)
    for further in (17, 1):
        stop_after(monkeypatch, further)
        assert resume(tmp_path / "stopped")["stopped"] == "interrupted"
    stop_after(monkeypatch, 0)
    resume(tmp_path / "stopped")
    assert len(begun) == 3
    assert all(after > 0 for after in begun), "a checkpoint was not used"
    assert stopped.choices == whole.choices
    assert stopped.rewards == whole.rewards


def propensities(directory: Path) -> list[float]:
    with open_readonly(directory) as reader:
        return [event.propensity for event in reader.replay() if isinstance(event, Decided)]


@pytest.mark.parametrize("with_checkpoint", [True, False])
def test_random_pages_and_their_propensities_are_the_same_after_a_stop(
    web: SmallWeb, tmp_path: Path, with_checkpoint: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    options = {"policy": "sundog", "seed": 3, "budget": 80, "explore": Explore(log=0.3)}
    whole = crawled(web, tmp_path / "whole", **options)
    stop_after(monkeypatch, 29)
    stopped = crawled(web, tmp_path / "stopped", **options)
    if not with_checkpoint:
        (tmp_path / "stopped" / CHECKPOINT).unlink()
    stop_after(monkeypatch, 0)
    assert resume(tmp_path / "stopped")["stopped"] == "budget"
    assert stopped.choices == whole.choices
    logged = propensities(tmp_path / "stopped")
    assert logged == propensities(tmp_path / "whole")
    assert sum(each < 0.7 for each in logged) > 10  # random ones
    assert sum(each >= 0.7 for each in logged) > 30


def keep_one_early(monkeypatch: pytest.MonkeyPatch, spec: CrawlSpec) -> None:
    """In the middle of everything, and no other at the end."""
    real = Journal.observe

    def observe(self: Journal, *arguments: Any, **more: Any) -> Any:
        step = real(self, *arguments, **more)
        if self.store.steps > 60 and self.open_decisions and not (self.store.directory / CHECKPOINT).exists():
            self.store.commit()
            kept = checkpoint.Checkpoint(self.store.steps, self.session, list(self.open_decisions.values()))
            checkpoint.write_checkpoint(kept, self.store, spec)
        return step

    monkeypatch.setattr(Journal, "observe", observe)
    monkeypatch.setattr(checkpoints, "FEWEST_STEPS", 1_000_000)


def test_one_in_the_middle_and_the_rest_of_the_log(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With requests in flight when it was written, and strings that came after it."""
    fill(web)
    spec = spec_for(web, policy="sundog", concurrency=8, delay=0.01, budget=60)
    keep_one_early(monkeypatch, spec)
    crawl(spec, tmp_path / "crawl")
    with CrawlStore.open(tmp_path / "crawl") as store:
        kept = checkpoint.read_checkpoint(store, spec)
        assert kept is not None
        assert 0 < kept.step < store.steps
        assert kept.in_flight
        outcomes: list[tuple[int, float]] = []
        by_checkpoint, in_flight = restore(
            store, spec, lambda catalog, event: outcomes.append((event.candidate, event.near))
        )
        whole = new_session(spec, filled_catalog(store))
        all_outcomes: list[tuple[int, float]] = []
        assert in_flight == replay(store, whole, lambda event: all_outcomes.append((event.candidate, event.near)))
        assert outcomes == all_outcomes
        check_same_choices(by_checkpoint, whole)


def check_same_choices(one: CrawlSession, other: CrawlSession) -> None:
    """From here to the end."""
    for session in (one, other):
        session.extend(100)
    while True:
        ours, theirs = one.next_decision(1e12), other.next_decision(1e12)
        assert ours[:9] == theirs[:9]
        if len(ours) < 9:
            break


def test_of_a_shard(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others have sent and taught it is there, from before the checkpoint and from after it."""
    fill(web)
    spec = spec_for(web, policy="sundog", concurrency=4, budget=60)
    crawl(spec, tmp_path / "other")
    with open_readonly(tmp_path / "other") as reader:
        teacher = new_session(spec, filled_catalog(reader), is_shard=True)
        replay(reader, teacher)
    (tmp_path / "other" / CHECKPOINT).unlink()
    delta, told = teacher.learned().since(None), list[object]()
    shard = Membership(0, Owners(1), 60, "first")
    shard.put(Order("first", pool=1, grant=Grant(0, Lease(1, 1), Amounts(50))))

    def send(number: int) -> None:
        """A link and a lesson, each for the so-manyth time."""
        url = f"http://a.example/{number}-from-elsewhere"
        rows = orjson.dumps([(number, 3, url, "a link", "p", 0.0, 0)])
        shard.put((Parcel(1, "a log", number - 1, number, rows), told.append))
        shard.put((Lesson("first", number, 0, number - 1, delta), told.append))

    send(1)
    keep_one_early(monkeypatch, spec)
    at_outcome(monkeypatch, 40, lambda: send(2))
    stop_after(monkeypatch, 50)
    crawl(spec, tmp_path / "crawl", company=shard)
    assert told.count(1) == told.count(2) == 1
    with CrawlStore.open(tmp_path / "crawl") as store:
        kept = checkpoint.read_checkpoint(store, spec)
        taught = [step for (step,) in store.connection.execute("SELECT step FROM log WHERE event = 'taught'")]
        assert kept is not None
        assert taught[0] < kept.step < taught[1]
        by_checkpoint, _ = restore(store, spec, is_shard=True)
        whole = new_session(spec, filled_catalog(store), is_shard=True)
        replay(store, whole)
    for ours, theirs in (
        (by_checkpoint.learned_by_others(), whole.learned_by_others()),
        (by_checkpoint.learned().since(None), whole.learned().since(None)),
    ):
        assert ours.packed() == theirs.packed()
    check_same_choices(by_checkpoint, whole)


def at_outcome(monkeypatch: pytest.MonkeyPatch, count: int, act: Callable[[], None]) -> None:
    """Something happens after so many outcomes."""
    real, numbers = Journal.observe, itertools.count(1)

    def observe(self: Journal, *arguments: Any, **more: Any) -> Any:
        step = real(self, *arguments, **more)
        if next(numbers) == count:
            act()
        return step

    monkeypatch.setattr(Journal, "observe", observe)


def test_explanations_are_the_same(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    spec = spec_for(web, budget=40)
    crawl(spec, tmp_path / "crawl")
    with open_readonly(tmp_path / "crawl") as reader:
        by_checkpoint = Replayed(reader, spec)
        (tmp_path / "crawl" / CHECKPOINT).unlink()
        assert Replayed(reader, spec).next_choice == by_checkpoint.next_choice


class Bomb:
    """What a stranger's pickle may do."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("exploded",)


def test_a_stranger_s_is_not_even_read(
    web: SmallWeb, tmp_path: Path, own_key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    crawl(spec_for(web, budget=20), tmp_path / "crawl")
    path = tmp_path / "crawl" / CHECKPOINT
    assert own_key.stat().st_mode & 0o077 == 0
    assert found(tmp_path / "crawl")
    data = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    for hostile in (pickle.dumps(Bomb()), pickle.dumps(Bomb()) + data[-32:], data[:-1], data[:1000], b""):
        path.write_bytes(hostile)
        assert found(tmp_path / "crawl") is None
    assert not (tmp_path / "exploded").exists()
    path.write_bytes(data)
    assert found(tmp_path / "crawl")
    own_key.write_bytes(bytes(32))
    assert found(tmp_path / "crawl") is None


def test_one_that_does_not_fit_is_as_good_as_none(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    crawl(spec_for(web, budget=20, seed=3), tmp_path / "crawl")
    crawl(spec_for(web, budget=20, seed=3), tmp_path / "other")
    assert found(tmp_path / "crawl")
    data = (tmp_path / "crawl" / CHECKPOINT).read_bytes()
    (tmp_path / "other" / CHECKPOINT).write_bytes(data)
    assert found(tmp_path / "other") is None, "it is of another log"
    edited = (tmp_path / "crawl" / "spec.toml").read_text().replace("seed = 3", "seed = 4")
    with open_readonly(tmp_path / "crawl") as reader:
        assert checkpoint.read_checkpoint(reader, parse_spec(edited, "spec")) is None
    monkeypatch.setattr(checkpoint, "sources_digest", lambda: "other code")
    assert found(tmp_path / "crawl") is None


def test_none_after_a_call_that_failed_half_way(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session may have learned a part of it; the log has the page as a failure."""
    fill(web)
    real, calls = CrawlSession.observe, []

    def failing(self: CrawlSession, *arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 5:
            raise ValueError("half-way")
        return real(self, *arguments)

    monkeypatch.setattr(CrawlSession, "observe", failing)
    crawl(spec_for(web, budget=20), tmp_path / "crawl")
    assert len(calls) > 5
    assert not (tmp_path / "crawl" / CHECKPOINT).exists()
