"""Faults in a small live web, all in one round, each at a host of its own: named there, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sundog.cli.app import main
from sundog.engines.live.run import refresh
from sundog.results.health.health import health, lines
from tests.engines.live.webs import HOME, SmallWeb, crawled

PAGES = 8
LONG = "<p>" + "An honest page with much to read on it. " * 80
WALL = "<title>Sign in</title><form><input type=password></form>"
SHELL = '<title>App</title><div id="root"></div><script src="/app.js"></script>'


def products(host: str) -> list[str]:
    return [f"http://{host}/product/{number}" for number in range(PAGES)]


def shop(web: SmallWeb, *hosts: str) -> None:
    for host in hosts:
        for url in products(host):
            web.product(url, name=f"{url} of old", head="<meta name=x>")
        web.page(f"http://{host}/", *products(host))
    web.page(HOME, *(f"http://{host}/" for host in hosts))


def found(directory: Path) -> dict[str, str]:
    return {alarm["host"]: alarm["cause"] for alarm in health(directory)["alarms"]}


def printed(directory: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["sundog", "health", str(directory), *options])
        with pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code
    return capsys.readouterr().out


@pytest.fixture
def kept(web: SmallWeb, tmp_path: Path) -> Path:
    hosts = [
        f"{name}.example" for name in ("bare", "wall", "shell", "shut", "closed", "gone", "away", "well", "lists")
    ]
    shop(web, *hosts)
    crawled(web, tmp_path / "crawl", budget=200)
    for _ in range(2):
        refresh(tmp_path / "crawl", budget=200)
    assert found(tmp_path / "crawl") == {}
    return tmp_path / "crawl"


def test_faults_are_named_in_their_first_round(
    web: SmallWeb, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for url in products("bare.example"):
        web.page(url, body=LONG)
    for url in products("wall.example"):
        web.reply(url, f"{WALL}<!-- {url} -->")
    for url in products("shell.example"):
        web.reply(url, f"{SHELL}<!-- {url} -->")
    for url in products("shut.example"):
        web.reply(url, status="403 Forbidden")
    web.robots("User-agent: *\nDisallow: /product/", "closed.example")
    for url in products("gone.example"):
        web.reply(url, f"<title>Sorry</title><h1>Page not found</h1><!-- {url} -->")
    for url in products("away.example"):
        web.moves(url, url.replace("/product/", "/shop/item/"))
        web.product(url.replace("/product/", "/shop/item/"), name=f"{url} of old", head="<meta name=x>")
    web.page("http://lists.example/", body="nothing found")
    refresh(kept, budget=200)
    expected = {
        "bare.example": "markup gone",
        "wall.example": "login wall",
        "shell.example": "only after JavaScript",
        "shut.example": "blocked",
        "closed.example": "robots.txt changed",
        "gone.example": "soft 404",
        "away.example": "moved",
    }
    assert found(kept) == expected
    alarm = next(each for each in health(kept)["alarms"] if each["host"] == "bare.example")
    assert (alarm["templates"], alarm["since"], alarm["is_new"]) == (["/product/#"], 3, True)
    assert alarm["example"] in products("bare.example")
    assert "schema:Product" in alarm["evidence"]
    assert "bare.example: markup gone (new)" in printed(kept, capsys).splitlines()
    shop(web, *(host for host in expected if host not in ("closed.example", "away.example")))
    web.robots("", "closed.example")
    for _ in range(2):
        refresh(kept, budget=200)
    assert found(kept).keys() <= {"away.example"}
    told = json.loads(printed(kept, capsys, "--json"))
    assert {each["host"] for each in told["ended"]} >= {"bare.example", "wall.example", "shut.example"}


def test_a_crawl_without_rounds_has_nothing_to_compare(web: SmallWeb, tmp_path: Path) -> None:
    shop(web, "b.example")
    crawled(web, tmp_path / "crawl")
    assert health(tmp_path / "crawl") == {"round": 0, "hosts": 0, "alarms": [], "ended": []}
    assert next(lines(health(tmp_path / "crawl"))).startswith("no round yet")


def test_where_a_page_has_less_others_like_it_are_looked_at(web: SmallWeb, tmp_path: Path) -> None:
    """Lists that a sitemap makes worthless: the few that a small round visits are enough to tell."""
    host = "lists.example"
    lists = [f"http://{host}/list/{number}" for number in range(12)]
    things = [f"http://{host}/thing/{number}" for number in range(48)]
    for number, url in enumerate(lists):
        web.page(url, *things[4 * number :][:4])
    for url in things:
        web.product(url, name=url)
    web.page(HOME, *things, *lists)
    crawled(web, tmp_path / "crawl", budget=200)
    refresh(tmp_path / "crawl", budget=200)
    for url in lists:
        web.page(url, body="no results")
    refresh(tmp_path / "crawl", budget=45, share=1.0)
    assert found(tmp_path / "crawl") == {host: "empty lists"}
