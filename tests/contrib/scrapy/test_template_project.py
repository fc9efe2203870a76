"""Scrapy's own template project with one line more: ``startproject``, ``genspider`` of each template, a crawl."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contrib.scrapy.runs import PATIENCE
from tests.engines.live.webs import SmallWeb

ADDON = '\nADDONS = {"sundog.contrib.scrapy.Addon": 500}\nDOWNLOAD_DELAY = 0\n'


HOME = "http://shop.example"


def scrapy(web: SmallWeb, directory: Path, *words: str) -> str:
    """What it says, on both streams. The web is its proxy, so spiders can name a host without a port."""
    command = [sys.executable, "-m", "scrapy", *words]
    environment = {**os.environ, "http_proxy": f"http://127.0.0.1:{web.port}"}
    done = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def shop(web: SmallWeb) -> SmallWeb:
    items = [f"{HOME}/Items/{n}" for n in range(5)]
    web.page(asked_as("/"), *items, f"{HOME}/other")
    for n in range(5):
        web.page(asked_as(f"/Items/{n}"), f"{HOME}/")
    web.reply(asked_as("/feed.csv"), "name,price\na,1\nb,2\nc,3\n", type_="text/csv")
    feed = "<items>" + "<item><name>a</name></item>" * 4 + "</items>"
    web.reply(asked_as("/feed.xml"), feed, type_="text/xml")
    return web


def asked_as(path: str) -> str:
    """A proxy is asked for the whole URL, which the web takes for a path."""
    return f"{HOME}{HOME}{path}"


def test_the_template_project(shop: SmallWeb, tmp_path: Path) -> None:
    scrapy(shop, tmp_path, "startproject", "shop")
    project = tmp_path / "shop"
    with (project / "shop" / "settings.py").open("a") as settings:
        settings.write(ADDON)
    paths = {"basic": ["/"], "crawl": ["/", *(f"/Items/{n}" for n in range(5))]}
    paths |= {"csvfeed": ["/feed.csv"], "xmlfeed": ["/feed.xml"]}
    items = {"basic": 0, "crawl": 0, "csvfeed": 3, "xmlfeed": 4}  # CrawlSpider drops the template's empty item
    for template, expected in items.items():
        scrapy(shop, project, "genspider", "-t", template, f"{template}_shop", HOME + paths[template][0])
        shop.log.clear()
        said = scrapy(shop, project, "crawl", f"{template}_shop", "-s", "LOG_LEVEL=INFO")
        assert sorted(each.removeprefix(HOME * 2) for each in shop.asked()) == paths[template]
        assert f"Sundog: {expected} found on {len(paths[template])} pages" in said
        assert "'sundog/in_flight': 0" in said
        assert "ERROR" not in said
