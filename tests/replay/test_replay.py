"""What another policy would have done, on simulated crawls of which the truth is known."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from benchmarks.recording import crawled
from hypothesis import given
from hypothesis import strategies as st

from sundog import UsageError, simulate
from sundog.errors import SundogError
from sundog.replay.comparison import CANNOT_TELL, Answer, Replays, compare, curves_of
from sundog.replay.curve import Curve, Interval
from sundog.replay.imputation import DEVIATIONS, Calibration, Imputation, World, calibrate, regression
from sundog.replay.one_step import choices_of, shares_of_draws, weights_for
from sundog.replay.record import NOT_ASKED, UNKNOWN, Record, Settings, complete_record, read_record
from sundog.replay.unseen import Beyond, Unseen
from sundog.replay.whole import OF_LINES, Crawl, Effort, crawl_again
from sundog.store import open_readonly
from sundog.worlds.static import StaticWorld

BUDGET = 300
NOTHING = np.zeros(0)


def log_of(folder: Path, world: StaticWorld, policy: str, explore_log: float = 0.0) -> Path:
    return crawled(
        folder / f"{policy}-{explore_log}",
        world,
        policy,
        budget=BUDGET,
        objective="any",
        seed=3,
        explore_log=explore_log,
    )


def record_of(directory: Path) -> tuple[Settings, Record]:
    with open_readonly(directory) as reader:
        settings = Settings.of(reader)
        return settings, read_record(reader, settings)


@pytest.fixture(scope="module")
def explored(small_world: StaticWorld, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl in which every fifth page is a random one."""
    return log_of(tmp_path_factory.mktemp("logs"), small_world, "sundog", 0.2)


def test_what_the_log_says_of_pages(explored: Path) -> None:
    settings, record = record_of(explored)
    assert settings == ("sundog", {}, 3, BUDGET, True)
    assert len(record.fetches) == BUDGET
    pages = [fetch.page for fetch in record.fetches]
    assert record.found == record.relevant[pages].sum()
    assert set(np.flatnonzero(record.kind != NOT_ASKED)) == set(pages)
    assert np.isfinite(record.chances[record.kind == NOT_ASKED]).all()
    assert np.isnan(record.chances[pages]).all()
    assert 30 < len(record.random_fetches) < 90
    assert all(fetch.propensity < 0.2 for fetch in record.random_fetches)
    assert all(0 <= fetch.expected <= 1 for fetch in record.fetches)


# --- one step ahead


def oldest_waiting(record: Record) -> list[int]:
    """The obvious program: before each fetch, the page that was found first and was not fetched yet."""
    found, done, oldest = [0], set[int](), []
    for fetch in record.fetches:
        oldest.append(next(page for page in found if page not in done))
        done.add(fetch.page)
        known = set(found)
        found += [page for page in dict.fromkeys(record.links[fetch.page].targets.tolist()) if page not in known]
    return oldest


def test_breadth_first_would_choose_the_oldest_page_in_every_state(explored: Path) -> None:
    settings, record = record_of(explored)
    with open_readonly(explored) as reader:
        chosen = choices_of(reader, settings, "bfs", record)
    assert chosen.tolist() == oldest_waiting(record)


def test_choices_that_were_all_fetched_need_no_estimate(small_world: StaticWorld, tmp_path: Path) -> None:
    directory = log_of(tmp_path, small_world, "sundog")
    settings, record = record_of(directory)
    with open_readonly(directory) as reader:
        chosen = choices_of(reader, settings, "sundog", record)
    assert chosen.tolist() == [fetch.page for fetch in record.fetches]
    assert set(shares_of_draws(record, chosen)) == {record.found / BUDGET}


def test_random_fetches_like_the_choices_weigh_more(explored: Path) -> None:
    _, record = record_of(explored)
    waiting = np.flatnonzero(record.kind == NOT_ASKED)
    best = waiting[np.argsort(-record.chances[waiting])[:50]]
    weights, expected = weights_for(record, best), [fetch.expected for fetch in record.random_fetches]
    assert np.isclose(weights.mean(), 1.0)
    assert weights[int(np.argmax(expected))] > 1.2 * weights[int(np.argmin(expected))]
    assert set(weights_for(record, best[:0])) == {1.0}


