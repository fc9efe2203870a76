"""Clicks on an example page make patterns; and a page that tries everything stays in its frame."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.conftest import web_of
from tests.browser.served import Served
from tests.browser.steps import LONG, Watched
from tests.engines.live.webs import HOME, SmallWeb
from tests.web.test_examples import shop

SHOP = "http://shop.example/c/lamps"
CITIES = "http://wiki.example/wiki/List_of_cities_in_Germany"
EVIL = "http://evil.example/"
HOSTILE = f"""<!doctype html><html onclick="top.hacked=1"><head><title>T</title><base href="{EVIL}">
<meta http-equiv="refresh" content="0;url={EVIL}refresh"><link rel="stylesheet" href="{EVIL}sheet">
<link rel="preload" as="image" href="{EVIL}preload"><link rel="dns-prefetch" href="{EVIL}">
<style>@import "{EVIL}import"; @font-face {{ font-family: x; src: url({EVIL}font) }}
body {{ background: url({EVIL}background); font-family: x }} a[href^="h"] {{ background: \\75 rl({EVIL}escaped) }}
p {{ list-style: image-set("{EVIL}set" 1x); cursor: url({EVIL}cursor), auto }}
.over {{ position: fixed; inset: 0; z-index: 2147483647; background: red }}
</style><style></styl</style><script>top.hacked=1</script></style>
<script>top.hacked=1; fetch("{EVIL}script"); parent.postMessage({{clicked: 3}}, "*")</script></head>
<body onload="top.hacked=1"><h1 onmouseover="top.hacked=1" onclick="top.hacked=1">Price list</h1>
<div class="over">Over</div><p style="background:url({EVIL}style);color:#123456">Lamp</p>
<img src="{EVIL}image" srcset="{EVIL}srcset 2x" onerror="top.hacked=1" alt="A lamp">
<iframe src="{EVIL}frame"></iframe>
<iframe srcdoc="<script>top.hacked=1</script>"></iframe>
<object data="{EVIL}object"></object><embed src="{EVIL}embed">
<form action="{EVIL}form" id="f"><input name="a" autofocus onfocus="top.hacked=1"><button>Send</button></form>
<a href="{EVIL}link" target="_top" ping="{EVIL}ping">Away</a><a href="javascript:top.hacked=1">Script</a>
<svg onload="top.hacked=1"><script>top.hacked=1</script><image href="{EVIL}svg"/>
<foreignObject><p>x</p></foreignObject>
<a href="{EVIL}svglink"><text>t</text></a><style><img src=x onerror="top.hacked=1"></style></svg>
<noscript><p title="</noscript><img src=x onerror=top.hacked=1>"></p></noscript>
<template><script>top.hacked=1</script></template><video src="{EVIL}video" poster="{EVIL}poster" autoplay></video>
<details open ontoggle="top.hacked=1"><summary>More</summary>Text</details>
<x-card onclick="top.hacked=1">Card</x-card>
<marquee onstart="top.hacked=1">Moving</marquee><dialog open>Dialog</dialog><p>12.50</p>
<math><mtext><table><mglyph><style><!--</style>
<img title="--&gt;&lt;img src=1 onerror=top.hacked=1&gt;"></mtext></math></body></html>"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with (
        web_of("examples.sites") as address,
        Served(tmp_path_factory.mktemp("sites"), "--connect-to", address) as served,
    ):
        yield served


def show(page: Watched, site: Served, seed: str, like: str) -> tuple[Page, FrameLocator]:
    """The picture of an example page."""
    shown = page.open(site, "/new")
    shown.get_by_label("Seed addresses").fill(seed)
    shown.get_by_text("Fields of pages").click()
    shown.get_by_label("A page of the kind you want").fill(like)
    shown.get_by_role("button", name="Click on the page").click()
    return shown, shown.frame_locator("dialog iframe")


def made(shown: Page) -> dict[str, Any]:
    """The patterns, as they would be begun with."""
    shown.get_by_role("button", name="Done").click()
    with shown.expect_request("**/api/check") as asked:
        shown.get_by_role("button", name="Go on in expert mode").click()
    patterns: dict[str, Any] = tomllib.loads(asked.value.post_data_json["patterns"])["patterns"]
    return patterns


def test_a_paged_list_in_three_clicks(page: Watched, sites: Served) -> None:
    shown, frame = show(page, sites, SHOP, SHOP)
    frame.get_by_text("Cinder Lamp 1", exact=True).first.click()
    frame.get_by_text("€ 77.00", exact=True).first.click()
    shown.get_by_role("button", name="Follow links").click()
    frame.get_by_text("Ember Lamp 3", exact=True).first.click()
    finds = shown.locator("#finds")
    expect(finds).to_contain_text("this page 10 items", timeout=LONG)
    expect(finds.locator("details")).to_have_count(3)
    expect(finds).to_contain_text("3 items")  # the last page
    patterns = made(shown)
    assert list(patterns["data"][0]["fields"]) == ["title", "price"]
    assert [link["name"] for link in patterns["link"]] == ["to-link", "next-page"]


