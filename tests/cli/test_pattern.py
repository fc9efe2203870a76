"""``sundog pattern``: new, try and list, with the example sites behind them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from examples.sites import Served, serving
from examples.sites.wiki import Wiki

from tests.cli.commands import Command, one_line

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "patterns"
MUNICH = "http://wiki.example/wiki/Munich"


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as sites:
        yield sites


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "munich.html"
    path.write_text(Wiki().answer("/wiki/Munich", "").body, encoding="utf-8")
    return path


def test_new_prints_a_spec_and_says_why(sundog: Command, page: Path) -> None:
    done = sundog("pattern", "new", "--from", page, "--base", MUNICH, "name=Munich", "1,356,594", "--name", "city")
    assert done.code == 0
    spec = tomllib.loads(done.out)
    assert spec["seeds"] == [MUNICH]
    assert spec["patterns"]["data"][0]["name"] == "city"
    assert list(spec["patterns"]["data"][0]["fields"]) == ["name", "population"]
    assert "by the label beside it" in done.err


def test_new_over_http_with_links_from_another_page(sundog: Command, served: Served, tmp_path: Path) -> None:
    out, start = tmp_path / "cities.toml", "http://wiki.example/wiki/List_of_cities_in_Germany"
    where = ("--connect-to", served.connect_to, "--delay", 0)
    given = ("--from", MUNICH, "Munich", "519", "--start", start, "--follow", "Augsburg", "--out", out)
    done = sundog("pattern", "new", *given, *where)
    assert (done.code, done.out) == (0, "")
    assert "matches 35" in done.err
    assert f"run it: sundog crawl {out} --connect-to {served.connect_to}" in done.err
    tried = sundog("pattern", "try", out, MUNICH, *where, "--json")
    assert tried.code == 0
    assert json.loads(tried.out)["patterns"][0]["items"] == [{"title": "Munich", "elevation": 519}]


def test_new_finds_the_way_and_tries_other_pages(sundog: Command, served: Served) -> None:
    """The list has a link to the example, so nobody has to name one."""
    start = "http://wiki.example/wiki/List_of_cities_in_Germany"
    where = ("--connect-to", served.connect_to, "--delay", 0)
    done = sundog("pattern", "new", "--from", MUNICH, "Munich", "519", "--start", start, *where)
    assert "to-city" in done.out
    assert "on this page: 1 item" in done.err
    assert "on http://wiki.example/wiki/Ansbach: 1 item" in done.err
    shop = "http://shop.example/c/lamps"
    listed = sundog("pattern", "new", "--from", shop, "Cinder Lamp 1", "Ember Lamp 3", *where)
    assert list(tomllib.loads(listed.out)["patterns"]["data"][0]["fields"]) == ["title"]
    assert f"on {shop}?page=3: 3 items" in listed.err
    lost = sundog("pattern", "new", "--from", MUNICH, "519", "--start", shop, *where)
    assert f"{shop} has no link to {MUNICH}: choose with --follow" in lost.err


def test_try_shows_values_and_places(sundog: Command, page: Path) -> None:
    done = sundog("pattern", "try", EXAMPLES / "cities.toml", page, "--base", MUNICH)
    assert done.code == 0
    assert "1356594" in done.out
    assert "13:83" in done.out  # line and column of the elevation


def test_try_as_if_a_crawl_had_got_there(sundog: Command, page: Path, tmp_path: Path) -> None:
    spec = tmp_path / "deep.toml"
    when = "crawl:depth() = 2 and crawl:via('on')"
    data = f'[[patterns.data]]\nname = "deep"\nwhen = "{when}"\nfields.name = "//h1"\n'
    link = '[[patterns.link]]\nname = "on"\nfind = "//a"\n'
    spec.write_text(f'seeds = ["http://a.example/"]\n{data}{link}', encoding="utf-8")
    items = [
        json.loads(sundog("pattern", "try", spec, page, *options, "--json").out)["patterns"][0]["items"]
        for options in ((), ("--depth", 2, "--via", "on"))
    ]
    assert items == [[], [{"name": "Munich"}]]


def test_try_exits_with_1_if_a_pattern_is_in_error(sundog: Command, page: Path, tmp_path: Path) -> None:
    spec = tmp_path / "bad.toml"
    spec.write_text(
        'seeds = ["http://a.example/"]\n[[patterns.link]]\nname = "a"\nfind = "//a["\n', encoding="utf-8"
    )
    done = sundog("pattern", "try", spec, page, "--json")
    assert done.code == 1
    assert "line 1, column" in json.loads(done.out)["patterns"][0]["errors"][0]


def test_robots_txt_is_obeyed(sundog: Command, served: Served) -> None:
    where = ("--connect-to", served.connect_to, "--delay", 0)
    done = sundog("pattern", "try", EXAMPLES / "shop.toml", "http://shop.example/private/cart", *where)
    assert done.code == 1
    assert "robots.txt forbids it" in one_line(done)


def test_list_and_ready(sundog: Command) -> None:
    names = json.loads(sundog("pattern", "list", "--json").out)
    assert [line.split()[0] for line in sundog("pattern", "list").out.splitlines()] == list(names)
    assert tomllib.loads(sundog("pattern", "new", "--ready", "infobox").out)["title"] == names["infobox"]["title"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("new",), "give --from"),
        (("new", "--ready", "infobx"), "did you mean 'infobox'"),
        (("new", "--from", "PAGE", "Munich"), "--base"),
        (("new", "--from", "PAGE", "--base", MUNICH), "no value"),
        (("new", "--from", "PAGE", "--base", MUNICH, "Munchen"), "is not on the page"),
        (("new", "--from", "PAGE", "--base", MUNICH, "Munich", "--name", "a b"), "'a b'"),
        (("new", "--from", "PAGE", "--base", MUNICH, "Munich", "--engine", "xquery"), "xpath or css"),
        (("new", "--from", MUNICH, "--connect-to", "nowhere", "Munich"), "HOST:PORT"),
        (("try", "PAGE", "PAGE"), "no TOML"),
        (("try", EXAMPLES / "cities.toml", "http://127.0.0.1:1/"), "--allow-private"),
        (("try", EXAMPLES / "cities.toml", "nowhere.html"), "cannot be read"),
        (("try", EXAMPLES / "cities.toml", "PAGE", "--via", "to-citi"), "did you mean 'to-city'"),
    ],
)
def test_wrong_requests_get_one_sentence(
    sundog: Command, page: Path, arguments: tuple[object, ...], message: str
) -> None:
    done = sundog("pattern", *(page if word == "PAGE" else word for word in arguments))
    assert done.code in (1, 2)
    assert message in one_line(done)
