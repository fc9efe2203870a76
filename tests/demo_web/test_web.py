"""The demo's web: the same every time, whole, and true to what it claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from sundog import extract
from sundog.demo_web import Truth, Web
from sundog.demo_web.claims import SCHEMA
from sundog.demo_web.dice import Dice
from sundog.demo_web.site import Page, Site
from sundog.demo_web.truth import TYPES, fact_of
from sundog.urls.identity import identity

DOCS = Path(__file__).resolve().parents[2] / "docs"
MARKUP = ("jsonld", "microdata", "rdfa", "microformats")
ENDLESS = ("/calendar/", "/private/", "colour=", "size=", "sort=", "view=")


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(1)


@pytest.fixture(scope="module")
def small_web() -> Web:
    return Web(3, hosts=8, pages=600)


def some(web: Web, count: int) -> list[tuple[str, Site, Page]]:
    return Dice(count).shuffled(list(web.pages()))[:count]


def get(web: Web, url: str) -> tuple[int, bytes, str]:
    _, _, host, rest = url.split("/", 3)
    answer = web.answer(host, f"/{rest}")
    location = f"{url.split(':')[0]}://{host}{answer.location}" if answer.location else ""
    return answer.status, answer.body, location or answer.content_type


def test_the_same_arguments_give_the_same_bytes(web: Web) -> None:
    again = Web(1)
    for url, site, _ in some(web, 200):
        target = url.removeprefix(site.root)
        assert web.answer(site.plan.host, target) == again.answer(site.plan.host, target)


def test_another_seed_gives_another_web(web: Web) -> None:
    assert {site.plan.host for site in Web(2).sites} != {site.plan.host for site in web.sites}


def test_it_has_about_the_pages_asked_for(web: Web) -> None:
    assert 0.9 * 20_000 < sum(1 for _ in web.pages()) < 1.1 * 20_000
    assert len({site.plan.host for site in web.sites}) == 60


def test_too_small_a_web_is_refused() -> None:
    with pytest.raises(ValueError, match="at least"):
        Web(1, hosts=10, pages=100)


def test_extraction_finds_what_the_truth_says(web: Web) -> None:
    seen: set[str] = set()
    for url, site, page in some(web, 700):
        status, body, content_type = get(web, url)
        if status != 200:
            continue
        found, fact = extract(body, base=url, content_type=content_type), fact_of(site, page)
        own = {name for name in found.types if name.removeprefix(SCHEMA) in TYPES}
        assert (own, any(found.counts[name] for name in MARKUP)) == (fact.types, fact.has_markup), url
        assert bool(found.counts["rdf"]) == fact.has_rdf
        seen |= {name for name, count in found.counts.items() if count}
    assert seen >= {*MARKUP, "opengraph", "rdf"}


def test_shares_are_those_of_real_sites() -> None:
    """Much as in the development data: .42 of pages; a third of hosts has none, and hosts differ."""
    for seed in (1, 2, 3):
        web = Web(seed, pages=8_000)
        truth, pages = Truth(web), sum(1 for _ in web.pages())
        assert 0.35 < len(truth.relevant("any")) / pages < 0.6
        assert 0.1 < len(truth.relevant("type:schema:Recipe or type:schema:Event")) / pages < 0.3
        bare = sum(not site.plan.habit.syntax for site in web.sites)
        assert 0.25 < bare / web.hosts < 0.55


def test_the_truth_knows_subtypes_and_refuses_what_it_does_not_know(web: Web) -> None:
    truth = Truth(web)
    assert truth.relevant("type:schema:MusicEvent") < truth.relevant("type:schema:Event")
    with pytest.raises(ValueError, match="'Persn' is not known"):
        truth.relevant("Persn")


def test_urls_are_their_own_identity(web: Web) -> None:
    assert all(identity(url) == url for url, _, _ in web.pages())


def crawl(web: Web) -> Iterator[tuple[str, int]]:
    """All that links lead to from the seeds, save what has no end."""
    queue = list(web.seeds)
    known = set(queue)
    for url in queue:
        status, body, content_type = get(web, url)
        yield url, status
        if 300 <= status < 400:
            found = [content_type]
        else:
            found = [link.url for link in extract(body, base=url, content_type=content_type).links]
        for link in found:
            name = identity(link)
            if name and ".example/" in name and name not in known and not any(part in name for part in ENDLESS):
                known.add(name)
                queue.append(name)


def test_every_page_can_be_reached_and_few_links_are_dead(small_web: Web) -> None:
    statuses = dict(crawl(small_web))
    assert {url for url, _, _ in small_web.pages()} <= set(statuses)
    dead = [url for url, status in statuses.items() if status == 404]
    assert all("/removed/" in url for url in dead)


def test_without_corners_everything_answers_at_once() -> None:
    web = Web(1, hosts=12, pages=1_000, corners=False)
    for url, site, _ in web.pages():
        answer = web.answer(site.plan.host, url.removeprefix(site.root))
        assert (answer.status, answer.delay) == (200, 0.0)


def test_broken_json_ld_is_there_and_is_not_in_the_truth(web: Web) -> None:
    broken = [
        (site, item)
        for site in web.sites
        for item in site.items
        if site.is_marked(item) and site.is_broken(item) and not site.fails(item)
    ]
    assert broken
    for site, item in broken[:5]:
        found = extract(web.answer(site.plan.host, item.path).body, base=site.root + item.path)
        assert any(fault.syntax == "jsonld" for fault in found.faults)


def test_other_urls_of_a_page_lead_to_its_proper_one(web: Web) -> None:
    site = next(site for site in web.sites if "?" not in site.items[0].path)
    proper = site.root + site.items[0].path
    for target in (site.items[0].path, f"{site.items[0].path}?utm_source=x", "/old/3/0"):
        assert web.proper_url(site.root + target) == proper


def test_the_documentation_names_parameters_that_are_there() -> None:
    text = (DOCS / "demo-web.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)\.([A-Z_]+)`", text)
    assert len(named) > 5
    assert all(hasattr(import_module(f"sundog.demo_web.{module}"), name) for module, name in named)
