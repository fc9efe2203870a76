"""JOBDIR: a spider that is killed goes on, with nothing lost and nothing twice but what was in flight."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.contrib.scrapy.runs import ADDON, PATIENCE, ended, start
from tests.engines.live.webs import HOME, SmallWeb, urls
from tests.fetch.server import Client

CONCURRENCY = 4
KILLS = 3


@pytest.fixture
def tree(web: SmallWeb) -> SmallWeb:
    """Lists of lists; some lead on by redirects."""
    web.page(HOME, *urls(*(f"list/{n}" for n in range(8))))
    for n in range(8):
        pages = urls(*(f"page/{n}-{k}" for k in range(10)))
        web.page(f"{HOME}list/{n}", *pages, *urls(f"moved/{n}"), delay=0.02)
        web.moves(f"{HOME}moved/{n}", f"{HOME}moved-page/{n}")
        web.product(f"{HOME}moved-page/{n}", delay=0.02)
        for page in pages:
            web.product(page, HOME, delay=0.02)
    return web


def done_urls(directory: Path) -> list[str]:
    file = directory / "sundog.db"
    if not file.exists():
        return []
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            return [name.partition("#")[0] for (name,) in connection.execute("SELECT name FROM outcomes")]
        except sqlite3.OperationalError:  # it has no tables yet
            return []


def test_kills(tree: SmallWeb, tmp_path: Path) -> None:
    settings = {**ADDON, "JOBDIR": str(tmp_path), "CONCURRENT_REQUESTS": CONCURRENCY}
    asked: set[str] = set()
    again: set[str] = set()
    done_at_kill: set[str] = set()
    for kill in range(1, KILLS + 1):
        with start(tree, "plain", **settings) as process:
            while len(done_urls(tmp_path)) < 20 * kill:
                assert process.poll() is None, process.stderr and process.stderr.read()
                time.sleep(0.01)
            process.kill()
        again |= done_at_kill & set(tree.asked())
        asked |= set(tree.asked())
        done_at_kill = set(done_urls(tmp_path))
        tree.log.clear()
    done = ended(start(tree, "plain", **settings))
    again |= done_at_kill & set(tree.asked())
    asked |= set(tree.asked())
    products = {url for url in tree.replies if "page/" in url}
    assert products <= asked, "none is lost"
    assert again <= {HOME}, "what was done is not asked for again; HOME is a start, and a link"
    assert done["stats"]["sundog/pages"] == len(done_urls(tmp_path))
    assert done["stats"]["sundog/reward"] == len(products), "what was learned before the kills is known"


def kill_when_done(web: SmallWeb, wanted: list[str], directory: Path, spider: str, **settings: Any) -> None:
    with start(web, spider, **ADDON, JOBDIR=str(directory), **settings) as process:
        while Counter(wanted) - Counter(done_urls(directory)):
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.01)
        process.kill()
    web.log.clear()


def test_what_a_page_leads_to_does_not_depend_on_another_one(web: SmallWeb, tmp_path: Path) -> None:
    """Two pages lead to a third. One is in work for ever, the other is done; then the first one is gone."""
    slow, quick, both = urls("slow", "quick", "both")
    web.page(HOME, slow)
    web.product(slow, both, quick)
    web.page(quick, both)
    web.page(both, delay=PATIENCE)
    pipelines = {"ITEM_PIPELINES": {"tests.contrib.scrapy.components.NeverDone": 100}}
    kill_when_done(web, [quick], tmp_path, "plain", **pipelines)
    web.reply(slow, b"", status="404 Not Found")
    web.product(both)
    done = ended(start(web, "plain", **ADDON, JOBDIR=str(tmp_path)))
    assert done["items"] == [both]
    assert sorted(web.asked()) == sorted([slow, both])


def test_where_a_redirect_leads_does_not_depend_on_it(web: SmallWeb, tmp_path: Path) -> None:
    moved, target, other = urls("moved", "target", "other")
    web.page(HOME, moved, other)
    web.moves(moved, target)
    web.page(target, delay=PATIENCE)

    async def after_the_redirect(client: Client) -> object:
        while target not in web.asked():
            await asyncio.sleep(0.01)
        return await client.page(f'<a href="{target}">there</a>'.encode(), type_="text/html")

    web.replies[other] = after_the_redirect
    kill_when_done(web, [other], tmp_path, "plain")
    web.reply(moved, b"", status="404 Not Found")
    web.product(target)
    done = ended(start(web, "plain", **ADDON, JOBDIR=str(tmp_path)))
    assert done["items"] == [target]
    assert sorted(web.asked()) == sorted([moved, target])


def test_what_is_insisted_on_is_not_made_twice(web: SmallWeb, tmp_path: Path) -> None:
    """Though the page that insists is fetched again, for it was not done."""
    names = [f"{HOME}{n}" for n in range(3)]
    for name in names:
        web.page(name)
    web.product(f"{HOME}slow", *names)
    pipelines = {"ITEM_PIPELINES": {"tests.contrib.scrapy.components.NeverDone": 100}}
    kill_when_done(web, [*names, names[0]], tmp_path, "unfiltered", **pipelines)
    done = ended(start(web, "unfiltered", **ADDON, JOBDIR=str(tmp_path)))
    assert done["items"] == [f"{HOME}slow"]
    assert web.asked() == [f"{HOME}slow"]


def test_a_spider_that_is_closed_in_the_middle(tree: SmallWeb, tmp_path: Path) -> None:
    """Nothing is in flight then, so nothing is asked twice; redirects that had come back go out again."""
    settings = {**ADDON, "JOBDIR": str(tmp_path), "CONCURRENT_REQUESTS": CONCURRENCY}
    first = ended(start(tree, "plain", **settings, CLOSESPIDER_ITEMCOUNT=20))
    assert first["stats"]["finish_reason"] == "closespider_itemcount"
    done = ended(start(tree, "plain", **settings))
    asked = Counter(tree.asked())
    assert done["stats"]["sundog/reward"] == len({url for url in tree.replies if "page/" in url})
    assert {url for url in tree.replies if url not in asked} == set()
    assert {url for url, times in asked.items() if times > 1 and "moved/" not in url} <= {HOME}


def test_a_job_that_is_finished(tree: SmallWeb, tmp_path: Path) -> None:
    """Its start requests, too, were made."""
    settings = {**ADDON, "JOBDIR": str(tmp_path)}
    ended(start(tree, "plain", **settings))
    tree.log.clear()
    done = ended(start(tree, "plain", **settings))
    assert tree.asked() == []
    assert done["stats"]["sundog/reward"] == 88
