"""Scores of links reach the session and its log, from every world, if the policy looks at them."""

from __future__ import annotations

from math import log
from pathlib import Path

import pytest

from sundog.policies.presets import Policy
from sundog.store import Observed, open_readonly
from tests.engines.live.webs import HOME, SmallWeb, crawled
from tests.engines.live.worlds.api_service import ApiService
from tests.engines.live.worlds.search_site import SearchSite
from tests.engines.live.worlds.specs import api_crawl, form_crawl


@pytest.fixture(autouse=True)
def _policies_look_at_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Policy, "reads_link_scores", property(lambda _: True))


def scores(directory: Path) -> dict[str, float]:
    """Of the first page's links, by URL."""
    with open_readonly(directory) as reader:
        urls = [url for some in reader.urls() for url in some]
        first = next(event for event in reader.replay() if isinstance(event, Observed))
        pairs = zip(first.links.targets, first.links.scores, strict=True)
        return {urls[target]: float(score) for target, score in pairs}


@pytest.mark.parametrize("workers", [0, 1])
def test_of_the_web(tmp_path: Path, workers: int) -> None:
    with SmallWeb() as web:
        web.page(HOME, "/1", body="<p>Bretagne, bretagne <a href=/2>Bretagne</a>" + "x " * 80)
        crawled(web, tmp_path / "crawl", objective="keyword:bretagne", budget=1, workers=workers)
    assert scores(tmp_path / "crawl") == {f"{HOME}2": pytest.approx(1 + log(3)), f"{HOME}1": 0.0}


def test_of_an_api(tmp_path: Path) -> None:
    with ApiService() as service:
        api_crawl(service, tmp_path / "crawl", budget=6)
    found = {url.split("/")[4].replace("%20", " "): score for url, score in scores(tmp_path / "crawl").items()}
    assert found == {name: float(len(name)) for name in service.network.friends["user 0"] if name != "user 0"}


def test_of_an_api_by_texts(tmp_path: Path) -> None:
    body = {
        "posts": [],
        "friends": [
            {"id": "a", "text": "bretagne"},
            {"id": "b", "text": None},
            {"id": "a", "text": ["la Bretagne", 5]},
            {"id": "c", "score": 2, "text": "bretagne"},
            {"id": "c", "score": 1.5},
        ],
    }
    with ApiService(misbehave=lambda _: (200, body, [])) as service:
        api_crawl(service, tmp_path / "crawl", budget=2, api={"links": "friends", "next": ""} | NO_CURSOR)
    found = {url.split("/")[4]: score for url, score in scores(tmp_path / "crawl").items()}
    assert found == {"a": pytest.approx(1 + log(2)), "b": 0.0, "c": 2.0}


NO_CURSOR = {"neighbours": "http://api.example/users/{id}/friends"}


def test_of_a_form(tmp_path: Path) -> None:
    with SearchSite(["far breton", "far east", "far far away"]) as site:
        form_crawl(site, tmp_path / "crawl", "far", budget=1)
    found = {url.rpartition("=")[2]: score for url, score in scores(tmp_path / "crawl").items()}
    assert found == {"away": 1.0, "breton": 1.0, "east": 1.0}