# --- the whole crawl


def in_a_queue(record: Record, world: World, beyond: Beyond) -> list[tuple[bool, bool]]:
    """The obvious program: whether each page is relevant, and whether that is known."""
    queue, seen = deque([0]), {0}
    found: list[tuple[bool, bool]] = []
    while queue and len(found) < BUDGET:
        page = queue.popleft()
        if page in record.links:
            relevant, links = bool(record.relevant[page]), record.links[page]
        else:
            copied = page >= len(record.kind)
            chance = world.chances[beyond.origin(page)]
            relevant = beyond.chance.random() < chance if copied else bool(world.relevant[page])
            drawn = beyond.links_of(page, relevant)
            assert drawn is not None
            links = drawn
        found.append((relevant, page in record.links))
        queue.extend(dict.fromkeys(target for target in links.targets.tolist() if target not in seen))
        seen.update(links.targets.tolist())
    return found


def test_breadth_first_order_is_that_of_a_queue(explored: Path) -> None:
    settings, record = record_of(explored)
    world = Imputation(record, calibrate(record)).world(np.random.default_rng(1))
    unseen = Unseen(record)
    crawl = crawl_again(settings, "bfs", record, world, Beyond(unseen, "1"))
    expected = in_a_queue(record, world, Beyond(unseen, "1"))
    assert list(zip(crawl.relevant.tolist(), crawl.known.tolist(), strict=True)) == expected


@pytest.mark.parametrize("policy", ["sundog", "bfs", "thompson"])
def test_a_policy_beside_itself_does_the_same(small_world: StaticWorld, tmp_path: Path, policy: str) -> None:
    directory = log_of(tmp_path, small_world, policy)
    found = compare(directory, [policy])
    (answer,) = found.answers
    assert answer.curve.end == Interval(found.found, found.found, found.found)
    assert answer.curve.known == BUDGET
    assert answer.verdict == CANNOT_TELL


def test_what_replays_of_the_own_policy_have_wrong_is_taken_off(explored: Path) -> None:
    """Random pages are not replayed, so replays of the own policy differ from the crawl; the answer does not."""
    settings, record = record_of(explored)
    replays = Replays(settings, record, OF_LINES)
    harvest = np.append(0, np.cumsum([fetch.relevant for fetch in record.fetches]))
    assert np.allclose(replays.curve("sundog").totals, harvest)
    lost = Replays(settings._replace(policy=UNKNOWN), record, OF_LINES)
    assert not np.allclose(lost.curve("sundog").totals, harvest), "nobody knows what to take off"
    assert np.allclose(lost.curve("bfs").totals, np.round(lost.curve("bfs").totals))


def test_where_nothing_is_known_only_chance_can_be_wrong() -> None:
    crawls = [Crawl(np.arange(20) < 10, np.zeros(20, bool))] * 2
    surely, assumed = Curve(crawls, 20, knowledge=0.0), Curve(crawls, 20)
    assert surely.end == Interval(10.0, 10.0, 10.0)
    assert assumed.end.low < 10.0 < assumed.end.high


def test_the_better_policy_is_named(explored: Path, small_world: StaticWorld, tmp_path: Path) -> None:
    """How often that is so, and how often the truth is in the interval, is what ``benchmarks.replaying`` says."""
    truth = {name: simulate(small_world, name, budget=BUDGET).relevant for name in ("bfs", "random", "sundog")}
    assert max(truth["bfs"], truth["random"]) < 0.6 * truth["sundog"]
    for answer in compare(explored, ["bfs", "random"]).answers:
        assert answer.verdict in ("worse", "likely worse")
    (back,) = compare(log_of(tmp_path, small_world, "bfs", 0.2), ["sundog"]).answers
    assert back.verdict in ("better", "likely better")
    assert back.curve.end.low <= truth["sundog"] <= back.curve.end.high


