"""Processes that hang, die, or answer what they must not: it costs the page that they had in hand only."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.pages.reader_messages import (
    LENGTH,
    Answer,
    Failure,
    PageToRead,
    Setup,
    framed_answer,
    framed_page,
    unpacked_answer,
)
from sundog.engines.live.pages.reader_pool import ReaderDiedError, Readers
from sundog.engines.live.pages.reading import NO_CONTEXTS, PageContexts, Reading
from sundog.extract.robot_tags import RobotTags
from sundog.model import Link, Sides
from tests.engines.live.pages.readings import by_body

ROOT = Path(__file__).parents[4]


@contextmanager
def readers(most: int = 1, memory: int = 1 << 30) -> Iterator[Readers]:
    pool = Readers(most, memory, Setup(by_body, None))
    try:
        yield pool
    finally:
        pool.close()


def read_all(bodies: Sequence[str], most: int = 1, seconds: float = 60.0) -> list[Reading | BaseException]:
    """All at once."""

    async def run() -> list[Reading | BaseException]:
        with readers(most) as pool:
            pages = [PageToRead(body.encode(), "http://a.example/", "", None, seconds) for body in bodies]
            return await asyncio.gather(*map(pool.read, pages), return_exceptions=True)

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def _import_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("word", ["exit", "kill"])
def test_a_page_that_kills_its_process(word: str, most: int) -> None:
    bodies = [f"plain {number}" for number in range(20)]
    bodies[7] = word
    found = read_all(bodies, most)
    assert isinstance(died := found.pop(7), ReaderDiedError)
    assert "killed the reader: twice" in str(died)
    assert [each.text for each in found if isinstance(each, Reading)] == [
        str(number) for number in range(20) if number != 7
    ]


def test_a_page_without_end() -> None:
    endless, after = read_all(["endless", "plain after"], seconds=1.0)
    assert isinstance(endless, ReaderDiedError)
    assert str(endless) == "killed the reader: it took more than 1 seconds"
    assert isinstance(after, Reading)


def test_a_death_that_was_chance(tmp_path: Path) -> None:
    (found,) = read_all([f"kill-once {tmp_path / 'killed'}"])
    assert isinstance(found, Reading)


def test_errors_stay_what_they_are() -> None:
    deep, own, plain = read_all(["deep", "own-error", "plain"])
    assert isinstance(deep, RecursionError)
    assert str(own) == "OwnError: mine"
    assert isinstance(own, RuntimeError)
    assert "in own_error" in own.__notes__[0], "the traceback of the other process"
    assert isinstance(plain, Reading)


def test_answers_are_values_and_nothing_else() -> None:
    """A process that strangers took hold of cannot make the crawl call what it likes."""
    bad, plain = read_all(["no-value", "plain"])
    assert isinstance(bad, ReaderDiedError)
    assert isinstance(plain, Reading)


def test_nobody_waits_any_more() -> None:
    async def run() -> Reading:
        with readers() as pool:
            page = PageToRead(b"plain 1", "http://a.example/", "", None, 60.0)
            waiting = asyncio.create_task(pool.read(page))
            await asyncio.sleep(0)
            waiting.cancel()
            return await pool.read(page._replace(body=b"plain 2"))

    assert asyncio.run(run()).text == "2"


def test_links_are_the_same_behind_the_way_from_a_reader() -> None:
    links = [
        Link("http://a.example/", "A", around=Sides("before", "after")),
        Link("http://b.example/", position=1),
    ]
    tags = RobotTags(may_index=False)
    for reading in (Reading({}, {}, (), (), links, b""), Reading({}, {}, (), (), [], b"", tags=tags)):
        found = unpacked_answer(framed_answer(Answer(reading, 1))[LENGTH:])
        assert found == Answer(reading, 1)
        assert isinstance(found.result, Reading)
        assert {type(link) for link in found.result.links} <= {Link}
        assert isinstance(found.result.tags, RobotTags)
    failure = Answer(Failure("ValueError", "why", "where"), 2)
    assert unpacked_answer(framed_answer(failure)[LENGTH:]) == failure


@pytest.mark.parametrize(
    "sent",
    [
        (1, *Reading({}, {}, (), (), [("http://a.example/",)], b"")._replace(tags=())),  # type: ignore[list-item,arg-type]
        (1, {}, {}, (), (), [], b""),
        (1, "a text"),
        7,
        (),
        len,
        PageToRead,
    ],
)
def test_a_reader_cannot_send_what_is_no_answer(sent: Any) -> None:
    with pytest.raises((pickle.UnpicklingError, TypeError, ValueError, IndexError)):
        unpacked_answer(pickle.dumps(sent))


@pytest.mark.parametrize("contexts", [NO_CONTEXTS, PageContexts({}, "http://a.example/context")])
def test_a_page_is_the_same_behind_the_way_to_a_reader(contexts: PageContexts) -> None:
    page = PageToRead(b"<p>", "http://a.example/", "text/html", None, 2.0, contexts)
    assert PageToRead(*pickle.loads(framed_page(page)[LENGTH:])) == page
