"""Faults in a live web, one by one: are they named in the first bad round? Do healthy hosts stay without alarms?

The demo web changes a little from round to round: pages fail, go, change, lose a property. It is crawled and kept
for some healthy rounds. Then, from a copy of that crawl, one host gets a fault, one more round is made, and
``health`` must name the fault for that host, and alarm no other.

``python -m benchmarks.health [SEED] [FAULT …]``; ``python -m benchmarks.health healthy [SEED]`` makes 20 healthy
rounds. The test suite does a few.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import shutil
import sys
import tempfile
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.common import print_table
from sundog.demo_web.answers import XML, Answer
from sundog.demo_web.server import Server
from sundog.demo_web.site import Site
from sundog.demo_web.web import Web
from sundog.engines.live.run import crawl, refresh
from sundog.results.health.health import health
from sundog.spec import CrawlSpec
from sundog.spec.crawl import Following
from sundog.store import open_readonly

HOSTS, PAGES, ROUNDS = 12, 1_500, 2
SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
ATTRIBUTES = re.compile(
    r'\s(?:itemscope|itemtype|itemprop|itemid|itemref|typeof|property|vocab|resource|about|datatype)(?:="[^"]*")?'
)
CLASSES = re.compile(r"\b(?:h|p|u|dt|e)-[a-z]|\b(?:hrecipe|vcard|vevent|hentry|hproduct|hreview)\b")


def share(*parts: object) -> float:
    digest = hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32


class LivingWeb:
    """The demo web, as it is in a round; ``fault`` changes the answers of ``broken`` hosts."""

    def __init__(self, seed: int, hosts: int = HOSTS, pages: int = PAGES) -> None:
        self.web = Web(seed, hosts, pages, https=0.0)
        self.sites = {site.plan.host: site for site in self.web.sites}
        self.round, self.broken, self.fault = 0, "", None
        self.asked: dict[tuple[int, str], int] = {}
        self.port = 0

    fault: Fault | None

    def is_packed(self, host: str) -> bool:
        return self.web.is_packed(host)

    def answer(self, host: str, target: str, accept: str = "") -> Answer:
        count = self.asked[self.round, host] = self.asked.get((self.round, host), 0) + 1
        if host == self.broken and self.fault is not None:
            return self.fault(self, self.sites[host], target, count)
        if host not in self.sites:
            return self.elsewhere(host, target)
        return self.healthy(host, target, accept)

    def elsewhere(self, host: str, target: str) -> Answer:
        """Where a host has moved to."""
        if not host.startswith("new-"):
            return Answer(404)
        return self.healthy(host.removeprefix("new-"), target) if target != "/robots.txt" else Answer(404)

    def healthy(self, host: str, target: str, accept: str = "") -> Answer:
        """With what happens everywhere: a page fails now and then, goes, changes, or loses a property."""
        answer = self.web.answer(host, target, accept)
        if answer.status != 200 or not answer.content_type.startswith("text/html") or target == "/":
            return answer
        number = self.round
        if share("gone", host, target) < 0.005 * number:
            return Answer(410)
        if share("fails", host, target, number) < 0.01:
            return Answer(500)
        body = answer.body.decode()
        if share("changes", host, target, number // 3) < 0.3:
            body = body.replace("</head>", f'<meta property="og:updated" content="{number // 3}"></head>', 1)
        if share("flickers", host, target, number) < 0.02:
            body = SCRIPT.sub("", body)
        return answer._replace(body=body.encode())

    @contextmanager
    def served(self) -> Iterator[LivingWeb]:
        loop = asyncio.new_event_loop()
        server = Server(self)
        listening = loop.run_until_complete(server.start())
        self.port = server.port
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(listening.close)
            loop.call_soon_threadsafe(loop.stop)
            thread.join(10)
            loop.close()


Fault = Callable[[LivingWeb, Site, str, int], Answer]


def is_item(site: Site, target: str) -> bool:
    page = site.table.get(target)
    return page is not None and page.kind == "item"


def is_list(site: Site, target: str) -> bool:
    page = site.table.get(target)
    return page is not None and page.kind not in ("item", "static", "document")


def of_items(change: Callable[[LivingWeb, Site, str, Answer], Answer]) -> Fault:
    """A fault of the template of items; the rest of the host is as it was."""

    def fault(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
        answer = web.healthy(site.plan.host, target)
        return change(web, site, target, answer) if is_item(site, target) and answer.status == 200 else answer

    return fault


def everywhere(make: Callable[[str], Answer]) -> Fault:
    """Of every page; robots.txt stays."""

    def fault(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
        return web.healthy(site.plan.host, target) if target == "/robots.txt" else make(target)

    return fault


def html(title: str, body: str, status: int = 200) -> Answer:
    return Answer(
        status, body=f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>".encode()
    )


def without_markup(web: LivingWeb, site: Site, target: str, answer: Answer) -> Answer:
    body = CLASSES.sub("x", ATTRIBUTES.sub("", SCRIPT.sub("", answer.body.decode())))
    return answer._replace(body=body.encode())


def without_name(web: LivingWeb, site: Site, target: str, answer: Answer) -> Answer:
    """A new version of the shop's software writes the name elsewhere."""
    body = SCRIPT.sub(lambda found: _edited(found, lambda data: data.pop("name", None)), answer.body.decode())
    return answer._replace(body=re.sub(r'\s(?:itemprop|property)="(?:schema:)?name"', "", body).encode())