def test_the_line_of_breadth_first_order_is_such_a_replay(explored: Path) -> None:
    """In fewer worlds, and without what is taken off by the own policy."""
    settings, record = record_of(explored)
    with open_readonly(explored) as reader:
        curve = curves_of(reader, ["bfs"])["bfs"]
    assert len(curve.totals) == OF_LINES.worlds(BUDGET)
    answer = Replays(settings, record, is_paired=False).curve("bfs")
    assert curve.totals.tolist() == answer.totals[: len(curve.totals)].tolist()


def test_a_crawl_that_has_left_no_page_needs_no_judge(
    small_world: StaticWorld, explored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its line is the same, for nothing in it is drawn."""
    size = small_world.size
    whole = crawled(
        tmp_path / "whole", small_world, "random", budget=size, objective="any", seed=3, explore_log=0.0
    )
    with open_readonly(whole) as reader:
        lines = [curves_of(reader, ["bfs"])["bfs"]]
        monkeypatch.setattr("sundog.replay.comparison.complete_record", lambda _: None)
        lines.append(curves_of(reader, ["bfs"])["bfs"])
    one, other = ([line.likely.tolist(), line.low.tolist(), line.high.tolist(), line.known] for line in lines)
    assert one == other
    assert one[0][-1] > 0
    with open_readonly(explored) as reader:
        assert complete_record(reader) is None


def test_the_effort_is_bounded() -> None:
    assert [Effort(2, 8, 16_000).worlds(fetches) for fetches in (0, 20, 4_000, 1_000_000)] == [8, 8, 4, 2]


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=9), min_size=1, max_size=4), st.integers(0, 2**9 - 1))
def test_curves_rise_and_keep_within_what_is_possible(worlds: list[list[bool]], known: int) -> None:
    crawls = [Crawl(np.array(each), np.array([bool(known >> i & 1) for i in range(len(each))])) for each in worlds]
    curve = Curve(crawls, 9)
    assert len(curve) == 9
    assert (np.diff(curve.likely) >= 0).all()
    assert (curve.low <= curve.likely).all()
    assert (curve.likely <= curve.high + 1e-9).all()
    assert (curve.high <= np.arange(len(curve) + 1)).all()
    assert curve.points()[-1][0] == len(curve)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [(0, "better"), (9, "likely better"), (10, CANNOT_TELL), (11, "likely worse"), (20, "worse")],
)
def test_verdicts(found: int, verdict: str) -> None:
    """10 of 20 are relevant, with a deviation of 2."""
    ends = (8, 12)
    crawls = [Crawl(np.arange(20) < end, np.ones(20, bool)) for end in ends]
    assert Answer("bfs", found, Curve(crawls, 20), Interval(0, 0, 0), 1.0).verdict == verdict


# --- pages that were not fetched


@given(
    st.lists(
        st.tuples(st.floats(-5, 5), st.booleans(), st.floats(0, 1), st.booleans(), st.floats(0.1, 3)),
        min_size=1,
        max_size=30,
    ),
    st.floats(-2, 0),
)
def test_the_regression_is_at_the_top_of_its_likelihood(
    rows: list[tuple[float, bool, float, bool, float]], gamma: float
) -> None:
    score, is_left, alone, y, weight = (np.array(column, float) for column in zip(*rows, strict=True))
    x = np.column_stack([np.ones(len(rows)), score, is_left, alone > 0, alone])
    before = np.array([0.0, 1.0, gamma, 0.0, 0.0])

    def likelihood(theta: np.ndarray) -> float:
        own = float((weight * (y * (x @ theta) - np.logaddexp(0, x @ theta))).sum())
        return own - 0.5 * float((((theta - before) / DEVIATIONS) ** 2).sum())

    best, covariance = regression(x, y, weight, before)
    for step in (*np.eye(5), *-np.eye(5)):
        assert likelihood(best) >= likelihood(best + 0.01 * step)
    assert np.linalg.eigvalsh(covariance).min() > 0


def test_random_fetches_correct_the_probabilities(explored: Path) -> None:
    """As if all random pages had been relevant, and then none."""
    _, record = record_of(explored)
    means = []
    for relevant in (True, False):
        record.fetches = [
            fetch._replace(relevant=relevant) if fetch.is_random else fetch for fetch in record.fetches
        ]
        means.append(float(np.nanmean(Imputation(record, calibrate(record)).likely())))
    assert means[0] > 0.8
    assert means[1] < 0.2


def test_hosts_of_which_little_is_known_are_judged_by_first_visits_of_such(explored: Path) -> None:
    """As if all first visits of hosts with one known page had been in vain, and no others."""
    _, record = record_of(explored)
    alone = [fetch.alone for fetch in record.fetches]
    assert set(alone) > {0.0, 1.0}
    hosts = [int(record.catalog.facts.host[fetch.page]) for fetch in record.fetches]
    assert [one > 0 for one in alone] == [host not in hosts[:place] for place, host in enumerate(hosts)]
    host = record.catalog.facts.host[: len(record.kind)]
    asked = np.isin(host, hosts)
    is_lone = ~asked & (np.bincount(host)[host] == 1)
    is_open = np.isfinite(record.chances)
    shares = []
    for relevant in (True, False):
        record.fetches = [
            fetch._replace(relevant=relevant) if fetch.alone == 1 else fetch for fetch in record.fetches
        ]
        likely = Imputation(record, calibrate(record)).likely()
        shares.append(np.nanmean(likely[is_lone]) / np.nanmean(likely[is_open & asked]))
    assert is_lone.any()
    assert shares[1] < 0.8 * shares[0]


def test_pages_are_drawn_as_often_as_is_likely(explored: Path) -> None:
    """Effects that pages have in common change no mean."""
    _, record = record_of(explored)
    surely = Calibration(np.array([0.0, 1.0, 0.0, 0.0, 0.0]), np.zeros((5, 5)))
    imputation = Imputation(record, surely)
    rng = np.random.default_rng(1)
    drawn = np.mean([imputation.drawn(rng)[imputation.pages] for _ in range(400)], axis=0)
    likely = imputation.likely()[imputation.pages]
    assert abs(drawn.mean() - likely.mean()) < 0.02
    order = np.argsort(likely)
    for part in np.array_split(order, 4):
        assert abs(drawn[part].mean() - likely[part].mean()) < 0.05


# --- what cannot be answered


def test_one_sentence_each(small_world: StaticWorld, tmp_path: Path) -> None:
    directory = log_of(tmp_path, small_world, "bfs")
    with pytest.raises(UsageError, match="unknown policy 'bsf'; did you mean 'bfs'"):
        compare(directory, ["bsf"])
    with pytest.raises(UsageError, match="'oracle' needs to know every page's reward"):
        compare(directory, ["oracle"])
    with pytest.raises(UsageError, match="no policy is named"):
        compare(directory, [])
    tiny = crawled(tmp_path / "tiny", small_world, "bfs", budget=5, objective="any", seed=0, explore_log=0.0)
    with pytest.raises(SundogError, match=r"has too few fetches \(5\): from 20 on"):
        compare(tiny, ["bfs"])


def test_a_crawl_whose_spec_is_lost(explored: Path, small_world: StaticWorld, tmp_path: Path) -> None:
    directory = log_of(tmp_path, small_world, "random", 0.1)
    (directory / "spec.toml").unlink()
    found = compare(directory, ["bfs"])
    assert found.policy == UNKNOWN
    assert found.answers[0].curve.known > 0


def test_the_answer_as_json(explored: Path) -> None:
    found = json.loads(json.dumps(compare(explored, ["bfs"]).as_json()))
    assert set(found) == {"crawl", "policies"}
    assert found["crawl"]["fetched"] == BUDGET
    (bfs,) = found["policies"]
    assert bfs["relevant"]["low"] <= bfs["relevant"]["likely"] <= bfs["relevant"]["high"]
    assert bfs["curve"][0] == [0, 0.0, 0.0, 0.0]
    assert bfs["curve"][-1][0] == bfs["fetched"]
    assert 0 <= bfs["one_step"]["low"] <= bfs["one_step"]["high"] <= 1