def test_three_fields_of_a_paged_list_in_four_clicks(
    page: Watched, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each in another card; the fourth is the link to the next page."""
    with SmallWeb() as web:
        for number in range(1, 4):
            web.reply(f"{HOME}shop{number}", shop(5 * number, f"/shop{number + 1}" if number < 3 else ""))
        with Served(tmp_path_factory.mktemp("shop"), "--connect-to", web.connect_to) as site:
            shown, frame = show(page, site, f"{HOME}shop1", f"{HOME}shop1")
            for text in ("Lamp 5", "€ 6.50", "in red"):
                frame.get_by_text(text, exact=True).first.click()
            shown.get_by_role("button", name="Follow links").click()
            frame.get_by_text("Weiter").click()
            expect(shown.locator("#finds details")).to_have_count(3, timeout=LONG)
            expect(shown.locator("#finds details", has_text="5 items")).to_have_count(3)
            patterns = made(shown)
    fields = patterns["data"][0]["fields"]
    assert [field.get("type", "text") for field in fields.values()] == ["text", "number", "text"]
    assert [link["name"] for link in patterns["link"]] == ["next-page"]


def test_the_tutorials_cities_in_three_clicks(page: Watched, sites: Served) -> None:
    shown, frame = show(page, sites, CITIES, "http://wiki.example/wiki/Munich")
    frame.get_by_role("heading", name="Munich").click()
    frame.get_by_text("1,356,594").click()
    frame.get_by_text("519 m (1,703 ft)").click()
    expect(shown.locator("#finds details")).to_have_count(3, timeout=LONG)
    expect(shown.locator("#finds")).not_to_contain_text("0 items")
    patterns = made(shown)
    assert list(patterns["data"][0]["fields"]) == ["title", "population", "elevation"]
    assert [link["name"] for link in patterns["link"]] == ["to-city"]


def test_a_list_of_links_by_two_of_a_kind(page: Watched, sites: Served) -> None:
    """Two values of one kind are one field; by keyboard, the same."""
    shown, frame = show(page, sites, CITIES, CITIES)
    frame.get_by_text("Ansbach", exact=True).click()
    frame.get_by_text("Augsburg", exact=True).click()
    expect(shown.locator("#made")).to_contain_text("35 on this page", timeout=LONG)
    expect(shown.locator(".chosen li")).to_have_count(1)
    expect(shown.locator("#made")).to_contain_text("the crawl would end with the first page", timeout=LONG)
    shown.get_by_label("follow none").check()
    expect(shown.locator("#made")).not_to_contain_text("would end", timeout=LONG)
    expect(shown.get_by_label("follow none")).to_be_checked()
    frame.locator("body").press("ArrowDown")
    frame.locator(":focus").press("Enter")
    expect(shown.locator(".chosen")).to_contain_text("Navigation", timeout=LONG)


def test_nothing_leaves_the_frame(page: Watched, tmp_path_factory: pytest.TempPathFactory) -> None:
    with SmallWeb() as web:
        web.reply(HOME, HOSTILE)
        with Served(tmp_path_factory.mktemp("hostile"), "--connect-to", web.connect_to) as site:
            asked: list[str] = []
            page.page.on("request", lambda request: asked.append(request.url))
            shown, frame = show(page, site, HOME, HOME)
            expect(frame.get_by_text("Price list")).to_be_visible(timeout=LONG)
            for text in ("Price list", "Away", "Script", "Send", "12.50", "A lamp", "Card", "More", "Moving"):
                frame.get_by_text(text, exact=True).first.click()
            expect(shown.locator(".chosen")).to_contain_text("12.50", timeout=LONG)
            expect(shown.get_by_role("button", name="Done")).to_be_visible()
            assert (
                frame.locator("script:not(:only-child), iframe, form, input, [href], [src], svg, math").count()
                == 0
            )
            assert frame.locator("p").first.evaluate("node => getComputedStyle(node).color") == "rgb(18, 52, 86)"
            inside = frame.locator("body")
            assert inside.evaluate("() => document.body.innerHTML.includes('evil')") is False
            assert inside.evaluate("() => self.origin") == "null"
            assert inside.evaluate(REACHES_OUT) == ["no parent", "no cookie", "no script", "no fetch"]
            assert shown.evaluate("window.hacked") is None
            assert [url for url in asked if not url.startswith(f"http://{site.address}/")] == []
            assert shown.url == site.at("/new")
            page.troubles = [each for each in page.troubles if "Content Security Policy" not in each]


REACHES_OUT = """async () => {
  const said = [];
  const tried = (what, act) => { try { act(); said.push(what); } catch { said.push(`no ${what}`); } };
  tried("parent", () => parent.document.title);
  tried("cookie", () => document.cookie);
  const script = document.createElement("script");
  script.textContent = "window.ran = 1";
  document.body.append(script);
  script.remove();
  said.push(window.ran ? "script" : "no script");
  said.push(await fetch("/api/session").then(() => "fetch", () => "no fetch"));
  return said;
}"""


def test_a_page_too_long_is_cut(page: Watched, tmp_path_factory: pytest.TempPathFactory) -> None:
    with SmallWeb() as web:
        web.reply(HOME, "<title>Long</title><h1>Long</h1>" + "<p><b>x</b></p>" * 30_000)
        with Served(tmp_path_factory.mktemp("long"), "--connect-to", web.connect_to) as site:
            shown, frame = show(page, site, HOME, HOME)
            expect(frame.get_by_text("Long", exact=True)).to_be_visible(timeout=LONG)
            expect(shown.locator("#picture-note")).to_contain_text("too long to be shown")
            assert frame.locator("*").count() < 21_000
