"""HEAD requests of a live crawl: as polite as fetches, observed by the session, remembered when it is resumed."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from sundog.engines.live.run import crawl, resume
from sundog.replay import filled_catalog, new_session, replay
from sundog.spec.rdf import Rdf
from sundog.store import open_readonly
from tests.engines.live.processes import killed, until_committed
from tests.engines.live.webs import HOME, Crawled, SmallWeb, at, crawled, spec_for, urls
from tests.fetch.server import Client

TURTLE = "text/turtle"
DATA = "http://a.example/start.ttl"  # RDF by its name: fetched without a HEAD request


def links(web: SmallWeb, *targets: str) -> None:
    """A document that leads to them, in this order."""
    web.reply(DATA, "".join(f"<#a> <#p> <{url}> .\n" for url in targets), type_=TURTLE)


def things(web: SmallWeb, *targets: str) -> None:
    for url in targets:
        web.reply(url, f"<{url}> <http://v.example/p> 1 .", type_=TURTLE)


def crawled_with_heads(web: SmallWeb, directory: Path, **changes: object) -> Crawled:
    values = {"policy": "ldspider", "objective": "rdf", "rdf": Rdf(follow=("objects",)), **changes}
    return crawled(web, directory, DATA, **values)


def test_what_is_rdf_by_its_type_is_fetched_first(web: SmallWeb, tmp_path: Path) -> None:
    page, thing, gone, image, moved = urls("page", "thing", "gone", "image", "moved")
    links(web, page, thing, gone, image, moved)
    web.page(page)
    things(web, thing, urls("moved-thing")[0])
    web.reply(image, b"x", type_="image/png")
    web.moves(moved, urls("moved-thing")[0])
    done = crawled_with_heads(web, tmp_path / "crawl")
    assert web.asked(method="HEAD") == [page, thing, gone, image, moved, urls("moved-thing")[0]]
    assert web.asked() == [DATA, thing, moved, urls("moved-thing")[0], page, gone, image]
    assert done.summary["looked_at"] == 5
    assert not [url for url, times in Counter(web.asked()).items() if times > 1]
    accepted = {asked.headers["accept"] for asked in web.log}
    assert len(accepted) == 1  # servers choose by it what to send


def test_head_requests_cost_their_share(web: SmallWeb, tmp_path: Path) -> None:
    targets = urls(*map(str, range(30)))
    links(web, *targets)
    things(web, *targets)
    done = crawled_with_heads(web, tmp_path / "half", budget=16, parameters={"head": 0.5}, concurrency=4)
    assert done.summary["stopped"] == "budget"
    assert 15 <= done.summary["fetched"] + 0.5 * done.summary["looked_at"] <= 16
    web.log.clear()
    none = crawled_with_heads(web, tmp_path / "none", budget=16, parameters={"head": 0.0})
    assert (none.summary["fetched"], web.asked(method="HEAD")) == (16, [])


@pytest.mark.parametrize("status", ["405 Method Not Allowed", "501 Not Implemented"])
def test_a_host_that_refuses_is_asked_once(web: SmallWeb, tmp_path: Path, status: str) -> None:
    targets = urls(*map(str, range(6)), host="no.example")
    links(web, *targets)

    async def answer(client: Client) -> None:
        if client.asked.method == "HEAD":
            await client.page(b"", status=status)
        else:
            await client.page(b"<> <http://v.example/p> <#x> .", type_=TURTLE)

    web.replies |= dict.fromkeys(targets, answer)
    crawled_with_heads(web, tmp_path / "crawl")
    assert web.asked(method="HEAD") == targets[:1]
    assert web.asked() == [DATA, *targets]


def test_robots_and_pace_hold_for_head_requests(web: SmallWeb, tmp_path: Path) -> None:
    targets = urls("1", "2", "secret/1")
    leads = urls("forbidden", "inside", host="b.example")
    links(web, *targets, *leads)
    things(web, *targets)
    web.robots("User-agent: *\nDisallow: /secret\n")
    web.moves(leads[0], targets[2])
    web.moves(leads[1], "http://127.0.0.1/inside")
    done = crawled_with_heads(web, tmp_path / "crawl", delay=0.15, concurrency=8)
    assert not [
        asked for asked in web.log if asked.target in ("/secret/1", "/inside") and asked.host != "b.example"
    ]
    assert done.refusals == {targets[2]: "robots: forbidden"}
    assert set(web.asked(method="HEAD")) == {*targets[:2], *leads}
    gaps = [later - earlier for earlier, later in pairwise(at(web.log, "a.example"))]
    assert min(gaps) > 0.13


def test_a_head_request_keeps_no_page_from_its_fetch(web: SmallWeb, tmp_path: Path) -> None:
    """One leads to the other, which is found later; asked for its headers only, it was not fetched."""
    leads, target = urls("leads", "target")
    links(web, leads, target)

    async def moves(client: Client) -> None:
        place = target if client.asked.method == "HEAD" else HOME
        await client.page(b"", f"Location: {place}", status="303 See Other")

    web.replies[leads] = moves
    things(web, target)
    crawled_with_heads(web, tmp_path / "crawl")
    assert web.asked(method="HEAD") == [leads, target, target]
    assert web.asked().count(target) == 1


def test_servers_that_do_it_wrong(web: SmallWeb, tmp_path: Path) -> None:
    packed, silent, late = urls("packed", "silent", "late")
    chatty = "http://b.example/chatty"
    links(web, packed, chatty, silent, late)
    body = gzip.compress(b"<> <http://v.example/p> 1 .")
    web.reply(packed, body, "Content-Encoding: gzip", type_=TURTLE)

    async def sends_a_body(client: Client) -> None:
        page = b"<> <http://v.example/p> 2 ."
        await client.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\nContent-Length: 27\r\n\r\n" + page)

    async def names_no_type(client: Client) -> None:
        page = b"<> <http://v.example/p> 3 ." * (client.asked.method == "GET")
        await client.send(b"HTTP/1.1 200 OK\r\nContent-Length: 27\r\n\r\n" + page)

    async def hangs_up(client: Client) -> object:
        return "close" if client.asked.method == "HEAD" else await client.page(b"<> <#p> 4 .", type_=TURTLE)

    web.replies |= {chatty: sends_a_body, silent: names_no_type, late: hangs_up}
    done = crawled_with_heads(web, tmp_path / "crawl")
    assert done.faults == {}
    assert done.fetched == [DATA, packed, chatty, silent, late]
    assert web.asked(method="HEAD") == [packed, chatty, silent, late]


def big_web(web: SmallWeb) -> list[str]:
    targets = [f"http://{host}.example/{n}" for n in range(12) for host in "abcd"]
    links(web, *targets)
    for n, url in enumerate(targets):
        if n % 3:
            web.page(url)
        else:
            things(web, url)
    return targets


@pytest.mark.parametrize(("policy", "head"), [("ldspider", 0.1), ("ldcoc", 0.2)])
def test_the_log_can_be_replayed_to_the_choice(web: SmallWeb, tmp_path: Path, policy: str, head: float) -> None:
    big_web(web)
    spec = spec_for(web, DATA, policy=policy, parameters={"head": head}, objective="rdf", concurrency=8, budget=40)
    summary = crawl(spec, tmp_path / "crawl")
    with open_readonly(tmp_path / "crawl") as store:
        session = new_session(spec, filled_catalog(store))
        leased: list[int] = []
        session.lease = leased.append  # type: ignore[assignment,method-assign]
        assert replay(store, session) == []
        assert leased == []
        assert session.fetched == summary["fetched"]
        assert session.spent == pytest.approx(head * summary["looked_at"])


def test_no_head_request_is_repeated_after_a_kill(web: SmallWeb, tmp_path: Path) -> None:
    """Of what was on disk by then."""
    targets = big_web(web)
    options = ["--policy=ldspider", "--for=rdf", "--concurrency=2"]
    with killed(web, tmp_path / "crawl", *options, seed=DATA) as process:
        until_committed(tmp_path / "crawl", "looked", 10, process)
    with open_readonly(tmp_path / "crawl") as store:
        rows = store.connection.execute("SELECT url FROM log JOIN urls ON id = subject WHERE event = 'looked'")
        known = {url for (url,) in rows}
    before = len(web.asked(method="HEAD"))
    assert resume(tmp_path / "crawl")["stopped"] == "frontier empty"
    assert len(known) >= 10
    assert known.isdisjoint(web.asked(method="HEAD")[before:])
    assert set(web.asked()) >= set(targets)
