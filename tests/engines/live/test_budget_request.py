"""Another budget for a crawl that runs: taken once, at a step of the log, whatever happens to the process."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from sundog.engines.live.control.budget_request import change_budget
from sundog.engines.live.run import resume
from sundog.errors import SundogError, UsageError
from sundog.replay import filled_catalog, new_session, replay
from sundog.spec.crawl import read_spec
from sundog.store import open_readonly
from sundog.store.directory import BUDGET_REQUEST, SPEC
from tests.engines.live.processes import committed, ended, killed, start, start_crawl, until_committed
from tests.engines.live.test_resume import fill
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled

SLOWLY = ("--policy=sundog", "--budget=60", "--set", "delay=0.2")
QUICKLY = ("delay = 0.2", "delay = 0.0")


def check_replay(directory: Path, fetched: int) -> None:
    """A session that gets the logged calls makes the logged choices: none must be leased for it."""
    spec = read_spec(directory / SPEC)
    with open_readonly(directory) as store:
        session = new_session(spec, filled_catalog(store))
        leased: list[int] = []
        session.lease = leased.append  # type: ignore[assignment,method-assign]
        replay(store, session)
        assert (leased, session.fetched) == ([], fetched)


def test_more_while_it_runs_survives_a_kill(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    directory = tmp_path / "crawl"
    with killed(web, directory, *SLOWLY) as process:
        until_committed(directory, "fetched", 5, process)
        with start("budget", directory, 90, "--json") as other:
            change = ended(other)
        assert (change["before"], change["budget"], change["unit"]) == (60, 90, "pages")
        with pytest.raises(UsageError, match=r"^a budget of 1 is less than what was spent already \(\d+\)$"):
            change_budget(directory, 1)
        until_committed(directory, "fetched", 12, process)
    spec = directory / SPEC
    spec.write_text(spec.read_text().replace(*QUICKLY))
    with start("resume", "--json", directory) as process:
        summary = ended(process)
    assert (summary["stopped"], summary["fetched"]) == ("budget", 90)
    assert committed(directory, "budgeted") == 1
    assert len(set(Crawled(directory).fetched)) == 90
    check_replay(directory, 90)


def test_what_was_asked_before_a_kill_counts_once(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    directory = tmp_path / "crawl"
    with killed(web, directory, *SLOWLY) as process:
        until_committed(directory, "fetched", 5, process)
        process.send_signal(signal.SIGSTOP)
        change = change_budget(directory, 20, seconds=0)
        assert (change.before, change.budget) == (60, None), "it cannot take it yet"
    spec = directory / SPEC
    spec.write_text(spec.read_text().replace(*QUICKLY))
    for _ in range(2):
        with start("resume", "--json", directory) as process:
            assert ended(process)["fetched"] == 20
    assert committed(directory, "budgeted") == 1
    with pytest.raises(
        SundogError, match=f"^{directory} does not run: go on with it by sundog resume .* --budget 50$"
    ):
        change_budget(directory, 50)
    check_replay(directory, 20)


def test_never_less_than_is_spent(web: SmallWeb, tmp_path: Path) -> None:
    """It spends while a request is on its way; then it ends with what it has."""
    fill(web)
    directory = tmp_path / "crawl"
    with start_crawl(web, directory, *SLOWLY) as process:
        until_committed(directory, "fetched", 5, process)
        (directory / BUDGET_REQUEST).write_text(json.dumps({"id": "late", "budget": 2}))
        summary = ended(process)
    with open_readonly(directory) as reader:
        assert 5 <= (reader.last_budget or 0) == summary["fetched"] < 60
    check_replay(directory, summary["fetched"])


def test_a_file_that_is_no_request_changes_nothing(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME)
    crawled(web, tmp_path / "crawl", budget=1)
    faulty = ["", "no JSON", "[1]", '{"budget": 5}', '{"id": "a", "budget": -1}', '{"id": "a", "budget": "9"}']
    for text in faulty:
        (tmp_path / "crawl" / BUDGET_REQUEST).write_text(text)
        assert resume(tmp_path / "crawl")["fetched"] == 1, text
    assert committed(tmp_path / "crawl", "budgeted") == 0


def test_a_crawl_in_shards_is_resumed_for_that(tmp_path: Path) -> None:
    (tmp_path / "cluster.json").write_text("{}")
    with pytest.raises(UsageError, match=r"is a crawl in shards: .* sundog resume .* --budget 50"):
        change_budget(tmp_path, 50)
