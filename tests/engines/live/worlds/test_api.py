"""Crawls of a real API on loopback: what is read of its answers, and what is survived of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.run import crawl
from sundog.errors import UsageError
from sundog.fetch.values import Limits
from sundog.scope.scope import Scope
from tests.engines.live.worlds.api_service import WORD, ApiService
from tests.engines.live.worlds.specs import POSTS, api_crawl, api_spec
from tests.fetch.server import Asked


def name_of(url: str) -> str:
    return url.split("/")[4].replace("%20", " ")


def test_nodes_are_scored_by_their_texts(tmp_path: Path) -> None:
    with ApiService() as service:
        done = api_crawl(service, tmp_path / "crawl")
        assert done.summary["requests"] == len(service.log) == 40
    assert done.summary["stopped"] == "budget"
    for url, reward in done.rewards.items():
        count = " ".join(service.network.posts[name_of(url)]).count(WORD)
        assert reward == pytest.approx(1 + math.log(count) if count else 0.0)
    assert done.fetched[0] == "http://api.example/users/user%200/posts?page=1"
    known = set(done.column("SELECT url FROM urls"))
    friends = {friend.replace(" ", "%20") for friend in service.network.friends["user 0"]}
    assert {f"http://api.example/users/{friend}/posts?page=1" for friend in friends} <= known


def test_pages_that_go_round_in_a_circle_end(tmp_path: Path) -> None:
    def round_and_round(asked: Asked) -> tuple[int, Any, list[str]]:
        cursor = "b" if "cursor=a" in asked.target else "a"
        return 200, {"posts": [], "friends": [{"id": cursor}], "next": cursor}, []

    with ApiService(misbehave=round_and_round) as service:
        done = api_crawl(service, tmp_path / "crawl", budget=30)
    assert "pages go round in a circle" in next(iter(done.faults.values()))
    assert len(service.log) == 3 * 4  # three nodes: posts, first, a, b


def test_endless_pages_are_cut(tmp_path: Path) -> None:
    numbers = iter(range(10**6))

    def endless(asked: Asked) -> tuple[int, Any, list[str]]:
        return 200, {"posts": [{"text": "more"}] * 2, "next": next(numbers)}, []

    with ApiService(misbehave=endless) as service:
        done = api_crawl(service, tmp_path / "crawl", api={"max_pages": 3})
    assert len(service.log) == 6
    assert "cut: more than 3 pages" in next(iter(done.faults.values()))


def test_the_next_page_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    def elsewhere(asked: Asked) -> tuple[int, Any, list[str]]:
        return 200, {"posts": []}, ['Link: <http://evil.example/x>; rel="next"']

    with ApiService(misbehave=elsewhere) as service:
        done = api_crawl(
            service, tmp_path / "crawl", api={"items": POSTS.partition("?")[0], "neighbours": "", "next": ""}
        )
    assert "elsewhere" in next(iter(done.faults.values()))
    assert {asked.host for asked in service.log} == {"api.example"}


@pytest.mark.parametrize("by_header", [True, False])
def test_pages_by_link_header_and_by_url(tmp_path: Path, by_header: bool) -> None:
    def linked(asked: Asked) -> tuple[int, Any, list[str]]:
        number = int(asked.target.rpartition("=")[2]) if "=" in asked.target else 1
        following = f"?p={number + 1}" if number < 4 else None
        link = (
            [f'Link: <?p=1>; rel="prev", <{following}>; title=x; rel="last next"']
            if following and by_header
            else []
        )
        return 200, {"posts": [{"text": WORD}], "following": following}, link

    api = {"items": POSTS.partition("?")[0], "neighbours": "", "next": "" if by_header else "following"}
    with ApiService(misbehave=linked) as service:
        done = api_crawl(service, tmp_path / "crawl", api=api)
    assert list(done.rewards.values()) == [pytest.approx(1 + math.log(4))]
    assert len(service.log) == 4


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "the answer is no JSON"),
        (b"\xff\xfe", "the answer is no JSON"),
        (b"[" * 40_000, "the answer is no JSON"),
        (b'{"posts": [' + b'{"text": "x"},' * 10_000 + b"0]}", "the answer has more than 50,000 bytes"),
    ],
    ids=["broken", "bytes", "deep", "huge"],
)
def test_answers_that_cannot_be_read_are_failures(tmp_path: Path, body: bytes, reason: str) -> None:
    with ApiService(misbehave=lambda _: (200, body, [])) as service:
        done = api_crawl(service, tmp_path / "crawl", limits=Limits(max_bytes=50_000))
    assert done.summary["failed"] == 1
    assert reason in next(iter(done.faults.values()))


def test_a_broken_second_page_costs_that_page_only(tmp_path: Path) -> None:
    def broken(asked: Asked) -> tuple[int, Any, list[str]] | None:
        return (200, b"{", []) if "page=2" in asked.target else None

    with ApiService(misbehave=broken) as service:
        done = api_crawl(service, tmp_path / "crawl", budget=3)
    assert "api: the answer is no JSON" in next(iter(done.faults.values()))
    assert done.rewards["http://api.example/users/user%200/posts?page=1"] > 0


@pytest.mark.parametrize("score", [-1, "7", True, 1e300])
def test_scores_that_are_none_are_faults(tmp_path: Path, score: Any) -> None:
    api = {"score": "score", "texts": "", "neighbours": ""}
    with ApiService(misbehave=lambda _: (200, {"score": score, "friends": ["x"]}, [])) as service:
        done = api_crawl(service, tmp_path / "crawl", objective="any", budget=1, api=api)
    assert list(done.rewards.values()) == [0.0]
    assert "a score is a number" in next(iter(done.faults.values()))


def test_a_score_may_be_in_the_answers(tmp_path: Path) -> None:
    api = {"score": "length(posts)", "texts": "", "keep": "posts[].text"}
    with ApiService() as service:
        done = api_crawl(service, tmp_path / "crawl", objective="any", budget=4, api=api)
    assert list(done.rewards.values()) == [2.0]  # the sum over two pages, of which an empty one ended them
    assert len(done.column("SELECT answer FROM answers")) == 2


def test_strange_ids_are_left_out(tmp_path: Path) -> None:
    strange = [None, "", ".", "..", True, {"id": []}, "x" * 5_000, {}, [], 7, "7", "a/b?c#d", "user 0"]
    body = {"posts": [], "friends": strange}

    with ApiService(misbehave=lambda _: (200, body, [])) as service:
        done = api_crawl(service, tmp_path / "crawl", budget=4, api={"links": "friends"})
    ids = [name_of(url) for url in done.column("SELECT url FROM urls ORDER BY id")]
    assert ids == ["user 0", "7", "a%2Fb%3Fc%23d"]


def test_tokens_and_what_was_not_asked_for_are_kept_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "very-secret-7")
    with ApiService(token="very-secret-7") as service:
        done = api_crawl(service, tmp_path / "crawl", api={"headers": {"Authorization": "Bearer ${API_TOKEN}"}})
        assert {asked.headers["authorization"] for asked in service.log} == {"Bearer very-secret-7"}
    assert done.summary["relevant"] > 0
    kept = b"".join(path.read_bytes() for path in (tmp_path / "crawl").rglob("*") if path.is_file())
    assert b"${API_TOKEN}" in kept
    assert b"very-secret-7" not in kept
    assert b"secret of the author" not in kept


def test_without_its_token_a_crawl_does_not_begin(tmp_path: Path) -> None:
    spec = api_spec(None, api={"headers": {"X-Key": "${SUNDOG_TEST_UNSET}"}})
    with pytest.raises(UsageError, match="X-Key: the environment variable SUNDOG_TEST_UNSET is not set"):
        crawl(spec, tmp_path / "crawl")
    assert not (tmp_path / "crawl").exists()


def test_a_token_in_the_spec_is_refused(tmp_path: Path) -> None:
    spec = api_spec(None, api={"headers": {"Authorization": "Bearer abc"}})
    with pytest.raises(UsageError, match=r"api\.headers\.Authorization: a secret may not stand in the spec"):
        crawl(spec, tmp_path / "crawl")
    assert not (tmp_path / "crawl").exists()


def test_a_wrong_token_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "wrong")
    with ApiService(token="right") as service:
        done = api_crawl(service, tmp_path / "crawl", api={"headers": {"Authorization": "Bearer ${API_TOKEN}"}})
    assert (done.summary["failed"], done.summary["stopped"]) == (1, "frontier empty")


def test_it_goes_no_deeper_than_max_depth(tmp_path: Path) -> None:
    with ApiService() as service:
        done = api_crawl(service, tmp_path / "crawl", budget=1_000, scope=Scope(max_depth=1))
    assert done.summary["stopped"] == "frontier empty"
    friends = set(service.network.friends["user 0"]) | {"user 0"}
    assert {name_of(url) for url in done.fetched} == friends


def test_robots_txt_is_not_asked_unless_the_spec_says_so(tmp_path: Path) -> None:
    with ApiService() as service:
        api_crawl(service, tmp_path / "without", budget=4)
        assert not any("robots" in asked.target for asked in service.log)
    with ApiService(misbehave=lambda asked: (404, b"", []) if "robots" in asked.target else None) as service:
        done = api_crawl(service, tmp_path / "with", budget=4, api={"robots": True})
        assert service.log[0].target == "/robots.txt"
        assert done.summary["requests"] == len(service.log) == 4
