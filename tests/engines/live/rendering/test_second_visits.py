"""Pages that came before their template was known to need a browser come again; here without a browser."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from examples.script_web.serving import ScriptWeb, serving

from sundog import CrawlSpec, crawl
from sundog.engines.live.rendering import first_looks
from sundog.engines.live.rendering.first_looks import FirstLooks
from sundog.engines.live.rendering.passed_over import PassedOver
from sundog.engines.live.rendering.price import USUAL_PRICE, MeasuredPrice
from sundog.engines.live.rendering.records import Plain, RenderRecords
from sundog.engines.live.run import refresh, resume
from sundog.fetch.render import pool
from sundog.fetch.render.values import Rendered, Traffic
from sundog.fetch.values import Page
from sundog.results.explain import explain
from sundog.store import open_readonly

ITEMS = 12


def stand_in(web: ScriptWeb) -> type:
    """For the browsers: writes what the scripts of the sites would."""

    class StandIn:
        def __init__(self, rules: Any, **settings: Any) -> None:
            self.cpu_seconds = 0.0

        async def __aenter__(self) -> StandIn:
            return self

        async def __aexit__(self, *error: object) -> None:
            return None

        async def render(self, plain: Page) -> Rendered:
            self.cpu_seconds += 1.0
            await asyncio.sleep(0)
            found, body = urlsplit(plain.url), plain.body
            site = web.sites[found.hostname or ""]
            if site.kind == "tags" and found.path.startswith("/item/"):
                data = json.dumps(site._jsonld(found.path))
                body += f'<script type="application/ld+json">{data}</script>'.encode()
            return Rendered(plain._replace(body=body), Traffic(), 0.0)

    return StandIn


def spec_of(web: ScriptWeb, **settings: Any) -> CrawlSpec:
    return CrawlSpec(
        seeds=tuple(web.seeds),
        connect_to=web.connect_to,
        objective="type:schema:Product",
        render="learned",
        extent="host",
        workers=0,
        delay=0,
        **settings,
    )


def visits(directory: Path) -> dict[str, str]:
    """What was done with each page, by its name."""
    with open_readonly(directory) as reader:
        return dict(reader.connection.execute("SELECT url, action FROM renders ORDER BY step").fetchall())


def test_what_ran_past_is_visited_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving({"tags": 1, "plain": 1}, items=ITEMS, articles=8) as web:
        monkeypatch.setattr(pool, "Browsers", stand_in(web))
        summary = crawl(spec_of(web, budget=200, concurrency=2), tmp_path / "c")
        pages = {url.partition("#")[0] for url in visits(tmp_path / "c")}
        later = refresh(tmp_path / "c", budget=200)["rounds"][1]
    assert later["revisited"] == len(pages)  # each once
    assert summary["relevant"] == 2 * ITEMS
    made = visits(tmp_path / "c")
    again = {name for name in made if name.endswith("#~rendered")}
    assert all(made[name.partition("#")[0]] == "plain" for name in again)
    name = min(name for name in again if "tags0.test/item/" in name)
    assert explain(tmp_path / "c", name).page["browser"].startswith("rendered: ")
    found = explain(tmp_path / "c", name.partition("#")[0])
    assert found.page["browser"].startswith("not rendered: ")
    assert found.page["visited_again"].startswith("rendered: ")
    with open_readonly(tmp_path / "c") as reader:
        (parent,) = reader.connection.execute(
            "SELECT p.url FROM urls u JOIN urls p ON p.id = u.parent WHERE u.url = ?", (name,)
        ).fetchone()
    assert parent.startswith("https://tags0.test/item/")  # the page that has shown it


def test_a_template_that_ran_past_as_a_whole_is_looked_at_when_looks_are_earned() -> None:
    passed_over, records = PassedOver(), RenderRecords()
    pages = [Plain(f"h{n}.test/item/#", "tag manager", 0.0) for n in range(20)]
    for number, page in enumerate(pages):
        passed_over.add(page, number)

    def looked_at() -> list[int]:
        return passed_over.worth_a_look(lambda page: records.choose(page, 180.0, 0.0).render, records.looks)

    assert looked_at() == []
    for _ in range(10):
        records.learn(Plain("b.test/item/#", "empty shell", 0.0), True, 1.0)
    found = [looked_at() for _ in range(3)]
    assert sorted(each for some in found for each in some) == list(range(20))  # a few at a time, each once
    assert max(map(len, found)) < 20
    assert looked_at() == []


def test_a_crawl_that_was_stopped_visits_them_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it was stopped."""
    with serving({"tags": 1}, items=ITEMS, articles=0) as web:
        monkeypatch.setattr(pool, "Browsers", stand_in(web))
        for stop in range(2, 14, 3):
            directory = tmp_path / str(stop)
            crawl(spec_of(web, budget=stop, concurrency=1), directory)
            summary = resume(directory, budget=200)
            assert summary["relevant"] == ITEMS, stop
            assert [name for name in visits(directory) if name.endswith("#~rendered")], stop


def test_nobody_waits_for_a_look_that_has_ended() -> None:
    """Of two looks at one template both end; one of which nothing is heard is not waited for."""

    async def main() -> None:
        looks = FirstLooks()
        looks.begin("a")
        looks.begin("a")
        waiting = [asyncio.ensure_future(looks.one_ended()) for _ in range(3)]
        await asyncio.sleep(0)
        looks.end("a")
        await asyncio.gather(*waiting)
        assert ("a" in looks, looks.count) == (True, 1)
        looks.end("a")
        looks.end("a")
        assert ("a" in looks, looks.count) == (False, 0)

    asyncio.run(main())


def test_a_look_of_which_nothing_is_heard_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "LONGEST", 0.0)

    async def main() -> None:
        looks = FirstLooks()
        looks.begin("a")
        await looks.one_ended()
        assert ("a" in looks, looks.count) == (True, 0)
        assert "a" not in looks

    asyncio.run(main())


def test_the_price_is_that_of_pages_while_nothing_is_rendered() -> None:
    price = MeasuredPrice()
    for _ in range(20):
        price.page_came()
        with price.rendering():
            sum(range(10_000))
    assert price.of(5.0, 20) == USUAL_PRICE  # nothing was measured
    for _ in range(20):
        price.page_came()
    assert price.of(5.0, 4) == USUAL_PRICE
    assert price.of(5.0, 20) > 1.0
