"""Remote contexts of JSON-LD in a crawl: fetched once and politely, within bounds, and never instead of pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.pages import contexts
from sundog.engines.live.run import resume
from sundog.extract.remote_contexts import DEEPEST
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, stop_after

CONTEXT = "http://c.example/context"
PERSON = {"@context": {"p": "http://v.example/p", "q": {"@id": "http://v.example/q", "@context": "more"}}}
JSON = "application/ld+json"


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as running:
        yield running


def script(context: Any, **values: Any) -> str:
    document = json.dumps({"@context": context, "@id": "http://v.example/i", **values})
    return f'<script type="application/ld+json">{document}</script>'


def fetching(web: SmallWeb, directory: Path, *seeds: str, **changes: Any) -> Crawled:
    return crawled(web, directory, *seeds, **{"contexts": "fetch", **changes})


def reasons(done: Crawled) -> set[str]:
    return set(done.column("SELECT reason FROM faults"))


def asked(web: SmallWeb, host: str = "c.example") -> list[str]:
    return [url for url in web.asked(robots=True) if f"//{host}/" in url]


@pytest.mark.parametrize(("workers", "concurrency"), [(0, 1), (1, 1), (0, 8)])
def test_each_is_asked_for_once(web: SmallWeb, tmp_path: Path, workers: int, concurrency: int) -> None:
    web.reply(CONTEXT, json.dumps(PERSON), type_=JSON, delay=0.1)
    web.reply("http://c.example/more", json.dumps({"@context": {"r": "http://v.example/r"}}), type_=JSON)
    pages = [f"/{number}" for number in range(5)]
    web.page(HOME, *pages, body=script({"p": "http://v.example/p"}, p="home"))
    for page in pages:
        web.page(f"http://a.example{page}", body=script(CONTEXT, p=page, q={"r": page}))
    done = fetching(web, tmp_path / "crawl", workers=workers, concurrency=concurrency)
    assert (done.summary["fetched"], done.summary["contexts"], reasons(done)) == (6, 2, set())
    assert asked(web) == ["http://c.example/robots.txt", CONTEXT, "http://c.example/more"]
    assert "json-ld#context" in next(each.headers["accept"] for each in web.log if each.target == "/context")
    assert done.summary["statements"] == 1 + 5 * 3


def test_by_default_none_is_asked_for(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, body=script(CONTEXT, p="v"))
    done = crawled(web, tmp_path / "crawl")
    assert (asked(web), reasons(done)) == ([], {f"remote context {CONTEXT} is not fetched"})
    assert "contexts" not in done.summary


def test_a_context_that_cannot_be_had_is_not_asked_for_again(web: SmallWeb, tmp_path: Path) -> None:
    places = {
        "http://c.example/gone": "http-4xx: status 404",
        "http://c.example/secret": "robots: forbidden",
        "http://127.0.0.1/context": "private-address: 127.0.0.1",
        "ftp://c.example/context": "bad-url: not an http or https URL",
        "http://c.example/huge": f"more than {contexts.LONGEST:,} bytes",
    }
    web.robots("User-agent: *\nDisallow: /secret", "c.example")
    web.reply("http://c.example/huge", b" " * (contexts.LONGEST + 1), type_=JSON)
    web.page(HOME, "/1", "/2", body=script([*places, {"p": "http://v.example/p"}], p="v"))
    for number in (1, 2):
        web.page(f"http://a.example/{number}", body=script([*places, {"p": "http://v.example/p"}], p=number))
    done = fetching(web, tmp_path / "crawl")
    assert reasons(done) == {f"remote context {url} cannot be had: {reason}" for url, reason in places.items()}
    assert sorted(asked(web)) == [f"http://c.example/{name}" for name in ("gone", "huge", "robots.txt")]
    assert done.summary["statements"] == 3


def test_redirects_and_alternates(web: SmallWeb, tmp_path: Path) -> None:
    """Wherever they lead, scope or not; and what a page names in a Link header is the context."""
    web.moves(CONTEXT, "http://d.example/v2/page")
    link = '<context.jsonld>; rel="alternate"; type="application/ld+json"'
    web.reply("http://d.example/v2/page", b"<html>", f"Link: {link}")
    web.reply("http://d.example/v2/context.jsonld", json.dumps({"@context": "more"}), type_=JSON)
    web.reply("http://d.example/v2/more", json.dumps(PERSON), type_=JSON)
    web.page(HOME, body=script(CONTEXT, p="v"))
    done = fetching(web, tmp_path / "crawl", extent="host")
    assert (reasons(done), done.summary["statements"]) == (set(), 1)


def test_json_with_a_linked_context(web: SmallWeb, tmp_path: Path) -> None:
    web.reply(CONTEXT, json.dumps(PERSON), type_=JSON)
    link = f'Link: <{CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"'
    web.reply(HOME, json.dumps({"p": "v"}), link, type_="application/json")
    done = fetching(web, tmp_path / "crawl")
    assert (reasons(done), done.summary["statements"]) == (set(), 1)


def test_a_site_that_asks_for_more_and_more(web: SmallWeb, tmp_path: Path) -> None:
    """It costs that site its contexts, and no other."""
    web.reply(CONTEXT, json.dumps(PERSON), type_=JSON)
    pages = [f"http://evil.example/{number}" for number in range(4)]
    web.page(HOME, *pages, "/good")
    for number, page in enumerate(pages):
        many = [f"http://{number}.e.example/{each}" for each in range(contexts.MOST_A_PAGE + 5)]
        web.page(page, body=script(many, p=page))
    web.page("http://a.example/good", body=script(CONTEXT, p="v"))
    done = fetching(web, tmp_path / "crawl")
    found = reasons(done)
    assert any(f"the page asks for more than {contexts.MOST_A_PAGE}" in reason for reason in found)
    assert any("the pages of evil.example have asked for too many" in reason for reason in found)
    assert done.summary["contexts"] == contexts.MOST_A_SITE + 1
    assert done.summary["statements"] == 1


def test_a_chain_without_end(web: SmallWeb, tmp_path: Path) -> None:
    for number in range(30):
        web.reply(f"http://c.example/{number}", json.dumps({"@context": str(number + 1)}), type_=JSON)
    web.page(HOME, body=script("http://c.example/0", p="v"))
    done = fetching(web, tmp_path / "crawl")
    assert 1 <= done.summary["contexts"] <= DEEPEST + 1
    assert len(reasons(done)) == 1


def test_after_a_resume_they_are_asked_for_again_and_counted(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.reply(CONTEXT, json.dumps(PERSON), type_=JSON)
    web.page(HOME, "/1", body=script(CONTEXT, p="v"))
    web.page("http://a.example/1", body=script(CONTEXT, p="w"))
    stop_after(monkeypatch, 1)
    fetching(web, tmp_path / "crawl")
    monkeypatch.undo()
    assert (resume(tmp_path / "crawl")["contexts"], asked(web).count(CONTEXT)) == (2, 2)
