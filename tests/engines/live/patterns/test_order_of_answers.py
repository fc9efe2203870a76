"""What a crawl by patterns finds depends neither on which answer comes first nor on how many are asked at once."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from sundog.cli.crawls.crawl import summary_lines
from sundog.engines.live.run import resume
from sundog.spec.crawl import Following
from tests.engines.live.patterns.test_live_patterns import items, rows, run
from tests.engines.live.webs import HOME, SmallWeb, stop_after

USERS = ("ann", "bob", "cy", "di")
FANS = """
[[patterns.data]]
name = "user"
when = "//h1[@class = 'user']"
fields.name = "//h1"
[[patterns.data]]
name = "artist"
when = "//h1[@class = 'artist']"
fields.name = "//h1"
fields.fan = "crawl:path('user')[1]/item/name"
[[patterns.link]]
name = "users"
find = "//li//a"
[[patterns.link]]
name = "likes"
find = "//p//a"
revisit = "path"
"""
EVERY_FAN = sorted((artist, user) for artist in ("Cake", "Abba") for user in USERS)


def fill(web: SmallWeb, seed: int) -> None:
    """Everybody likes the same, so the lists of their likes are the same to the byte."""
    dice = random.Random(seed)

    def page(path: str, body: str) -> None:
        web.reply(f"{HOME}{path}", f"<!doctype html><title>x</title>{body}", delay=dice.random() * 0.03)

    page("", "<ul>" + "".join(f"<li><a href=/{user}>{user}</a>" for user in USERS) + "</ul>")
    for user in USERS:
        page(user, f"<h1 class=user>{user}</h1><p><a href=/{user}/likes>likes</a></p>")
        page(f"{user}/likes", "<h1>Likes</h1><p><a href=/cake>Cake</a></p><p><a href=/abba>Abba</a></p>")
    page("cake", "<h1 class=artist>Cake</h1>")
    page("abba", "<h1 class=artist>Abba</h1>")


def fans(directory: Path) -> list[tuple[Any, ...]]:
    return sorted((each["name"], each["fan"]) for each in items(directory, "artist"))


@pytest.mark.parametrize("concurrency", [1, 3, 8])
@pytest.mark.parametrize("seed", range(4))
def test_cake_has_as_many_fans_as_like_it(web: SmallWeb, tmp_path: Path, seed: int, concurrency: int) -> None:
    fill(web, seed)
    summary = run(web, tmp_path / "c", FANS, concurrency=concurrency)
    assert fans(tmp_path / "c") == EVERY_FAN
    assert summary["duplicates"] == 0
    assert web.asked_twice() == {}
    statements = rows(tmp_path / "c", "SELECT count(*) FROM page_statements")
    assert statements == [(0,)]


@pytest.mark.parametrize("after", [3, 7, 10, 14])
def test_also_of_a_crawl_that_was_stopped(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    fill(web, after)
    with monkeypatch.context() as patch:
        stop_after(patch, after)
        run(web, tmp_path / "c", FANS, concurrency=4)
    resume(tmp_path / "c")
    assert fans(tmp_path / "c") == EVERY_FAN


BOTH = """
[[patterns.data]]
name = "page"
when = "//h1"
fields.name = "//h1"
[[patterns.link]]
name = "list"
find = "//li//a"
[[patterns.link]]
name = "path"
find = "//p//a"
revisit = "path"
[[patterns.link]]
name = "same"
find = "//p[@class]//a"
revisit = "path"
"""


@pytest.mark.parametrize("late", ["list", "path"])
@pytest.mark.parametrize("stops", [0, 3, 4])
def test_a_page_that_is_found_in_both_ways(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str, stops: int
) -> None:
    """Once for the list, and once for the path, on which two patterns find it."""
    web.reply(HOME, "<li><a href=/list>1</a><li><a href=/path>2</a>")
    web.reply(f"{HOME}list", "<li><a href=/page>page</a>", delay=0.1 * (late == "list"))
    web.reply(f"{HOME}path", "<p class=x><a href=/page>page</a></p>", delay=0.1 * (late == "path"))
    web.reply(f"{HOME}page", "<h1>Page</h1>")
    with monkeypatch.context() as patch:
        stop_after(patch, stops)
        run(web, tmp_path / "c", BOTH, concurrency=2)
    resume(tmp_path / "c")
    assert len(items(tmp_path / "c", "page")) == 2
    names = {url for (url,) in rows(tmp_path / "c", "SELECT url FROM pages") if "/page" in url}
    assert names == {f"{HOME}page", f"{HOME}page#~{'once' if late == 'list' else 2}"}


def test_duplicates_can_be_skipped_and_are_told(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 0)
    skipping = Following(patience=2.0, retries=0, duplicates="skip")
    summary = run(web, tmp_path / "c", FANS, following=skipping)
    assert summary["duplicates"] == len(USERS) - 1
    assert "3 pages not kept: the same as others (following.duplicates)" in list(summary_lines(summary))
    assert len(fans(tmp_path / "c")) == 2


def test_a_page_that_is_visited_twice_has_its_statements_once(web: SmallWeb, tmp_path: Path) -> None:
    """Also if a page with the same bytes came before it."""
    web.reply(HOME, "<p><a href=/a>a</a></p><p><a href=/b>b</a></p><p><a href=/twin>twin</a></p>")
    for path in "ab":
        web.reply(f"{HOME}{path}", f"<h1>{path}</h1><p><a href=/item>item</a></p>")
    for path in ("twin", "item"):
        web.product(f"{HOME}{path}")
        web.replies[f"{HOME}{path}"] = web.replies[f"{HOME}twin"]
    text = '[[patterns.link]]\nname = "all"\nfind = "//p/a"\nrevisit = "path"\n'
    run(web, tmp_path / "c", text, warc=True)
    with (tmp_path / "c" / "pages.warc.gz").open("rb") as file:
        records = [each.rec_headers.get_header("WARC-Target-URI") for each in ArchiveIterator(file)]
    assert Counter(records)[f"{HOME}item"] == Counter(records)[HOME], "what was asked once is there once"
    stored = rows(
        tmp_path / "c", "SELECT url, count(*) FROM page_statements JOIN urls ON urls.id = page GROUP BY 1"
    )
    assert sorted(stored) == [(f"{HOME}item", 1), (f"{HOME}twin", 1)]
    assert web.asked_twice() == {}


def test_visits_that_wait_for_one_answer_fail_together(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 0)
    web.reply(f"{HOME}cake", "", status="404 Not Found", delay=0.2)
    summary = run(web, tmp_path / "c", FANS, concurrency=8)
    assert summary["failed"] == len(USERS)
    assert web.asked_twice() == {}


def test_a_page_that_is_asked_again_by_count_is_not_taken_from_the_cache(web: SmallWeb, tmp_path: Path) -> None:
    paths = [f"p{number}" for number in range(4)]
    web.page(HOME, *[f"/{path}" for path in paths], "/news")
    for path in paths:
        web.page(f"{HOME}{path}", "/news")
    web.page(f"{HOME}news", body="<h1>News</h1>")
    text = """
[[patterns.link]]
name = "pages"
find = "//a[contains(@href, 'p')]"
revisit = "path"
[[patterns.link]]
name = "news"
find = "//a[contains(@href, 'news')]"
revisit = "every 2"
"""
    run(web, tmp_path / "c", text)
    assert web.asked().count(f"{HOME}news") == 3
