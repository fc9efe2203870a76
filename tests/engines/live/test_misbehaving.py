"""A server that does everything wrong: the crawl ends, and says of each page what became of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.fetch.values import TROUBLE_KINDS, Limits
from sundog.spec.crawl import Following
from tests.engines.live.webs import Crawled, SmallWeb, crawled, urls
from tests.fetch.behaviours import BEHAVIOURS
from tests.fetch.server import Client

SEED = "http://seed.example/"
GOOD = "fine continue bad-charset bad-bytes-in-header gzip deflate br zstd no-type cookies many-links".split()
LIMITS = Limits(connect=1.0, first_byte=1.0, total=2.0, speed_grace=0.5, max_bytes=3_000_000)
PRIVATE = "loopback localhost decimal metadata mapped".split()


class Misbehaving(SmallWeb):
    """Each misbehaviour has a host of its own: five errors in a row would let one host rest for a minute."""

    async def _answer(self, client: Client) -> object:
        if client.asked.host == "seed.example":
            return await super()._answer(client)
        name = client.asked.target.partition("?")[0].strip("/")
        if name == "robots.txt" and client.asked.host != "fine.example":
            return await client.page(b"", status="404 Not Found")
        behave = BEHAVIOURS.get(name)
        return await (behave(client) if behave else client.page(b"", status="404 Not Found"))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Crawled, Misbehaving]]:
    directory = tmp_path_factory.mktemp("misbehaving") / "crawl"
    with Misbehaving() as web:
        links = [f"http://{name}.example/{name}" for name in BEHAVIOURS if name not in ("", "robots.txt")]
        links += ["http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://fine.example/secret/1"]
        web.page(SEED, *links)
        web.robots("", host="seed.example")
        yield (
            crawled(
                web,
                directory,
                SEED,
                budget=300,
                concurrency=24,
                limits=LIMITS,
                following=Following(retries=0, patience=1.0),
            ),
            web,
        )


Done = tuple[Crawled, Misbehaving]


def test_it_ends(done: Done) -> None:
    assert done[0].summary["stopped"] == "budget"
    assert done[0].summary["fetched"] == 300


@pytest.mark.parametrize("name", [name for name in BEHAVIOURS if name not in ("", "robots.txt")])
def test_each_is_a_typed_outcome(done: Done, name: str) -> None:
    url = f"http://{name}.example/{name}"
    rows = done[0].rows(
        """SELECT l.event, o.trouble, l.data FROM outcomes o JOIN log l ON l.step = o.step
           JOIN urls u ON u.id = o.candidate WHERE u.url = ?""",
        url,
    )
    assert len(rows) == 1
    event, trouble, reason = rows[0]
    if event == "fetched":
        assert trouble is None
    else:
        assert trouble in TROUBLE_KINDS
        assert trouble != "other", reason
        assert reason.startswith(trouble)
    if name in GOOD:
        assert event == "fetched"


@pytest.mark.parametrize("name", PRIVATE)
def test_redirects_to_private_addresses(done: Done, name: str) -> None:
    """Two of them lead to the same one; the second may be told that the first is just there."""
    fault = done[0].faults[f"http://redirect-{name}.example/redirect-{name}"]
    assert fault.startswith(("private-address: ", "redirect-known: http://127.0.0.1/"))


def test_nothing_private_or_forbidden_was_asked(done: Done) -> None:
    crawl, web = done
    hosts = {asked.host for asked in web.log}
    assert all(host.endswith(".example") for host in hosts), hosts
    assert not [asked for asked in web.log if asked.target.startswith("/secret")]
    assert "bad.example" not in hosts, "no passwords"
    for url in ("http://127.0.0.1/", "http://[::1]/"):
        assert crawl.refusals[url].startswith("private-address")
    assert crawl.refusals["http://fine.example/secret/1"] == "robots: forbidden"


def test_no_cookie_was_sent(done: Done) -> None:
    assert not [asked for asked in done[1].log if "cookie" in asked.headers or "authorization" in asked.headers]


def test_the_store_is_whole(done: Done) -> None:
    assert done[0].rows("PRAGMA integrity_check") == [("ok",)]
    assert done[0].rows("SELECT count(*), count(DISTINCT id) FROM pages") == [(300, 300)]


def test_names_that_lead_to_loopback(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --connect-to, names are looked up; whatever answers, nothing private is asked."""

    def look_up(host: str, *_: object, **__: object) -> list[object]:
        address = "127.0.0.1" if host != "open.example" else "93.184.216.34"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, web.port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    from sundog.engines.live.start import NoSeedError

    with pytest.raises(NoSeedError, match="private address"):
        crawled(None, tmp_path / "crawl", f"http://inside.example:{web.port}/")
    assert web.log == []


def test_redirects_to_loopback_without_connect_to(web: SmallWeb, tmp_path: Path) -> None:
    """The seed is private too, and that is allowed; a test can have no other server."""
    host = f"127.0.0.1:{web.port}"
    web.page(f"http://{host}/", "/moves", "/else")
    web.moves(f"http://{host}/moves", f"http://localhost:{web.port}/x")
    web.page(f"http://localhost:{web.port}/x")
    done = crawled(None, tmp_path / "crawl", f"http://{host}/", allow_private=True, extent="host")
    assert done.faults[f"http://{host}/moves"].startswith("redirect-out-of-scope")
    assert {asked.host for asked in web.log} == {host}


def test_five_errors_in_a_row_let_a_host_rest(web: SmallWeb, tmp_path: Path) -> None:
    web.page("http://a.example/", *urls(*(str(number) for number in range(9))))
    for url in urls(*(str(number) for number in range(9))):
        web.reply(url, status="500 Oops")
    done = crawled(web, tmp_path / "crawl")
    assert done.summary["stopped"] == "hosts resting"
    assert done.summary["failed"] == 5


def test_robots_that_fail_are_waited_for(web: SmallWeb, tmp_path: Path) -> None:
    web.page("http://a.example/", "http://b.example/", "http://c.example/")
    web.robots("", host="b.example", status="503 Busy")
    web.page("http://b.example/")
    web.page("http://c.example/")
    done = crawled(web, tmp_path / "crawl")
    assert sorted(done.fetched) == ["http://a.example/", "http://c.example/"]
    assert (done.summary["stopped"], done.refusals) == ("hosts resting", {})


def test_a_redirect_to_a_host_that_must_rest_does_not_hold_the_crawl(web: SmallWeb, tmp_path: Path) -> None:
    """b.example said Retry-After: half an hour; a page that moves there is not waited for so long."""
    web.page("http://a.example/", "http://b.example/", "/moves", "http://b.example/2")
    web.reply("http://b.example/", b"", "Retry-After: 1800", status="429 Too Many")
    web.moves(*urls("moves"), "http://b.example/2")

    done = crawled(web, tmp_path / "crawl", seconds=20.0)
    assert done.summary["stopped"] == "hosts resting"
    assert done.faults[urls("moves")[0]] == "rate-limited: the host must rest"
