"""SB-CLASSIFIER and TP-OFF, step by step as their paper describes them; their learner is that of scikit-learn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import SGDClassifier

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.policies.published.sb_classifier import SbClassifier
from sundog.policies.published.tag_paths import DIMENSIONS, TagPathGroups, dimension
from sundog.policies.published.url_classifier import FIRST, LAST, UrlClassifier

SITE = "http://site.example"
PATHS = {
    "item": "html body div.main ul.list li.item a.title",
    "page": "html body div.main nav.pager a.next",
    "menu": "html body header nav.menu ul li a",
    "foot": "html body footer div.legal p a",
}


def tiny_site() -> dict[str, tuple[float, list[Link]]]:
    """Lists lead to wanted items by one path and to the next list by another; menu and footer lead nowhere."""
    pages: dict[str, tuple[float, list[Link]]] = {}
    chaff = [Link(f"{SITE}/about/{i}", tag_path=PATHS["menu" if i % 2 else "foot"]) for i in range(40)]
    for number in range(15):
        items = [Link(f"{SITE}/product/{number}-{i}", tag_path=PATHS["item"]) for i in range(8)]
        following = [Link(f"{SITE}/list?p={number + 1}", tag_path=PATHS["page"])] if number < 14 else []
        name = f"{SITE}/list?p={number}" if number else f"{SITE}/"
        pages[name] = 0.0, [*chaff[number::15], *items, *following]
        pages |= {item.url: (1.0, chaff[:5]) for item in items}
    return {**{link.url: (0.0, []) for link in chaff}, **pages}


def crawl(policy: str, budget: int, **settings: Any) -> tuple[CrawlSession, list[Decision], list[float]]:
    pages = tiny_site()
    session = CrawlSession(policy=policy, budget=budget, seed=1, **settings)
    session.add([f"{SITE}/"])
    decisions, rewards = [], []
    while isinstance(decision := session.next_decision(), Decision):
        reward, found = pages[decision.url]
        session.observe(decision, Fetched(reward, found))
        decisions.append(decision)
        rewards.append(reward)
    return session, decisions, rewards


class PlainGroups:
    """The paper's arms, with whole vectors: term frequencies of 2-grams, hashed, averaged within a dimension."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.centroids: list[np.ndarray] = []
        self.sizes: list[int] = []

    def vector(self, path: str) -> np.ndarray:
        steps = ["[SOS]", *path.split(" "), "[EOS]"]
        grams = [f"{steps[i]} {steps[i + 1]}" for i in range(len(steps) - 1)]
        for gram in grams:
            self.vocabulary.setdefault(gram, len(self.vocabulary))
        inside: dict[int, list[float]] = {}
        for gram, number in self.vocabulary.items():
            inside.setdefault(dimension(number), []).append(grams.count(gram) / len(grams))
        whole = np.zeros(DIMENSIONS)
        for place, values in inside.items():
            whole[place] = np.mean(values)
        return whole

    def group_of(self, path: str) -> int:
        v = self.vector(path)
        cosines = [v @ c / math.sqrt((v @ v) * (c @ c)) for c in self.centroids]
        group = int(np.argmax(cosines)) if cosines and max(cosines) >= 0.75 else len(cosines)
        if group == len(self.centroids):
            self.centroids.append(np.zeros(DIMENSIONS))
            self.sizes.append(0)
        size = self.sizes[group]
        self.centroids[group] = (size * self.centroids[group] + v) / (size + 1)
        self.sizes[group] += 1
        return group


def test_tag_paths_are_grouped_as_by_whole_vectors() -> None:
    rng = np.random.default_rng(1)
    steps = [f"div.{name}" for name in "abcdefgh"] + ["ul", "li", "p", "nav"]
    stems = [" ".join(rng.choice(steps, 8)) for _ in range(12)]
    plain, ours = PlainGroups(), TagPathGroups(0.75)
    for _ in range(400):
        path = str(rng.choice(stems)).split()
        path[int(rng.integers(8))] = str(rng.choice(steps))
        assert ours.group_of(" ".join(path)) == plain.group_of(" ".join(path))
    assert 5 < len(ours) < 200


