"""What is made of pages: what counts twice, what is kept, where it leads."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.engines.live.pages.intake import observation_of_trouble, page_name
from sundog.fetch.values import AGENT, Hop, Trouble, trouble
from sundog.model import Failed, Refused
from sundog.scope.scope import Scope
from sundog.spec.crawl import Following
from sundog.store.query import query
from tests.engines.live.webs import HOME, Reply, SmallWeb, crawled, urls

TWIN = Reply(b'<title>Twin</title><p typeof="schema:Thing">x</p><a href="/from-twin">next</a>')


def test_the_same_content_twice(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("one", "two"))
    for url in urls("one", "two"):
        web.replies[url] = TWIN
    done = crawled(web, tmp_path / "crawl")
    one, two = urls("one", "two")
    assert (done.rewards[one], done.rewards[two]) == (1.0, 0.0)
    assert done.duplicates == {two: one}
    assert done.faults == {two: "kept: duplicate", urls("from-twin")[0]: "http-4xx: status 404"}
    assert not web.asked_twice()
    answer = query(tmp_path / "crawl", "SELECT ?g { GRAPH ?g { ?s a <http://schema.org/Thing> } }")
    assert answer.texts() == [[one]]


def test_canonical_links(web: SmallWeb, tmp_path: Path) -> None:
    """Whichever of the two names comes first is kept."""
    canonical = '<link rel="canonical" href="/item">'
    web.page(HOME, *urls("item?print=1", "item", "item?sort=2"))
    for url in urls("item?print=1", "item", "item?sort=2"):
        web.product(url, f"{url}&next", head=canonical)
    done = crawled(web, tmp_path / "crawl")
    first = urls("item?print=1")[0]
    assert done.duplicates == {url: first for url in urls("item", "item?sort=2")}
    assert {url for url, reward in done.rewards.items() if reward} == {first}
    assert urls("item?sort=2&next")[0] in done.fetched, "another page, so its links count"


def test_nobody_can_take_the_name_of_another_site(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, "http://evil.example/", *urls("item"))
    web.product("http://evil.example/", head='<link rel="canonical" href="http://a.example/item">')
    web.product(*urls("item"))
    done = crawled(web, tmp_path / "crawl")
    assert done.duplicates == {}
    assert done.rewards[urls("item")[0]] == 1.0


def test_names_of_pages() -> None:
    page = "http://www.a.com/x?sort=1"
    assert page_name(page, "") == page
    assert page_name(page, "http://www.a.com/x") == "http://www.a.com/x"
    assert page_name(page, "https://a.com/x") == "https://a.com/x", "of one domain"
    assert page_name(page, "http://www.a.com/") == page, "no page is the home page"
    assert page_name(page, "http://b.com/x") == page, "nor another site's"
    assert page_name(page, "javascript:void(0)") == page
    assert page_name(f"{page}&PHPSESSID=12", "") == page


def test_redirects(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("item", "old/1", "old/2", "other", "login/1", "login/2"))
    web.product(*urls("item"))
    web.product(*urls("new"))
    web.page(*urls("login"))
    web.moves(urls("old/1")[0], "/item")
    web.moves(urls("old/2")[0], "/old/3")
    web.moves(urls("old/3")[0], "/item")
    web.moves(urls("other")[0], "/new")
    for url in urls("login/1", "login/2"):
        web.moves(url, "/login")
    done = crawled(web, tmp_path / "crawl", concurrency=8)
    assert not web.asked_twice()
    known = {url: fault for url, fault in done.faults.items() if fault.startswith("redirect-known")}
    assert len(known) == 3
    assert {url: done.rewards[url] for url in urls("item", "other")} == dict.fromkeys(urls("item", "other"), 1.0)
    final = done.table("SELECT url, final_url FROM outcomes JOIN urls ON urls.id = candidate")
    assert final[urls("other")[0]] == urls("new")[0]


def test_a_retry_may_go_the_same_way_again(web: SmallWeb, tmp_path: Path) -> None:
    web.moves(HOME, "/1")
    web.moves(urls("1")[0], "/2")
    times = iter(range(9))

    async def fails_once(client):  # type: ignore[no-untyped-def]
        if next(times) == 0:
            return "close"
        return await client.page(b"<p>at last")

    web.replies[urls("2")[0]] = fails_once
    done = crawled(web, tmp_path / "crawl", following=Following(retries=1))
    assert done.faults == {}
    assert done.summary["retries"] == 1
    assert done.column("SELECT url FROM hops") == urls("1")


def test_session_ids_and_tracking(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, "/a?PHPSESSID=1", "/a?utm_source=x", "/a#part", "/a;jsessionid=2", "/index.html")
    web.page(*urls("a"))
    assert sorted(crawled(web, tmp_path / "crawl").fetched) == sorted([HOME, *urls("a")])


@pytest.mark.parametrize("place", ["meta", "header"])
@pytest.mark.parametrize(
    "word", ["noindex", "nofollow", "none", "unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"]
)
def test_pages_that_say_no(web: SmallWeb, tmp_path: Path, place: str, word: str) -> None:
    head = f'<meta name="Robots" content="{word.upper()}">' if place == "meta" else ""
    headers = (f"X-Robots-Tag: {word}",) if place == "header" else ()
    web.product(HOME, *urls("1"), head=head)
    web.replies[HOME] = web.replies[HOME]._replace(headers=headers)  # type: ignore[union-attr]
    web.page(*urls("1"))
    done = crawled(web, tmp_path / "crawl")
    kept, followed = "index" not in word and word != "none", word not in ("nofollow", "none")
    assert done.rewards[HOME] == float(kept)
    assert (done.rows("SELECT * FROM page_statements") != []) == kept
    assert (done.column("SELECT reason FROM faults WHERE syntax = 'kept'") == []) == kept
    assert done.fetched == ([HOME, *urls("1")] if followed else [HOME])


@pytest.mark.parametrize("place", ["meta", "header"])
def test_pages_that_say_no_to_us_by_name(web: SmallWeb, tmp_path: Path, place: str) -> None:
    """Our name is the one in the user agent, as in robots.txt."""
    head = '<meta name="mybot" content="none"><meta name="sundog" content="all">' if place == "meta" else ""
    web.product(HOME, *urls("1"), head=head)
    headers = ("X-Robots-Tag: sundog: index", "X-Robots-Tag: mybot: none") if place == "header" else ()
    web.replies[HOME] = web.replies[HOME]._replace(headers=headers)  # type: ignore[union-attr]
    for agent, obeyed in (("mybot/1.0 (+https://crawler.example)", True), (AGENT, False)):
        done = crawled(web, tmp_path / str(obeyed), user_agent=agent)
        assert (done.rewards[HOME], len(done.fetched)) == ((0.0, 1) if obeyed else (1.0, 2))


def test_pages_whose_no_is_ignored(web: SmallWeb, tmp_path: Path) -> None:
    web.product(HOME, head='<meta name="robots" content="noindex,nofollow"><a rel="nofollow" href="/1">x</a>')
    web.robots("User-agent: *\nDisallow: /")
    web.page(*urls("1"))
    done = crawled(
        web, tmp_path / "crawl", following=Following(robots=False, noindex=False, nofollow=False, patience=2.0)
    )
    assert done.rewards == {HOME: 1.0, urls("1")[0]: 0.0}
    assert web.asked(robots=True) == [HOME, *urls("1")]


def test_links_that_say_nofollow(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("2"), head='<a rel="nofollow" href="/1">x</a>')
    web.page(*urls("1"))
    web.page(*urls("2"))
    assert crawled(web, tmp_path / "crawl").fetched == [HOME, *urls("2")]


def test_languages(web: SmallWeb, tmp_path: Path) -> None:
    for url, language in ((HOME, "de-AT"), (urls("1")[0], "en"), (urls("2")[0], "")):
        web.product(url, *urls("1", "2"))
        body = web.replies[url].body  # type: ignore[union-attr]
        web.reply(
            url, body.replace(b"<title>", f'<html lang="{language}"><title>'.encode() if language else b"<title>")
        )
    done = crawled(web, tmp_path / "crawl", scope=Scope(languages=frozenset({"de"})))
    assert done.rewards == {HOME: 1.0, urls("1")[0]: 0.0, urls("2")[0]: 1.0}
    assert done.faults == {urls("1")[0]: "kept: language"}


@pytest.mark.parametrize(
    ("extent", "hosts"),
    [
        ("host", {"www.a.com"}),
        ("domain", {"www.a.com", "shop.a.com", "a.com"}),
        ("web", {"www.a.com", "shop.a.com", "a.com", "b.com"}),
    ],
)
def test_extents(web: SmallWeb, tmp_path: Path, extent: str, hosts: set[str]) -> None:
    everywhere = [f"http://{host}/" for host in ("www.a.com", "shop.a.com", "a.com", "b.com")]
    for url in everywhere:
        web.page(url, *everywhere, f"{url}moved")
        web.moves(f"{url}moved", "http://b.com/target")
    web.page("http://b.com/target")
    done = crawled(web, tmp_path / "crawl", "http://www.a.com/", extent=extent)
    assert {asked.host for asked in web.log} == hosts
    if extent != "web":
        assert done.faults["http://www.a.com/moved"].startswith("redirect-out-of-scope: host out of scope")


def test_depth(web: SmallWeb, tmp_path: Path) -> None:
    for number in range(6):
        web.page(f"http://a.example/{number or ''}", f"/{number + 1}")
    done = crawled(web, tmp_path / "crawl", scope=Scope(max_depth=2))
    assert done.table("SELECT url, depth FROM pages") == {
        HOME: 0,
        **dict(zip(urls("1", "2"), (1, 2), strict=True)),
    }


def test_files_patterns_and_paths(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("a/1", "a/x.pdf", "a/cart", "b/1"))
    web.page(*urls("a/1"))
    scope = Scope(paths=("/a/",), exclude=("/cart",))
    assert crawled(web, tmp_path / "crawl", scope=scope).fetched == [HOME, *urls("a/1")]


def test_a_calendar_ends(web: SmallWeb, tmp_path: Path) -> None:
    async def month(client):  # type: ignore[no-untyped-def]
        at = int(client.asked.target[-7:-3]) * 12 + int(client.asked.target[-2:])
        links = [f'<a href="/cal/{n // 12:04}-{n % 12 + 1:02}">{n}</a>' for n in (at, at + 1)]
        await client.page(f"<title>{at}</title>{links}".encode())

    web.page(HOME, "/cal/2020-01")
    for number in range(24_240, 25_000):
        web.replies[f"http://a.example/cal/{number // 12:04}-{number % 12 + 1:02}"] = month
    done = crawled(web, tmp_path / "crawl", budget=500)
    assert done.summary["stopped"] == "frontier empty"
    assert done.summary["fetched"] == 31
    assert all(reason.startswith("trap: enough of calendar") for reason in done.refusals.values())


def test_a_page_that_cannot_be_read_is_a_fault(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sundog.engines.live.pages.reader as workers

    real = workers.read

    def read(body: bytes, *arguments: object, **more: object) -> object:
        if b"BAD" in body:
            raise RecursionError("too deep")
        return real(body, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "read", read)
    web.page(HOME, *urls("1", "2"))
    web.page(*urls("1"), body="BAD")
    web.product(*urls("2"))
    done = crawled(web, tmp_path / "crawl")
    assert done.faults == {urls("1")[0]: "internal: read: RecursionError: too deep"}
    assert done.rewards[urls("2")[0]] == 1.0


@pytest.mark.parametrize("reward", [None, float("nan"), float("inf"), -1.0])
def test_a_page_that_cannot_be_judged_is_a_fault(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reward: float | None
) -> None:
    from sundog.objectives.markup import Markup

    real = Markup.reward

    def judge(self: Markup, page: object, memory: object) -> float:
        if page.url.endswith("1"):  # type: ignore[attr-defined]
            if reward is None:
                raise ValueError("what is this?")
            return reward
        return real(self, page, memory)  # type: ignore[arg-type]

    monkeypatch.setattr(Markup, "reward", judge)
    web.page(HOME, *urls("1", "2"))
    web.product(urls("1")[0], *urls("3"))
    web.product(*urls("2"))
    web.page(*urls("3"))
    done = crawled(web, tmp_path / "crawl")
    assert done.rewards == {HOME: 0.0, **dict(zip(urls("1", "2", "3"), (0.0, 1.0, 0.0), strict=True))}
    assert done.faults[urls("1")[0]].startswith("objective: " if reward else "internal: judge: ValueError")


def test_troubles_cost_budget_if_they_were_asked() -> None:
    assert observation_of_trouble(trouble("dns", "no such name")).outcome == Failed("dns: no such name")
    assert observation_of_trouble(trouble("private-address", "10.0.0.1", was_asked=False)).outcome == Refused(
        "private-address: 10.0.0.1"
    )
    hop = Hop("http://a.example/1", 302, 1.0, 1.1)
    stopped = Trouble("robots", url="http://a.example/2", redirects=(hop,), asked_at=1.0)
    assert stopped.stopped_before
    assert observation_of_trouble(stopped).record.final_url is None
    assert observation_of_trouble(stopped._replace(asked_at=2.0)).record.final_url == "http://a.example/2"
