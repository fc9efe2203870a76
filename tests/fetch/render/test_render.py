"""Pages in a real browser: what scripts write is there, what attacks is refused, and no process is left."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from examples.script_web.attacks import ATTACKS
from examples.script_web.serving import ScriptWeb, serving

from sundog.errors import SundogError
from sundog.extract import extract
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.render import browser
from sundog.fetch.render.document import Document
from sundog.fetch.render.folder import BrowserFolder, remove_abandoned
from sundog.fetch.render.one import render_one
from sundog.fetch.render.pool import Browsers
from sundog.fetch.render.processes import processes_below
from sundog.fetch.render.requests import PageRequests, PageRules, Scripts
from sundog.fetch.render.values import Rendered, RenderFailure, RenderLimits, RenderWait
from sundog.fetch.robots import Robots
from sundog.fetch.values import Page
from tests.processes.programs import until_gone

ROOT = Path(__file__).parents[3]
PAGE = Page("", "https://a.example/", 200, (), "text/html", b"", (), False, False, "", 0.0, 0.0, 0.0)


@asynccontextmanager
async def browsers(
    web: ScriptWeb, delay: float = 0.0, **settings: object
) -> AsyncIterator[tuple[Browsers, PoliteFetcher]]:
    """Of a crawl that may only ask the hosts of the web."""

    def outside(url: str) -> str | None:
        return None if url.partition("://")[2].partition("/")[0] in web.sites else "host out of scope"

    async with Fetcher(connect_to=("127.0.0.1", web.port), clock=steady_clock()) as fetcher:
        manners = Manners(delay=delay, concurrency=1 if delay else 8, address_concurrency=8)
        polite = PoliteFetcher(fetcher, pace=Pace(manners), robots=Robots(fetcher.agent))
        rules = PageRules(polite, outside, outside, Scripts())
        async with Browsers(rules, **settings) as pool:  # type: ignore[arg-type]
            yield pool, polite


async def rendered(pool: Browsers, polite: PoliteFetcher, url: str) -> Rendered | RenderFailure:
    page = await polite.fetch(url)
    assert isinstance(page, Page), page
    return await pool.render(page)


def html_of(found: Rendered | RenderFailure) -> str:
    assert isinstance(found, Rendered), found
    return found.page.body.decode()


def test_scripts_write_data_and_links() -> None:
    async def main() -> None:
        wait = RenderWait(scroll=1, click=("Show details",), clicks=1)
        async with browsers(web, wait=wait) as (pool, polite):
            for url in ("https://tags0.test/item/1", "https://app0.test/item/1", "https://click0.test/item/2"):
                found = await rendered(pool, polite, url)
                data = extract(html_of(found).encode(), url)
                assert data.types == ["http://schema.org/Product", "http://schema.org/Offer"], url
                assert found.page.url == url
            scrolled = extract(html_of(await rendered(pool, polite, "https://scroll0.test/list/0")).encode(), url)
            assert len([link for link in scrolled.links if "/item/" in link.url]) == 12
            assert pool.starts == 1
            asked = web.requests.count(("app0.test", "/app.3f9a2c1b.js"))
            await rendered(pool, polite, "https://app0.test/item/2")
            assert web.requests.count(("app0.test", "/app.3f9a2c1b.js")) == asked == 1  # kept for the next page

    with serving({"tags": 1, "app": 1, "click": 1, "scroll": 1}) as web:
        asyncio.run(main())


def test_a_page_is_not_quiet_while_an_answer_is_on_its_way() -> None:
    """On a busy machine the browser hands it to the page long after it was given to the browser."""

    class StandIn(Document):
        """Of a page that says what it was told."""

        async def _look(self, expression: str, patience: float | None = None) -> object:
            return [len(told), "complete"]

    class Route:
        request = object()

        async def fulfill(self, **_: object) -> None:
            asyncio.get_running_loop().call_later(0.6, self.arrive)

        def arrive(self) -> None:
            requests.arrived(self.request)  # type: ignore[arg-type]
            told.append("data")

    async def main() -> list[str]:
        document = StandIn(None, None, RenderLimits(), RenderWait(quiet=0.1), requests)  # type: ignore[arg-type]
        document._until = document._end = time.monotonic() + 10.0
        await requests._fulfil(Route(), PAGE)  # type: ignore[arg-type]
        await document._quiet()
        assert not requests.is_arriving
        return told

    told: list[str] = []
    requests = PageRequests(PAGE, None, RenderLimits())  # type: ignore[arg-type]
    assert asyncio.run(main()) == ["data"]


class Canary:
    """Counts whoever comes to a port of loopback, by TCP or UDP."""

    def __init__(self) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.tcp.setblocking(False)
        self.udp.setblocking(False)

    def sings(self) -> bool:
        try:
            self.tcp.accept()
        except BlockingIOError:
            pass
        else:
            return True
        try:
            self.udp.recv(1)
        except BlockingIOError:
            return False
        return True


@contextmanager
def canary() -> Iterator[Canary]:
    bird = Canary()
    try:
        yield bird
    finally:
        bird.tcp.close()
        bird.udp.close()


# What must come of them, if they do not end as a page like any other.
FAILURES = {"endless": "timeout", "elements": "nodes", "memory": "memory"}


def test_attacks_reach_nobody_and_end() -> None:
    """Three at a time, each of its own host."""
    limits = RenderLimits(requests=20, seconds=4.0, longest=32.0, nodes=50_000, memory=500_000_000)

    async def main() -> None:
        async with browsers(web, limits=limits, at_once=3) as (pool, polite):
            waiting = list(ATTACKS)

            async def attacked(host: str) -> None:
                while waiting:
                    await attack(pool, polite, host, waiting.pop())

            await asyncio.gather(*map(attacked, web.sites))
            pool._limits = RenderLimits()
            assert isinstance(await rendered(pool, polite, "https://attack0.test/item/0"), Rendered)
            assert not bird.sings()
            assert any(str(bird.port) in target for target in pool.wall.refused)  # sockets came to the wall

    async def attack(pool: Browsers, polite: PoliteFetcher, host: str, name: str) -> None:
        before = len(web.requests)
        found = await rendered(pool, polite, f"https://{host}/attack/{name}")
        assert not bird.sings(), name
        assert found.traffic.requests <= 20, name
        asked = [path for whose, path in web.requests[before:] if whose == host][1:]
        assert len(asked) <= 21, name
        assert {whose for whose, _ in web.requests} <= set(web.sites), name
        assert not any(path.startswith("/forbidden/") for path in asked), name
        if isinstance(found, RenderFailure):
            # of three pages at once in a browser, an attack may take the others' with it
            assert found.kind in (FAILURES.get(name), "timeout", "browser", "crash", "memory"), (name, found)
        elif name not in FAILURES:
            assert f"<p>{name}</p>" in html_of(found) or name in ("forbidden-frame", "redirected"), name

    with canary() as bird, serving({"attack": 3}, canary=bird.port) as web:
        asyncio.run(main())


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def test_browsers_change_and_leave_no_process() -> None:
    async def main() -> list[int]:
        async with browsers(web, pages_a_browser=2, at_once=2) as (pool, polite):
            urls = [f"https://tags0.test/item/{n}" for n in range(5)]
            found = await asyncio.gather(*[rendered(pool, polite, url) for url in urls])
            assert all(isinstance(each, Rendered) for each in found)
            assert pool.starts == 3
            assert pool._chromium is not None
            own = processes_below(pool._chromium.pid)
            assert len(own) > 3
            assert not any(b"--top-chrome-webui" in command_of(each.pid) for each in own)  # menus nobody sees
            os.kill(pool._chromium.pid, signal.SIGKILL)  # the browser dies under a page's feet, or between two
            again = [await rendered(pool, polite, urls[0]) for _ in range(2)]
            assert isinstance(again[-1], Rendered)
            return [each.pid for each in own]

    with serving({"tags": 1}) as web:
        pids = asyncio.run(main())
    until_gone(pids)


KILLED = """
import asyncio, sys
from sundog.fetch.render.browser import Chromium
from sundog.fetch.render.wall import Wall

