"""JOBDIR: a spider that is killed goes on, with nothing lost and nothing twice but what was in flight."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.contrib.scrapy.runs import ADDON, ended, start
from tests.engines.live.webs import HOME, SmallWeb, urls

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


def done_pages(directory: Path) -> int:
    file = directory / "sundog.db"
    if not file.exists():
        return 0
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])
    except sqlite3.OperationalError:  # it has no tables yet
        return 0
    finally:
        connection.close()


def test_kills(tree: SmallWeb, tmp_path: Path) -> None:
    settings = {**ADDON, "JOBDIR": str(tmp_path), "CONCURRENT_REQUESTS": CONCURRENCY}
    for kill in range(1, KILLS + 1):
        with start(tree, "plain", **settings) as process:
            while done_pages(tmp_path) < 20 * kill:
                assert process.poll() is None, process.stderr and process.stderr.read()
                time.sleep(0.01)
            process.kill()
    done = ended(start(tree, "plain", **settings))
    asked = Counter(tree.asked())
    products = {url for url in tree.replies if "page/" in url}
    assert products <= set(asked), "none is lost"
    assert sum(times - 1 for times in asked.values()) <= KILLS * CONCURRENCY * 2, "redirects are two requests"
    assert done["stats"]["sundog/pages"] == done_pages(tmp_path)
    assert done["stats"]["sundog/reward"] == len(products), "what was learned before the kills is known"


def test_a_job_that_is_finished(tree: SmallWeb, tmp_path: Path) -> None:
    """Its start requests, too, were made."""
    settings = {**ADDON, "JOBDIR": str(tmp_path)}
    ended(start(tree, "plain", **settings))
    tree.log.clear()
    done = ended(start(tree, "plain", **settings))
    assert tree.asked() == []
    assert done["stats"]["sundog/reward"] == 88
