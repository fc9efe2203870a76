"""Patterns in rounds: links that visit pages again lead where they led before, and a broken pattern is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.engines.live.run import crawl, refresh
from sundog.results.health.health import health
from sundog.spec.crawl import parse_spec
from tests.engines.live.webs import HOME, Crawled, SmallWeb, spec_for

SPEC = """
seeds = ["{home}"]

[[patterns.data]]
name = "city"
find = "//table[@class = 'box']"
fields.name = {{ find = "//h1" }}

[[patterns.link]]
name = "to-list"
find = "//p/a"

[[patterns.link]]
name = "to-city"
find = "//li/a"
revisit = "{revisit}"
"""


def fill(web: SmallWeb, cities: int) -> None:
    """The home page and two lists link to all cities."""
    entries = "".join(f"<li><a href=/c{number}>c</a>" for number in range(cities))
    web.page(HOME, body=f"<p><a href=/a>a</a><a href=/b>b</a></p><ul>{entries}</ul>")
    for name in "ab":
        web.page(f"{HOME}{name}", body=f"<ul>{entries}</ul>")
    for number in range(cities):
        web.page(f"{HOME}c{number}", body=f"<h1>City {number}</h1><table class=box></table>")


def begun(web: SmallWeb, directory: Path, revisit: str) -> None:
    patterns = parse_spec(SPEC.format(home=HOME, revisit=revisit)).patterns
    crawl(spec_for(web, patterns=patterns, objective="patterns", budget=100), directory)


@pytest.mark.parametrize(("revisit", "visits"), [("path", 3), ("every 2", 2), ("once", 1)])
def test_a_link_that_is_seen_again_is_no_other_one(
    web: SmallWeb, tmp_path: Path, revisit: str, visits: int
) -> None:
    fill(web, 3)
    begun(web, tmp_path / "crawl", revisit)
    for cities in (4, 5, 5):
        fill(web, cities)
        refresh(tmp_path / "crawl", budget=100)
        urls = Crawled(tmp_path / "crawl").column("SELECT url FROM pages WHERE url GLOB '*/c[0-9]*'")
        assert len(urls) == visits * cities, urls


def test_a_pattern_that_matches_nothing_any_more(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 8)
    begun(web, tmp_path / "crawl", "once")
    for number in range(8):
        web.page(f"{HOME}c{number}", body=f"<h1>City {number}</h1>")
    refresh(tmp_path / "crawl", budget=100)
    (alarm,) = health(tmp_path / "crawl")["alarms"]
    assert (alarm["cause"], alarm["wrong"]) == ("pattern stopped matching", 8)
    assert "city matched before" in alarm["evidence"]