async def main():
    wall = Wall()
    chromium = Chromium(await wall.open())
    await chromium.open()
    page = await (await chromium.browser.new_context()).new_page()
    await page.set_content("<p>x")
    hang = asyncio.ensure_future(page.evaluate("while (true) {}"))
    await asyncio.sleep(0.2)
    print(*[each.pid for each in chromium.processes()], flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_no_process_survives_kill_9() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        pids = [int(word) for word in process.stdout.readline().split()]
        process.kill()
    assert len(pids) > 3
    until_gone(pids)


def test_a_folder_goes_when_its_owner_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was killed cannot remove its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = (
        "from sundog.fetch.render.folder import BrowserFolder; print(BrowserFolder().path, flush=True); input()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(tmp_path)}
    own = BrowserFolder()
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        remove_abandoned()
        assert folder.is_dir()
        assert own.path.is_dir()
        process.kill()
    (tmp_path / "sundog-browser-strange").mkdir()  # without a lock: not ours to remove
    remove_abandoned()
    assert sorted(tmp_path.iterdir()) == sorted((own.path, tmp_path / "sundog-browser-strange"))
    own.remove()
    assert not own.path.exists()


def test_a_page_that_waits_for_its_host_is_taken_in_time() -> None:
    """With a long delay its scripts come late: that is no time of its own, but it does not wait for ever."""

    async def main() -> None:
        limits = RenderLimits(seconds=8.0, longest=120.0)
        async with browsers(web, limits=limits, delay=4.5) as (pool, polite):
            found = await rendered(pool, polite, "https://app0.test/item/1")
            assert '"@type":"Product"' in html_of(found)  # two requests, which take longer than its own time
            page = await polite.fetch("https://app0.test/item/2")
            assert isinstance(page, Page)
            polite.pace.set_crawl_delay("app0.test", 600.0)
            pool._limits = RenderLimits(seconds=8.0, longest=16.0)
            early = await pool.render(page)
            assert '"@type":"Product"' not in html_of(early)
            assert '<div id="root">' in html_of(early)

    with serving({"app": 1}) as web:
        asyncio.run(main())


def test_one_page_as_the_command_line_asks_for_it() -> None:
    with serving({"app": 1}) as web:
        found = render_one("https://app0.test/item/3", connect_to=("127.0.0.1", web.port), delay=0)
    assert b'"@type":"Product"' in found.page.body
    with pytest.raises(SundogError, match="private"):
        render_one("http://127.0.0.1:9/")


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "NAMES", ("no-such-browser",))
    with pytest.raises(SundogError, match="rendering needs Chromium, and none is installed"):
        render_one("https://app0.test/")
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    with pytest.raises(SundogError, match=r"pip install 'sundog\[render\]'"):
        render_one("https://app0.test/")
