"""Parts of the add-on by themselves, with Scrapy's own values."""

from __future__ import annotations

import logging
import math
import random
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.spidermiddlewares.start import StartSpiderMiddleware

from sundog.contrib.job import Job
from sundog.contrib.page_links import PageLinks
from sundog.contrib.policy_queue import Lease, PolicyQueue
from sundog.contrib.scrapy import Addon
from sundog.contrib.scrapy.pages import OpenPage, Pages
from sundog.contrib.scrapy.robots import SharedRobots
from sundog.contrib.scrapy.scraped_pages import ScrapedPages
from sundog.contrib.scrapy.unread import PATIENCE, UnreadPages
from sundog.contrib.scrapy.waiting import BySlot, WaitingRequests
from sundog.model import Failed
from tests.contrib.scrapy.components import Swallower

URL = "http://a.example/"


class Room:
    """Which slots have room, in place of the downloader's."""

    def __init__(self) -> None:
        self.waits: dict[str, float] = {}

    def wait(self, key: str, now: float) -> float:
        return max(0.0, self.waits.get(key, 0.0) - now)


def test_what_is_insisted_on_goes_by_priority_where_there_is_room() -> None:
    room: Any = Room()
    room.waits = {"full": math.inf, "rests": 5.0}
    waiting = BySlot()
    for name, priority, slot in [("a", 1, "x"), ("b", 9, "full"), ("c", 7, "rests"), ("d", 3, "x"), ("e", 3, "y")]:
        waiting.push(name, priority, slot)
    assert [waiting.pop(room, 0.0) for _ in range(4)] == ["d", "e", "a", None]
    assert (len(waiting), waiting.next_wake) == (2, 5.0)
    waiting.push("f", 8, "rests")
    assert waiting.pop(room, 4.0) is None
    assert [waiting.pop(room, 5.0) for _ in range(3)] == ["f", "c", None]
    room.waits["full"] = 6.0
    assert (waiting.pop(room, 5.5), waiting.next_wake) == (None, 6.0)
    assert (waiting.pop(room, 6.0), len(waiting)) == ("b", 0)


def test_it_is_as_a_scan_of_all_would_have_it() -> None:
    draw, room, waiting = random.Random(1), Room(), BySlot()
    left: dict[str, tuple[int, int, str]] = {}
    slots: Any = room
    for now in range(3_000):
        if draw.random() < 0.6:
            slot, priority = f"s{draw.randrange(8)}", draw.randrange(4)
            left[str(now)] = -priority, now, slot
            waiting.push(str(now), priority, slot)
        if draw.random() < 0.3:
            room.waits[f"s{draw.randrange(8)}"] = draw.choice([math.inf, now + draw.randrange(20), 0.0])
        ready = [(rank, number, name) for name, (rank, number, slot) in left.items() if not room.wait(slot, now)]
        found = waiting.pop(slots, now)
        if found is None:
            assert not ready or waiting.next_wake > now, "a slot whose rest was cut short is found when it ends"
        else:
            assert not room.wait(left[found][2], now)
            del left[found]
    assert len(waiting) == len(left)


def test_a_kept_request_whose_callback_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Before(scrapy.Spider):
        name = "a"

        def parse_more(self, response: Any) -> None: ...

    class After(scrapy.Spider):
        name = "a"

    job, spider = Job(tmp_path / "job.db"), Before()
    kept = scrapy.Request(URL, spider.parse_more, cb_kwargs={"a": 1}, meta={"b": 2}, method="POST", body=b"c")
    WaitingRequests(spider, job).put(URL, kept, False, [])
    again = WaitingRequests(spider, job).get(URL)
    assert again is not None
    assert again.to_dict(spider=spider) == kept.to_dict(spider=spider)
    with caplog.at_level(logging.ERROR):
        assert WaitingRequests(After(), job).get(URL) is None
    assert "cannot be made again, and is left out" in caplog.text


def pages() -> tuple[Pages, OpenPage]:
    found = Pages()
    found.queue, found.reward = PolicyQueue(policy="bfs"), lambda page, items: 0.0
    found.queue.offer(URL)
    lease = found.queue.choose(0.0)
    assert isinstance(lease, Lease)
    return found, found.hand_out(lease, scrapy.Request(URL, errback=print), "a.example")


