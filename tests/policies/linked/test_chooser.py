"""LDCOC and its baselines as a session meets them: what is fetched, in which order, at which cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sundog import CrawlSession, Decision, Failed, Fetched, Finished, Link, simulate
from sundog.errors import UsageError
from sundog.policies.linked.chooser import LinkedChooser
from sundog.worlds.static import ContentTypes, Links, Pages, StaticWorld, Strings

SAME, HOME = "http://www.w3.org/2002/07/owl#sameAs", "http://xmlns.com/foaf/0.1/homepage"
START = "http://start.example/start"


def world_of(urls: list[str], rdf: list[int], links: list[tuple[int, int, str]], types: list[str]) -> StaticWorld:
    """Links are (source, target, property), in the order of their sources; a page without a type is gone."""
    properties, names = sorted({name for _, _, name in links}), sorted(set(types) - {""})
    codes = np.array([names.index(kind) if kind else -1 for kind in types], np.int32)
    sources = [source for source, _, _ in links]
    starts = np.searchsorted(sources, np.arange(len(urls) + 1)).astype(np.int64)
    pages = Pages(
        np.arange(len(urls)),
        strings(urls),
        {"rdf": np.array(rdf, np.int32)},
        None,
        ContentTypes(codes, tuple(names)),
    )
    paths = np.array([properties.index(name) for _, _, name in links], np.int32)
    targets = np.array([target for _, target, _ in links], np.int32)
    return StaticWorld("w", pages, Links(starts, targets, paths * 0 - 1, paths, strings(properties)))


def strings(texts: list[str]) -> Strings:
    coded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, coded)]).astype(np.int64)
    return Strings(np.frombuffer(b"".join(coded), np.uint8), ends)


def star(count: int, relevant: Callable[[int], bool], **more: str) -> StaticWorld:
    """A start that links to so many pages of as many hosts, relevant ones by owl:sameAs."""
    urls = [START, *(f"http://h{n}.example/{n}" for n in range(count))]
    rdf = [1, *(int(relevant(n)) for n in range(count))]
    links = [(0, n + 1, SAME if relevant(n) else HOME) for n in range(count)]
    return world_of(urls, rdf, links, ["text/html"] * (count + 1))


def crawl(session: CrawlSession, good: Callable[[str], bool], links: dict[str, list[Link]]) -> list[str]:
    """All that is fetched, in order."""
    fetched = []
    while isinstance(decision := session.next_decision(), Decision):
        fetched.append(decision.url)
        session.observe(decision, Fetched(1.0 * good(decision.url), links.get(decision.url, [])))
    return fetched


def test_a_live_session_learns_from_properties() -> None:
    properties = {"data": SAME, "page": HOME}
    links = [
        Link(f"http://{kind}{n}.example/{n}", property=properties[kind]) for n in range(300) for kind in properties
    ]
    session = CrawlSession(policy="ldcoc", budget=300)
    session.add([START])
    fetched = crawl(session, lambda url: "page" not in url, {START: links})
    assert sum("data" in url for url in fetched[100:]) > 150
    assert len(set(fetched)) == 300


def test_with_a_threshold_of_nothing_it_is_breadth_first() -> None:
    world = star(50, lambda n: n % 3 == 0)
    mine, theirs = (
        simulate(world, policy, budget=51, objective="rdf", **more).trace.pages.tolist()
        for policy, more in (("ldcoc", {"tau": 0.0}), ("bfs", {}))
    )
    assert mine == theirs


def test_predicted_negatives_are_fetched_when_nothing_else_is_left() -> None:
    world = star(80, lambda n: n % 8 == 0)
    run = simulate(world, "ldcoc", budget=81, objective="rdf")
    assert sorted(run.trace.pages.tolist()) == list(range(81))


def test_a_share_of_predicted_negatives_is_fetched_and_counts_so_much_more() -> None:
    """All are negative: of those that are passed by, so many are fetched at once."""
    session = CrawlSession(policy="ldcoc", budget=1000, epsilon=0.25, rates="coordinate")
    session.add([START])
    links = [Link(f"http://h.example/page/{n}", property=HOME) for n in range(3000)]
    explored = []
    while isinstance(decision := session.next_decision(), Decision) and len(explored) < 400:
        explored.append((decision.exploration, decision.propensity))
        session.observe(decision, Fetched(0.0, links if decision.url == START else []))
    assert set(explored[20:]) == {(1.0, 0.25)}
    passed = 3000 - session.queued
    kept = int(session.chooser._waiting.sizes[2])  # type: ignore[attr-defined]
    assert 0.2 < (passed - 20) / (passed + kept) < 0.3


def test_kept_uris_rise_again_when_the_model_changes() -> None:
    """A property is bad on one host and good everywhere else."""
    chooser_session = CrawlSession(policy="ldcoc", budget=400, epsilon=0.05, seed=3)
    chooser_session.add([START])
    bad = [Link(f"http://bad.example/{n}", property=SAME) for n in range(60)]
    good = [Link(f"http://good{n}.example/{n}", property=SAME) for n in range(300)]
    fetched = crawl(chooser_session, lambda url: "bad" not in url, {START: bad + good})
    assert sum("good" in url for url in fetched) == 300


def test_uris_with_a_hint_are_fetched_or_left_without_the_model() -> None:
    session = CrawlSession(policy="ldcoc", budget=100)
    session.add([START])
    kinds = ["rdf", "jpg", "ttl", "pdf", "owl", "png"]
    links = [Link(f"http://{kind}.example/{n}.{kind}", property=HOME) for n in range(3) for kind in kinds]
    fetched = crawl(session, lambda url: False, {START: links})
    assert [url.rpartition(".")[2] for url in fetched[1:10]] == ["rdf", "ttl", "owl"] * 3
    assert {url.rpartition(".")[2] for url in fetched[10:]} == {"jpg", "pdf", "png"}
    assert session.model is not None
    assert session.model.numbers[1] == 1  # the start alone was learned


def test_ldspider_leaves_what_is_not_rdf_for_the_end() -> None:
    urls = [START, *(f"http://h.example/{name}" for name in ("a.html", "b", "c.jpg", "d", "e.rdf"))]
    types = ["text/turtle", "text/html", "text/html", "image/jpeg", "application/rdf+xml", "text/plain"]
    world = world_of(urls, [1, 0, 0, 0, 1, 1], [(0, n, HOME) for n in range(1, 6)], types)
    order = simulate(world, "ldspider", budget=6, objective="rdf", head=0.01)
    assert order.trace.pages.tolist()[:3] == [0, 4, 5]
    without = simulate(world, "ldspider", budget=6, objective="rdf", head=0.0)
    assert without.trace.pages.tolist()[:4] == [0, 2, 4, 5]


def test_head_requests_cost_their_share_of_the_budget() -> None:
    world = star(100, lambda n: n % 2 == 0)
    run = simulate(world, "ldcoc", budget=50, objective="rdf", head=0.5, tau=0.0)
    assert run.stopped == "budget"
    assert run.fetched == pytest.approx(50 / 1.5, abs=1)
    alone = simulate(world, "ldcoc", budget=50, objective="rdf", tau=0.0)
    assert alone.fetched == 50


def test_a_content_type_tells_what_urls_do_not() -> None:
    """Targets and properties are alike; a type that is no RDF's is learned, one that is RDF's decides."""
    urls = [START, *(f"http://h.example/{n}" for n in range(300))]
    types = ["text/turtle", *(["text/plain", "text/html", ""][n % 3] for n in range(300))]
    rdf = [1, *(int(n % 3 == 0) for n in range(300))]
    world = world_of(urls, rdf, [(0, n, HOME) for n in range(1, 301)], types)
    run = simulate(world, "ldcoc", budget=120, objective="rdf", head=0.05)
    assert run.relevant / run.fetched > 0.7


@pytest.mark.parametrize("features", ["t", "r", "p", "x", "t+r", "p+x", "t+r+p+x"])
def test_every_combination_of_feature_sets(features: str) -> None:
    run = simulate(star(60, lambda n: n % 2 == 0), "ldcoc", budget=40, objective="rdf", features=features)
    assert run.fetched == 40


def test_siblings_are_those_of_the_same_document_and_property() -> None:
    session = CrawlSession(policy="ldcoc", budget=10, features="x", tau=0.0)
    session.add([START])
    names = {"a": SAME, "b": HOME, "c": SAME, "d": HOME}
    links = [Link(f"http://h.example/{name}", property=one) for name, one in names.items()]
    session.observe(first := session.next_decision(), Fetched(1.0, links))  # type: ignore[arg-type]
    assert isinstance(first, Decision)
    chooser = session.chooser
    assert isinstance(chooser, LinkedChooser)
    ids = {name: first.candidate + place for place, name in enumerate(names, 1)}
    assert not any(len(chooser.features_of(one)) for one in ids.values())
    session.observe(session.next_decision(), Fetched(1.0))  # type: ignore[arg-type]
    assert len(chooser.features_of(ids["c"])) > 0
    assert not len(chooser.features_of(ids["b"]))


def test_siblings_are_those_of_the_same_group_if_links_name_one() -> None:
    """One property, two groups; one is alone in its first group, and has siblings by another property."""
    session = CrawlSession(policy="ldcoc", budget=10, features="x", tau=0.0)
    session.add([START])
    groups = [("a", SAME, 1), ("b", SAME, 2), ("c", SAME, 1), ("d", SAME, 2), ("e", SAME, 3), ("e", HOME, 4)]
    links = [Link(f"http://h.example/{name}", property=one, group=group) for name, one, group in groups]
    links += [Link("http://h.example/f", property=HOME, group=4), Link("http://h.example/g", property=SAME)]
    session.observe(session.next_decision(), Fetched(1.0, links))  # type: ignore[arg-type]
    chooser = session.chooser
    assert isinstance(chooser, LinkedChooser)
    ids = {name: place for place, name in enumerate("abcdefg", 1)}

    def with_known_siblings() -> set[str]:
        return {name for name, one in ids.items() if len(chooser.features_of(one))}

    assert with_known_siblings() == set()
    for name, siblings in (("a", {"c"}), ("f", {"c", "e"})):
        session.observe(session.lease(ids[name]), Fetched(1.0))
        assert with_known_siblings() == siblings


@pytest.mark.parametrize(("reward", "belief"), [(1.0, 0.5), (0.0, -0.5)])
def test_another_name_of_a_document_teaches_what_that_was(reward: float, belief: float) -> None:
    """It leads to RDF, or not, as the name that was first did; what was collected is not counted again."""
    session = CrawlSession(policy="ldcoc", budget=100, tau=0.0)
    session.add([START])
    links = [Link(f"http://{host}.example/{n}", property=HOME) for n in range(4) for host in "ab"]
    session.observe(chosen(session), Fetched(1.0, links))
    first, other = chosen(session), chosen(session)
    session.observe(first, Fetched(reward))
    waiting = [session.source.size - 1]
    before = session.estimate(waiting)[0]
    step = session.observe(other, Failed("redirect-known", first.candidate))
    assert not step.relevant
    assert session.relevant == 1 + reward
    assert (session.estimate(waiting)[0] - before) * belief > 0


def chosen(session: CrawlSession) -> Decision:
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    return decision


def test_hosts_that_sleep_and_decisions_that_are_given_back() -> None:
    session = CrawlSession(policy="ldcoc", budget=100, tau=0.0)
    session.add([START])
    links = [Link(f"http://{host}.example/{n}", property=HOME) for n in range(4) for host in "ab"]
    start = session.next_decision()
    assert isinstance(start, Decision)
    session.observe(start, Fetched(1.0, links))
    one = session.next_decision()
    assert isinstance(one, Decision)
    session.give_back(one)
    again = session.next_decision()
    assert isinstance(again, Decision)
    assert again.url == one.url
    session.rest(again.host_id, 10.0)
    session.observe(again, Failed("timeout"))
    rest = [session.next_decision(5.0) for _ in range(4)]
    assert [decision.host for decision in rest if isinstance(decision, Decision)] == ["b.example"] * 4
    woken = [session.next_decision(11.0) for _ in range(3)]
    assert [decision.url[-1] for decision in woken if isinstance(decision, Decision)] == ["1", "2", "3"]


def write_sample(path: Path, count: int) -> Path:
    lines = []
    for n in range(count):
        kind, name = ("data", SAME) if n % 2 else ("page", HOME)
        lines.append(f"{n}\thttp://{kind}.example/{kind}/{n}\t{n % 2}\t1\t{START}\t{name} {DC}\n")
    path.write_text("".join(lines))
    return path


DC = "http://purl.org/dc/terms/relation"


@pytest.mark.parametrize("learner", ["naive-bayes", "svm", "knn", "ftrl", "logistic"])
def test_a_static_classifier_knows_from_a_sample(learner: str, tmp_path: Path) -> None:
    sample = write_sample(tmp_path / "sample.tsv", 200)
    run = simulate(
        star(100, lambda n: n % 2 == 0),
        "ldcoc",
        budget=50,
        objective="rdf",
        learner=learner,
        pretrain=sample,
        frozen=True,
    )
    assert run.relevant >= 45


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"features": "t+q"}, "'q' is no feature set"),
        ({"features": "url"}, "t, r, p and x"),
        ({"tau": "1.5"}, "tau=1.5: must be between 0 and 1"),
        ({"epsilon": "0"}, "epsilon=0: must be between"),
        ({"epsilon": "x"}, "epsilon=x: is not a number"),
        ({"learner": "knn"}, "pretrain=FILE"),
        ({"learner": "hoeffding-tree"}, "none of this policy's"),
        ({"head": "0.2"}, "content_type"),
        ({"rates": "both"}, "must be one of global, coordinate"),
        ({"lambda": "0.1"}, "not one of the chosen policies"),
    ],
)
def test_what_is_wrong_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CrawlSession(policy="ldcoc", budget=1, **values)


def test_a_support_vector_machine_serves_other_policies_too_and_neighbours_do_not() -> None:
    world = star(60, lambda n: n % 2 == 0)
    assert simulate(world, "best-score", budget=40, objective="rdf", learner="svm").fetched == 40
    with pytest.raises(UsageError, match="ldcoc"):
        CrawlSession(policy="best-score", budget=1, learner="knn")


def test_features_of_linked_data_are_not_for_other_policies() -> None:
    with pytest.raises(UsageError, match="ldcoc"):
        CrawlSession(policy="anthelion", budget=1, features="t+r")


def test_the_budget_is_spent_to_the_end_without_head_requests() -> None:
    session = CrawlSession(policy="ldcoc", budget=1)
    session.add([START])
    assert crawl(session, lambda url: True, {}) == [START]
    assert session.next_decision() == Finished("budget")