def test_the_url_classifier_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    urls = [f"{SITE}/{'Item' if i % 3 else 'about'}/{rng.integers(9**6)}?é={i}" for i in range(60)]
    labels = [i % 3 > 0 for i in range(60)]
    letters = [chr(code) for code in range(FIRST, LAST + 1)]
    counts = CountVectorizer(
        analyzer="char", ngram_range=(2, 2), vocabulary=[a + b for a in letters for b in letters]
    )
    theirs, ours = SGDClassifier(loss="log_loss", shuffle=False), UrlClassifier()
    for begin in range(0, 60, 10):
        some = slice(begin, begin + 10)
        theirs.partial_fit(counts.transform(urls[some]), labels[some], classes=[False, True])
        for url, label in zip(urls[some], labels[some], strict=True):
            ours.learn(url, label)
        margins = [ours.margin(url) for url in urls]
        assert margins == pytest.approx(theirs.decision_function(counts.transform(urls)).tolist(), rel=1e-6)


def test_arms_follow_auer_and_what_looks_wanted_comes_first() -> None:
    """Every choice: the first predicted page, or a page of the arm with the highest mean + 2√2·√(ln t/n)."""
    pages, arms, led_by = tiny_site(), PlainGroups(), {}
    session = CrawlSession(policy="sb-classifier", budget=120, seed=1)
    session.add([f"{SITE}/"])
    arm_of, waiting, at_once = {}, {}, [f"{SITE}/"]
    rewards: dict[int, float] = {}
    tried: dict[int, int] = {}
    urls, drawn = UrlClassifier(), 0
    for t in range(120):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        url = decision.url
        if at_once:
            assert url == at_once.pop(0)
            assert decision.propensity == 1.0
        else:
            scores = {
                arm: rewards.get(arm, 0.0) / max(tried.get(arm, 0), 1)
                + 2 * math.sqrt(2) * math.sqrt(math.log(max(t, 1)) / max(tried.get(arm, 0), 1e-6))
                for arm in set(waiting.values())
            }
            best = min(scores, key=lambda arm: (-scores[arm], arm))
            assert waiting[url] == best
            assert decision.propensity == pytest.approx(1 / list(waiting.values()).count(best))
            assert decision.score == pytest.approx(scores[best])
            del waiting[url]
            drawn += 1
        reward, found = pages[url]
        if url in arm_of:
            tried[arm_of[url]] = tried.get(arm_of[url], 0) + 1
        if reward and led_by.get(url) in arm_of:
            leading = arm_of[led_by[url]]
            rewards[leading] = rewards.get(leading, 0.0) + 1
        urls.learn(url, reward > 0)
        for link in found:
            if link.url in led_by or link.url == f"{SITE}/":
                continue
            led_by[link.url], arm_of[link.url] = url, arms.group_of(link.tag_path)
            if urls.is_trained and urls.margin(link.url) > 0:
                at_once.append(link.url)
            else:
                waiting[link.url] = arm_of[link.url]
        session.observe(decision, Fetched(reward, found))
    assert isinstance(session.chooser, SbClassifier)
    assert 10 < drawn < 110  # both ways were taken


def test_an_arm_may_have_no_page_that_waits() -> None:
    """Its only page looks wanted, and is fetched at once; then a page of another arm has its turn."""
    session = CrawlSession(policy="sb-classifier", budget=30, seed=1)
    session.add([f"{SITE}/{kind}/{i}" for i in range(10) for kind in ("product", "about")])
    links = [Link(f"{SITE}/about/last", tag_path="nav p b"), Link(f"{SITE}/product/last", tag_path="ul li a")]
    urls = []
    while isinstance(decision := session.next_decision(), Decision):
        urls.append(decision.url)
        session.observe(decision, Fetched(float("product" in decision.url), links if len(urls) == 20 else []))
    assert urls[20:] == [f"{SITE}/product/last", f"{SITE}/about/last"]


def test_tp_off_is_breadth_first_and_then_follows_the_arms_that_led_to_most() -> None:
    breadth = [decision.url for decision in crawl("bfs", 60)[1]]
    session, decisions, _ = crawl("tp-off", 120, phase=60)
    assert [decision.url for decision in decisions[:60]] == breadth
    later = decisions[60:]
    assert {decision.score for decision in decisions[:60]} == {0.0}
    assert sum("/list" in decision.url for decision in later[:10]) >= 3  # lists led to most
    assert later[0].score == max(decision.score for decision in later[:3])
    assert session.fetched == 120