def test_a_failure_is_settled_when_its_errback_is_through() -> None:
    """So what the errback asks for is kept before."""
    found, page = pages()
    found.fails(page.request, Failed("no answer"))
    assert found.slots == {}, "another may go out"
    found.end_failed({page.request})
    assert found.queue.in_flight == 1
    found.end_failed(set())
    assert (found.queue.in_flight, len(found)) == (0, 0)


def test_a_request_of_its_own_with_the_meta_of_a_page() -> None:
    """As pipelines for images make them, which never meet the scheduler."""
    found, page = pages()
    found.fails(scrapy.Request(f"{URL}image", meta=page.request.meta), Failed("no answer"))
    assert found.queue.in_flight == 1


def test_requests_that_never_reach_the_scheduler() -> None:
    """A handler of a signal may stop them; nothing of them stays."""
    found, page = pages()
    stopped = scrapy.Request(f"{URL}stopped")
    found.leads_to(page, stopped, PageLinks(URL, lambda: (b"", "")))
    found.end_lost(set())
    assert found.queue.in_flight == 0
    assert found.found_on(stopped) is None


def test_a_callback_that_is_cut_short_is_not_done() -> None:
    """A process that is told to stop at once drops its generators: what they had not yielded is not known."""
    found, page = pages()
    response = HtmlResponse(URL, request=page.request)
    found.has_come(page, response)
    scraped = ScrapedPages.__new__(ScrapedPages)
    scraped._pages = found
    output = scraped.process_spider_output(response, iter([{"a": 1}, {"b": 2}]))
    next(output)
    page.items_in_pipelines -= 1
    output.close()
    assert found.queue.in_flight == 1
    for _ in scraped.process_spider_output(response, iter([])):
        pass
    assert found.queue.in_flight == 0


def test_choices_wait_while_too_many_pages_are_unread() -> None:
    unread, calls = UnreadPages(), list[str]()

    def until(now: float) -> float:
        return unread.wait(2, now, lambda: calls.append("read"))

    unread.add("a", 0.0)
    assert until(0.0) < 0, "one more may come"
    unread.remove("a")
    assert calls == [], "nobody waits"
    unread.add("b", 0.2)
    unread.add("c", 0.5)
    assert until(0.6) == until(0.7) == 0.2 + PATIENCE
    unread.remove("c")
    unread.remove("c")
    assert calls == ["read"]
    assert until(0.8) < 0
    unread.add("d", 0.9)
    assert until(0.2 + PATIENCE) < 0, "a page is not waited for any longer"
    unread.remove("b")
    assert calls == ["read"]


@pytest.mark.parametrize(
    ("own", "replaced"),
    [
        ({}, True),
        ({Swallower: 543}, True),
        ({"tests.contrib.scrapy.components.Swallower": 10}, False),
        ({StartSpiderMiddleware: 40}, False),
    ],
)
def test_it_takes_the_place_of_the_middleware_that_marks_starts(own: dict[Any, int], replaced: bool) -> None:
    settings = Settings({"SPIDER_MIDDLEWARES": own})
    Addon().update_settings(settings)
    chosen = settings.getdict("SPIDER_MIDDLEWARES")
    assert chosen[ScrapedPages] == 5
    assert (chosen.get(StartSpiderMiddleware, 0) is None) == replaced
    assert {key: chosen[key] for key in own} == own


ROBOTS = "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"


@pytest.mark.parametrize(("own", "place"), [({}, 100), ({ROBOTS: 150}, 150), ({RobotsTxtMiddleware: None}, None)])
def test_it_stands_where_the_middleware_for_robots_stood(own: dict[Any, Any], place: int | None) -> None:
    settings = Settings({"DOWNLOADER_MIDDLEWARES": own})
    Addon().update_settings(settings)
    chosen = settings.getdict("DOWNLOADER_MIDDLEWARES")
    assert chosen.get(SharedRobots) == place
    assert [each for each in chosen if each in (ROBOTS, RobotsTxtMiddleware)] == [RobotsTxtMiddleware]
    assert chosen[RobotsTxtMiddleware] is None
