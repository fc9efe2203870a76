"""A session that is rebuilt from the log goes on as if nothing had happened."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sundog.frontier.catalog import Catalog
from sundog.model import Decision, Failed, Fetched, Link, LinkBatch, Wait
from sundog.session import CrawlSession
from sundog.store import CrawlStore, Decided, GivenBack, Observed, Rested, Seeded
from sundog.worlds.static import StaticWorld

POLICIES = (
    "bfs random sundog anthelion thompson ftrl nh-ne lnh-sum hybrid opic ensemble navigational-rank sb-classifier "
    "tp-off q-learning batch-classifier"
).split()
Web = dict[str, tuple[float, list[Link]]]
BUDGET, KILLED_AFTER = 400, 173


class Crawl:
    """A small engine: a session over a growing catalog, pages from a static world, every call logged."""

    def __init__(self, web: Web, policy: str, store: CrawlStore, catalog: Catalog) -> None:
        self.web, self.store, self.catalog = web, store, catalog
        self.session = CrawlSession(policy=policy, budget=BUDGET, seed=3, source=catalog, normalise=False)
        self.known_urls, self.known_texts = catalog.size, len(catalog._texts)
        self.flying: list[Decision] = []
        self.now = 0.0

    def log(self, event: Any) -> None:
        catalog = self.catalog
        urls = [catalog.url(number) for number in range(self.known_urls, catalog.size)]
        texts = [catalog._texts[number] for number in range(self.known_texts, len(catalog._texts))]
        self.known_urls, self.known_texts = catalog.size, len(catalog._texts)
        self.store.append(event, urls=urls, texts=texts)

    def seed(self, urls: list[str]) -> None:
        ids = self.catalog.add(urls)
        self.session.add(urls)
        self.log(Seeded(ids))

    def run(self) -> Iterator[str]:
        """Three fetches at a time; yields the URLs in the order of the decisions."""
        while True:
            while len(self.flying) < 3:
                self.now += 0.25
                decision = self.session.next_decision(self.now)
                if not isinstance(decision, Decision):
                    break
                self.flying.append(decision)
                self.log(Decided.of(decision, self.now))
                yield decision.url
            if not self.flying:
                if not isinstance(decision, Wait):
                    return
                continue
            self.observe(self.flying.pop(0))

    def observe(self, decision: Decision) -> None:
        links: Any = LinkBatch(*[self.catalog.text_ids([])] * 3)
        if decision.candidate % 9 == 4:
            outcome: Any = Failed("timeout")
            event = Observed(decision.candidate, self.now, "failed", reason="timeout")
        else:
            reward, found = self.web[decision.url]
            links = LinkBatch(
                self.catalog.add([link.url for link in found]),
                self.catalog.text_ids([link.anchor for link in found]),
                self.catalog.text_ids([link.tag_path for link in found]),
            )
            outcome = Fetched(reward, found)
            event = Observed(decision.candidate, self.now, "fetched", reward, "", links)
        self.session.observe(decision, outcome, self.now)
        self.log(event)
        self.session.rest(decision.host_id, self.now + 2)
        self.log(Rested(decision.host_id, self.now + 2))

    def resume(self) -> None:
        """Make the logged calls again."""
        flying: dict[int, Decision] = {}
        for event in self.store.replay():
            match event:
                case Seeded():
                    self.session.add_known(event.candidates)
                case Decided():
                    decision = self.session.next_decision(event.now)
                    assert isinstance(decision, Decision)
                    assert decision.candidate == event.candidate
                    flying[event.candidate] = decision
                    self.now = event.now
                case Observed():
                    self.session.observe(flying.pop(event.candidate), event.outcome, event.now)
                case Rested():
                    self.session.rest(event.host, event.until)
                case GivenBack():
                    self.session.give_back(flying.pop(event.candidate))
        assert list(flying) == [event.candidate for event in self.store.in_flight()]
        self.flying = list(flying.values())


@pytest.fixture(scope="module")
def web(small_world: StaticWorld) -> Web:
    """Each page with its reward and links by name, as a server would give them."""
    pages = {}
    for page in range(small_world.size):
        targets = small_world.links_of(page).targets.tolist()
        links = [Link(small_world.url(target), f"to {target % 7}", "html/body/a") for target in targets]
        pages[small_world.url(page)] = (float(page % 3 == 0), links)
    return pages


@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_choices_after_a_resume(web: Web, policy: str, tmp_path: Path) -> None:
    seeds = list(itertools.islice(web, 2))
    whole = Crawl(web, policy, CrawlStore.create(tmp_path / "whole", ""), Catalog())
    whole.seed(seeds)
    expected = list(whole.run())
    whole.store.close()

    broken = Crawl(web, policy, CrawlStore.create(tmp_path / "broken", ""), Catalog())
    broken.seed(seeds)
    begun = list(itertools.islice(broken.run(), KILLED_AFTER))
    broken.store.close()

    store = CrawlStore.open(tmp_path / "broken")
    catalog = Catalog()
    for urls in store.urls():
        catalog.add(urls)
    for texts in store.texts():
        catalog.text_ids(texts)
    resumed = Crawl(web, policy, store, catalog)
    resumed.resume()
    assert begun + list(resumed.run()) == expected
    assert (resumed.session.fetched, resumed.session.reward) == (whole.session.fetched, whole.session.reward)
    store.close()
