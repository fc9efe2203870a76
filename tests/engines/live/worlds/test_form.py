"""Siphoning a real search site on loopback, whose database is known to the tests alone."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from sundog.cli.crawls.live_view import budget_line
from sundog.engines.live.run import crawl, resume
from sundog.engines.live.worlds.form import Vocabulary
from sundog.fetch.values import Limits
from sundog.results.export import export
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.directories import Root
from tests.engines.live.webs import Crawled, stop_after
from tests.engines.live.worlds.search_site import SearchSite
from tests.engines.live.worlds.specs import form_crawl, form_spec
from tests.fetch.server import Asked

JSON = {"format": "json", "records": "hits", "id": "key", "text": "body.text", "next": "more"}


def found(done: Crawled) -> list[dict[str, str]]:
    return [json.loads(answer) for answer in done.column("SELECT answer FROM answers ORDER BY id")]


def check(done: Crawled, site: SearchSite) -> None:
    """Every record once, as it is in the database."""
    records = found(done)
    assert len({record["id"] for record in records}) == len(records) == done.summary["reward"]
    assert all(site.records[int(record["id"])] == record["text"] for record in records)


@pytest.mark.parametrize(
    ("form", "as_json"),
    [({}, False), ({"method": "post"}, False), (JSON, True), ({**JSON, "method": "post"}, True)],
    ids=["get", "post", "json", "json by post"],
)
def test_records_are_found_and_kept_once(tmp_path: Path, form: dict[str, Any], as_json: bool) -> None:
    with SearchSite(as_json=as_json) as site:
        done = form_crawl(site, tmp_path / "crawl", form=form, budget=60)
        keywords = [query["q"] for query in site.queries() if "page" not in query]
        assert len(keywords) == len(set(keywords)) == 60  # the budget is of queries
        assert done.summary["requests"] == len(site.log)
    check(done, site)
    assert done.summary["reward"] > 0.4 * len(site.records)
    assert done.fetched[:1] == ["http://library.example/search?q=the"]


def test_the_budget_is_of_queries_wherever_it_is_shown(tmp_path: Path) -> None:
    lines = []
    with SearchSite() as site:
        spec = form_spec(site, budget=6)
        summary = crawl(spec, tmp_path / "library", watch=lambda now: lines.append(budget_line(now)))
        assert summary["requests"] > 6
    assert (summary["unit"], summary["spent"]) == ("queries", 6)
    assert lines[-1].startswith("6 of 6 queries · ")
    library = Root(tmp_path).crawl("library")
    shown = Crawls(Root(tmp_path)).as_json(library)
    assert (shown["spent"], shown["budget"], shown["unit"]) == (6, 6, "queries")
    old = {name: value for name, value in summary.items() if name not in ("unit", "spent")}
    (tmp_path / "library" / "summary.json").write_text(json.dumps(old))
    assert Crawls(Root(tmp_path)).as_json(library)["spent"] == 6


def test_by_post_nothing_stands_in_the_url(tmp_path: Path) -> None:
    with SearchSite() as site:
        form = {"method": "post", "fields": {"lang": "en"}, "next": "", "page_field": "page"}
        done = form_crawl(site, tmp_path / "crawl", form=form, budget=2)
        assert {asked.target for asked in site.log if "search" in asked.target} == {"/search"}
        assert site.queries()[0] == {"q": "the", "lang": "en"}
        assert site.queries()[1] == {"q": "the", "lang": "en", "page": "2"}
    check(done, site)


@pytest.mark.parametrize("form", [{"next": "a.next"}, {"next": "", "page_field": "page"}])
def test_pages_of_results_end_at_the_cap(tmp_path: Path, form: dict[str, str]) -> None:
    with SearchSite(most=10**6) as site:
        done = form_crawl(site, tmp_path / "crawl", form={**form, "max_pages": 3}, budget=1)
        assert [query.get("page", "1") for query in site.queries()] == ["1", "2", "3"]
    assert done.summary["reward"] == 60


def test_ids_may_be_links_or_texts_or_nothing(tmp_path: Path) -> None:
    for number, place in enumerate(["a@href", "a", "", "@data-id"]):
        with SearchSite() as site:
            done = form_crawl(site, tmp_path / str(number), form={"id": place}, budget=5)
        assert done.summary["reward"] == len({record["text"] for record in found(done)})
        if place == "a@href":
            assert found(done)[0]["id"].startswith("http://library.example/record/")


def test_the_same_records_for_ever_earn_once_and_end(tmp_path: Path) -> None:
    body = (
        b"<li class=hit data-id=1>far breton<li class=hit data-id=2>kouign amann</li><a class=next href=?x>.</a>"
    )
    with SearchSite(misbehave=lambda _: body) as site:
        done = form_crawl(site, tmp_path / "crawl")
        assert len(site.queries()) == 10  # five words, for each a page and once more the same one
    assert (done.summary["reward"], done.summary["fetched"], done.summary["stopped"]) == (2, 5, "frontier empty")


def test_endless_new_words_and_pages_are_ended_by_the_budget(tmp_path: Path) -> None:
    numbers = itertools.count()

    def endless(_: Asked) -> bytes:
        number = next(numbers)
        letters = "".join(chr(97 + int(digit)) for digit in str(number))
        return f"<li class=hit data-id=1>word{letters}<a class=next href=?n={number}>more</a>".encode()

    with SearchSite(misbehave=endless) as site:
        done = form_crawl(site, tmp_path / "crawl")
        assert len(site.queries()) == 60
    assert (done.summary["reward"], done.summary["stopped"]) == (1, "budget")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<li class=hit>",
        b"<li class=hit>" * 20_000,
        b"\xff\x00\xfe",
        b"<p>no results",
        b"<li class=hit data-id=''>x",
    ],
)
def test_pages_without_records_are_survived(tmp_path: Path, body: bytes) -> None:
    with SearchSite(misbehave=lambda _: body) as site:
        done = form_crawl(site, tmp_path / "crawl", limits=Limits(max_bytes=200_000))
    assert done.summary["reward"] == 0
    assert done.summary["stopped"] == "frontier empty"


def test_more_results_elsewhere_are_not_asked_for(tmp_path: Path) -> None:
    body = b"<li class=hit data-id=1>it</li><a class=next href=http://evil.example/>more</a>"
    with SearchSite(misbehave=lambda _: body) as site:
        form_crawl(site, tmp_path / "crawl")
        assert {asked.host for asked in site.log} == {"library.example"}


def test_robots_txt_is_obeyed(tmp_path: Path) -> None:
    with SearchSite() as site:
        answer = site.behaviours[""]

        async def with_robots(client: Any) -> None:
            if client.asked.target == "/robots.txt":
                await client.page(b"User-agent: *\nDisallow: /search", type_="text/plain")
            else:
                await answer(client)

        site.behaviours[""] = with_robots
        done = form_crawl(site, tmp_path / "crawl")
        assert site.queries() == []
    assert list(done.refusals.values()) == ["robots: forbidden"]


def test_resumed_it_makes_the_same_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SearchSite() as site:
        whole = form_crawl(site, tmp_path / "whole", policy="sundog", budget=25)
        asked = site.queries()
        site.log.clear()
        with monkeypatch.context() as patch:
            stop_after(patch, 11)
            part = form_crawl(site, tmp_path / "part", policy="sundog", budget=25)
        resume(tmp_path / "part")
        assert site.queries() == asked
    assert part.choices == whole.choices
    assert found(part) == found(whole)


def test_records_can_be_taken_home(tmp_path: Path) -> None:
    with SearchSite() as site:
        done = form_crawl(site, tmp_path / "crawl", budget=2)
    lines = [json.loads(line) for line in export(tmp_path / "crawl", "answers").read_text().splitlines()]
    assert [line["answer"] for line in lines] == found(done)
    assert all(line["page"].endswith(f"?q={line['answer']['keyword']}") for line in lines)


def test_words_of_most_records_are_no_keywords() -> None:
    vocabulary = Vocabulary(min_length=3, max_share=0.5)
    assert dict(vocabulary.keywords(["the cat", "the dog of the house"])) == {
        "the": 3,
        "cat": 1,
        "dog": 1,
        "house": 1,
    }
    for number in range(50):
        vocabulary.learn(f"the {'cat' if number % 2 else 'dog'}")
    assert dict(vocabulary.keywords(["the cat", "the dog"])) == {"cat": 1, "dog": 1}
