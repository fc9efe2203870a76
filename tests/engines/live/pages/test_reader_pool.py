"""Processes that hang, die, or answer what they must not: it costs the page that they had in hand only."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from sundog.engines.live.pages.reader_messages import (
    Answer,
    PageToRead,
    Setup,
    plain_values,
    with_links,
    with_plain_links,
)
from sundog.engines.live.pages.reader_pool import ReaderDiedError, Readers
from sundog.engines.live.pages.reading import Reading
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
    reading = Reading({}, {}, (), (), links, b"")
    answer = plain_values(pickle.dumps(Answer(with_plain_links(reading), 1)))
    found = with_links(answer.result)
    assert found == reading
    assert {type(link) for link in found.links} == {Link}


def test_a_reader_cannot_send_what_is_no_link() -> None:
    with pytest.raises(pickle.UnpicklingError):
        with_links(Reading({}, {}, (), (), [("http://a.example/",)], b""))  # type: ignore[list-item]
