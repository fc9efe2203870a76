"""Learning together: sums are exact in any order, nobody counts twice, and who cannot share says so."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog import CrawlSession, Fetched, Finished, Link
from sundog.errors import UsageError
from sundog.learn.sharing import UNIT, Learned, LearningDelta, merged

POLICIES = ["sundog", "naive-bayes", "ftrl", "logistic", "anthelion", "thompson", "bfs"]
SUMS = st.integers(-(2**40), 2**40)


@st.composite
def deltas(draw: st.DrawFn) -> LearningDelta:
    features = np.array(sorted(draw(st.sets(st.integers(0, 20), max_size=6))), np.int32)
    rows = [draw(st.lists(SUMS.filter(bool), min_size=len(features), max_size=len(features))) for _ in range(2)]
    return LearningDelta(features, np.array(rows, np.int64), np.array([draw(SUMS)], np.int64))


def same(one: LearningDelta, other: LearningDelta) -> bool:
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


@given(deltas(), deltas(), deltas())
def test_sums_do_not_depend_on_the_order(a: LearningDelta, b: LearningDelta, c: LearningDelta) -> None:
    assert same(merged([a, b, c]), merged([c, merged([b, a])]))
    assert same(merged([a, b, c]) - b, merged([a, c]))


def crawled(policy: str, hosts: range, *, pages: int = 12, learn: LearningDelta | None = None) -> CrawlSession:
    """A crawl of small hosts, of which every second one is rich; its pages are /item/… and /about/…."""
    session = CrawlSession(policy=policy, budget=10_000, shares_learning=True)
    if learn is not None:
        session.take_in_learning(learn)
    session.add([f"http://h{host}.example/" for host in hosts])
    while not isinstance(decision := session.next_decision(), Finished):
        number = int(decision.url.split(".")[0].removeprefix("http://h"))
        links = [
            Link(f"http://h{number}.example/{kind}/{page}", "more", f"html body ul.{kind} a")
            for kind in ("item", "about")
            for page in range(pages)
        ]
        session.observe(decision, Fetched(float("item" in decision.url and number % 2), links))
    return session


@pytest.mark.parametrize("policy", POLICIES)
def test_nobodys_own_part_contains_what_others_told(policy: str) -> None:
    """Whatever is taken in: what a shard has learned by itself is told once, in parts that add up to all of it."""
    others = crawled(policy, range(4)).learned().since(None)
    session = CrawlSession(policy=policy, budget=100, shares_learning=True)
    session.take_in_learning(others)
    assert not len(session.learned().since(None).features)
    assert not session.learned().since(None).numbers.any()
    parts, before = [], session.learned()
    session.add([f"http://h{host}.example/item/{page}" for host in range(5) for page in range(5)])
    for step in range(20):
        decision = session.next_decision()
        assert not isinstance(decision, Finished)
        session.observe(decision, Fetched(float(step % 3 == 0), []))
        if step % 5 == 4:
            session.take_in_learning(others)
            now = session.learned()
            parts.append(now.since(before))
            before = now
    assert same(merged(parts), session.learned().since(None))
    assert policy == "bfs" or len(merged(parts).features)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_logged_exchange_can_be_replayed(policy: str) -> None:
    delta = pickle.loads(pickle.dumps(crawled(policy, range(4)).learned().since(None)))
    one, other = (crawled(policy, range(4, 8), learn=delta) for _ in range(2))
    assert one.learned().table.tobytes() == other.learned().table.tobytes()
    assert one.model is not None
    assert other.model is not None
    assert one.model.table.tobytes() == other.model.table.tobytes()


def test_counts_add_up_to_those_of_one_session() -> None:
    """Naive Bayes has learned the same from two halves as from the whole."""
    whole = crawled("naive-bayes", range(8))
    half = crawled("naive-bayes", range(4))
    other = crawled("naive-bayes", range(4, 8)).learned().since(None)
    half.take_in_learning(other)
    assert whole.model is not None
    assert half.model is not None
    assert np.allclose(whole.model.table, half.model.table)
    assert np.allclose(whole.model.numbers, half.model.numbers)


@pytest.mark.parametrize("policy", ["sundog", "naive-bayes", "ftrl", "logistic"])
def test_a_new_shard_begins_with_what_the_others_know(policy: str) -> None:
    known = crawled(policy, range(8)).learned().since(None)
    session = CrawlSession(policy=policy, budget=10, shares_learning=True)
    links = [Link(f"http://h99.example/{kind}/77", "more", f"html body ul.{kind} a") for kind in ("about", "item")]
    session.take_in_learning(known)
    session.take_in_links("http://h1.example/", True, links)
    about, item = session.estimate([1, 2])
    assert item > about
    ignorant = CrawlSession(policy=policy, budget=10)
    ignorant.take_in_links("http://h1.example/", True, links)
    assert ignorant.estimate([1, 2])[0] == ignorant.estimate([1, 2])[1]


def test_sundog_takes_over_base_rate_strengths_and_trust() -> None:
    """All that one shard believes, another that has seen nothing believes too."""
    teacher = crawled("sundog", range(40))
    pupil = CrawlSession(policy="sundog", budget=10, shares_learning=True)
    pupil.take_in_learning(teacher.learned().since(None))
    theirs, ours = (session.chooser._hierarchy.beliefs for session in (teacher, pupil))  # type: ignore[attr-defined]
    assert np.allclose(theirs.numbers, ours.numbers, atol=1e-6)
    assert theirs.strengths.tolist() == ours.strengths.tolist()
    assert np.allclose(theirs.trust_losses, ours.trust_losses, atol=1e-6)


def test_what_a_model_began_with_is_nobodys_part(tmp_path: object) -> None:
    from pathlib import Path

    sample = Path(str(tmp_path)) / "sample.tsv"
    sample.write_text("1\thttp://a.example/item/1\t1\t1\n2\thttp://a.example/about/1\t0\t0\n")
    session = CrawlSession(policy="naive-bayes", budget=10, shares_learning=True, pretrain=str(sample))
    assert not len(session.learned().since(None).features)


@pytest.mark.parametrize(
    ("policy", "parameters"),
    [("hoeffding-tree", {}), ("anthelion", {"learner": "svm"}), ("ldcoc", {}), ("nh-n", {}), ("q-learning", {})],
)
def test_who_cannot_share_says_so(policy: str, parameters: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=f"policy '{policy}' cannot share what it learns"):
        CrawlSession(policy=policy, budget=10, shares_learning=True, **parameters)


def test_who_was_not_told_to_share_does_not() -> None:
    with pytest.raises(UsageError, match="before it begins"):
        CrawlSession(budget=10).learned()


def test_shards_with_other_policies_are_refused() -> None:
    delta = crawled("naive-bayes", range(2)).learned().since(None)
    with pytest.raises(UsageError, match="same policy"):
        CrawlSession(policy="sundog", budget=10, shares_learning=True).take_in_learning(delta)
    with pytest.raises(UsageError, match="same hashes"):
        CrawlSession(policy="naive-bayes", budget=10, shares_learning=True, hashes=16).take_in_learning(delta)


def test_a_delta_is_small() -> None:
    learned = crawled("sundog", range(4)).learned()
    assert isinstance(learned, Learned)
    delta = learned.since(None)
    assert delta.table.nbytes + delta.features.nbytes < 20_000
    assert 0 < np.abs(delta.table).max() * UNIT < 1000