def _edited(found: re.Match[str], edit: Callable[[dict[str, Any]], object]) -> str:
    try:
        data = json.loads(found[1])
    except ValueError:
        return found[0]
    edit(data)
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def as_microdata(web: LivingWeb, site: Site, target: str, answer: Answer) -> Answer:
    def written(found: re.Match[str]) -> str:
        try:
            return _microdata(json.loads(found[1]))
        except ValueError:
            return ""

    return answer._replace(body=SCRIPT.sub(written, answer.body.decode()).encode())


def _microdata(data: Any, name: str = "") -> str:
    prop = f' itemprop="{name}"' if name else ""
    if isinstance(data, list):
        return "".join(_microdata(each, name) for each in data)
    if not isinstance(data, dict):
        return f'<meta{prop} content="{str(data).replace(chr(34), "")}">'
    kinds = data.get("@type", "Thing")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    inner = "".join(_microdata(value, key) for key, value in data.items() if not key.startswith("@"))
    return f'<div{prop} itemscope itemtype="https://schema.org/{kind.rpartition("/")[2]}">{inner}</div>'


def empty_lists(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    answer = web.healthy(site.plan.host, target)
    if answer.status != 200 or not is_list(site, target):
        return answer
    before, begins, rest = answer.body.decode().partition(site.theme.main[0])
    after = rest.rpartition(site.theme.main[1])[2]
    return answer._replace(
        body=f"{before}{begins}<h1>{target}</h1><p>No results.</p>{site.theme.main[1]}{after}".encode()
    )


def robots_changed(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    if target == "/robots.txt":
        return Answer(200, "text/plain", b"User-agent: *\nDisallow: /\n")
    return web.healthy(site.plan.host, target)


def rate_limited(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    if count > 12 and count % 3:
        return Answer(429, headers=("Retry-After: 1",))
    return web.healthy(site.plan.host, target)


def empty_sitemap(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    if target == "/sitemap.xml":
        return Answer(200, XML, b'<?xml version="1.0"?><urlset></urlset>')
    return web.healthy(site.plan.host, target)


def sitemap_missing(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    return Answer(404) if target == "/sitemap.xml" else web.healthy(site.plan.host, target)


def moved_pattern(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    if target.startswith("/catalogue/"):
        return web.healthy(site.plan.host, target.removeprefix("/catalogue"))
    if is_item(site, target):
        return Answer(301, location=f"/catalogue{target}")
    return web.healthy(site.plan.host, target)


def moved_host(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    return Answer(301, location=f"http://new-{site.plan.host}{target}")


def by_language(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    if target == "/robots.txt":
        return web.healthy(site.plan.host, target)
    if target.startswith("/de/") or target == "/de":
        return html("Startseite", f"<h1>Willkommen</h1><p>{target} auf Deutsch.</p>" * 40)
    return Answer(302, location=f"/de{target}")


def behind_login(web: LivingWeb, site: Site, target: str, count: int) -> Answer:
    if target == "/robots.txt":
        return web.healthy(site.plan.host, target)
    if target.startswith("/members"):
        form = '<form action="/members"><input name="user"><input type="password" name="word"></form>'
        return html("Sign in", f"<h1>Sign in to go on</h1>{form}")
    return Answer(302, location=f"/members/sign-in?next={target}")


SHELL = '<div id="app"></div><noscript>Please enable JavaScript.</noscript><script src="/static/app.js"></script>'
CONSENT = "<h1>We value your privacy</h1><p>We and our partners use cookies.</p><button>Accept all</button>"
CHALLENGE = '<h1>Just a moment...</h1><script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>'
FAULTS: dict[str, tuple[str, Fault]] = {
    "markup gone": ("markup gone", of_items(without_markup)),
    "property lost": ("property lost", of_items(without_name)),
    "another syntax": ("another syntax", of_items(as_microdata)),
    "only scripts": ("only after JavaScript", of_items(lambda *_: html("App", SHELL))),
    "consent wall": ("consent wall", everywhere(lambda _: html("Before you continue", CONSENT))),
    "login wall": ("login wall", behind_login),
    "soft 404": ("soft 404", of_items(lambda *_: html("Oops", "<h1>Page not found</h1><p>Try the search.</p>"))),
    "forbidden": ("blocked", everywhere(lambda _: html("403", "<h1>Forbidden</h1>", 403))),
    "challenge": ("blocked", everywhere(lambda _: html("Just a moment...", CHALLENGE))),
    "robots": ("robots.txt changed", robots_changed),
    "moved pattern": ("moved", moved_pattern),
    "moved host": ("moved", moved_host),
    "language": ("redirected by language", by_language),
    "sitemap emptied": ("sitemap gone", empty_sitemap),
    "sitemap missing": ("sitemap gone", sitemap_missing),
    "server errors": ("server errors", everywhere(lambda _: html("500", "<h1>Internal error</h1>", 500))),
    "rate limited": ("rate limited", rate_limited),
    "empty lists": ("empty lists", empty_lists),
}


def host_for(web: LivingWeb, name: str, directory: Path) -> str:
    """The host with most known pages that the fault can happen to."""
    syntax = "jsonld" if name in ("property lost", "another syntax") else ""
    needs_map = name.startswith("sitemap")
    fit = [
        site
        for site in web.sites.values()
        if site.plan.kind != "data"
        and (site.plan.habit.syntax == syntax if syntax else site.plan.habit.syntax != "")
        and (not needs_map or site.plan.corners.sitemap)
        and site.plan.corners.robots == 200
    ]
    known = crawled_lists(web, directory) if name == "empty lists" else crawled_pages(directory)
    best = max(fit, key=lambda site: known.get(site.plan.host, 0))
    return best.plan.host


def crawled_lists(web: LivingWeb, directory: Path) -> Counter[str]:
    """Of each host, the known pages that the fault empties: of others nobody can see it."""
    with open_readonly(directory) as reader:
        pages = reader.connection.execute("SELECT host, url FROM pages WHERE status = 200").fetchall()
    targets = ((host, f"/{url.split('/', 3)[3]}") for host, url in pages if host in web.sites)
    return Counter(host for host, target in targets if is_list(web.sites[host], target))


def crawled_pages(directory: Path) -> dict[str, int]:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(directory / "crawl.db")) as connection:
        return dict(connection.execute("SELECT host, count(*) FROM pages WHERE status = 200 GROUP BY host"))


def begun(web: LivingWeb, directory: Path, rounds: int = ROUNDS, budget: int = 2_000) -> None:
    """Crawled, and kept for some healthy rounds."""
    spec = CrawlSpec(
        seeds=tuple(web.web.seeds),
        budget=budget,
        delay=0.0,
        workers=0,
        connect_to=f"127.0.0.1:{web.port}",
        following=Following(patience=2.0, retries=0),
    )
    crawl(spec, directory)
    for _ in range(rounds):
        one_round(web, directory, budget)


def one_round(web: LivingWeb, directory: Path, budget: int = 600) -> dict[str, Any]:
    web.round += 1
    refresh(directory, budget=budget, share=0.95)
    return health(directory)


def try_fault(web: LivingWeb, base: Path, folder: Path, name: str, budget: int) -> dict[str, Any]:
    """One bad round from a copy of the crawl; what was found."""
    directory = folder / "bad"
    shutil.copytree(base, directory)
    known, web.broken, (cause, web.fault) = web.round, host_for(web, name, base), FAULTS[name]
    web.asked.clear()
    try:
        found = one_round(web, directory, budget)
    finally:
        shutil.rmtree(directory)
        broken, web.round, web.broken, web.fault = web.broken, known, "", None
    own = [alarm["cause"] for alarm in found["alarms"] if alarm["host"] == broken and alarm["is_new"]]
    others = [(alarm["host"], alarm["cause"]) for alarm in found["alarms"] if alarm["host"] != broken]
    return {"fault": name, "expected": cause, "host": broken, "named": own, "others": others, "health": found}


def is_right(result: dict[str, Any]) -> bool:
    return bool(result["named"]) and result["named"][0] == result["expected"]


def faults(seed: int, names: list[str], budget: int = 800) -> list[dict[str, Any]]:
    results = []
    with tempfile.TemporaryDirectory() as folder, LivingWeb(seed).served() as web:
        base = Path(folder) / "base"
        begun(web, base)
        for name in names:
            result = try_fault(web, base, Path(folder), name, budget)
            results.append(result)
            print(
                f"{name}: {result['named'] or 'nothing'} at {result['host']}; others {result['others']}",
                flush=True,
            )
    return results


def healthy(seed: int, rounds: int = 20) -> tuple[int, int]:
    """How many hosts were alarmed, of how many."""
    with tempfile.TemporaryDirectory() as folder, LivingWeb(seed, hosts=60, pages=4_000).served() as web:
        directory = Path(folder) / "crawl"
        begun(web, directory, rounds=0, budget=4_000)
        found: dict[str, Any] = {}
        for _ in range(rounds):
            found = one_round(web, directory, 1_500)
        alarms = [*found["alarms"], *found["ended"]]
        for alarm in alarms:
            print(alarm["host"], alarm["cause"], alarm["since"], alarm["wrong"], alarm["visits"], alarm["example"])
        return len({alarm["host"] for alarm in alarms}), found["hosts"]


def main() -> None:
    warnings.simplefilter("ignore")
    words = sys.argv[1:]
    if words[:1] == ["healthy"]:
        alarmed, hosts = healthy(int(words[1]) if len(words) > 1 else 1)
        print(f"20 healthy rounds: {alarmed} of {hosts} hosts alarmed")
        return
    seed = int(words[0]) if words else 1
    results = faults(seed, words[1:] or list(FAULTS))
    rows = [
        (each["fault"], each["expected"], ", ".join(each["named"]) or "nothing", "yes" if is_right(each) else "NO")
        for each in results
    ]
    print_table("Faults in the first bad round", ("fault", "expected", "named", "right"), rows)
    print(
        f"{sum(map(is_right, results))} of {len(results)} named rightly; "
        f"{sum(bool(each['others']) for each in results)} rounds with alarms at other hosts"
    )


if __name__ == "__main__":
    main()
