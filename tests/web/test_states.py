"""What people are shown of a crawl's state, and why it is so."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from sundog.fetch.values import TROUBLE_KINDS
from sundog.store import CrawlStore, Observed, PageRecord
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.runs.state import GROUPS, STATES, State, Status, reason_words, status_of
from sundog.web.settings import Settings
from sundog.web.watch.counters import TROUBLE_WORDS
from tests.store.crawls import decided, fill, small_crawl
from tests.web.apps import served

SPEC = 'seeds = ["https://a.example/"]\nbudget = 9\n'


def test_every_state_has_its_group_and_no_more_are_made_up() -> None:
    assert {kind.group for kind in STATES.values()} == set(GROUPS)
    assert Status("stopping").kind.has_process


@pytest.mark.parametrize("outcome", ["", "paused", "stopped", "finished", "failed", "made up"])
@pytest.mark.parametrize("wanted", ["", "run", "pause", "stop"])
@pytest.mark.parametrize("pid", [0, 1])
def test_whatever_is_in_the_file_is_a_state(tmp_path: Path, outcome: str, wanted: str, pid: int) -> None:
    state = State(wanted=wanted, outcome=outcome, pid=pid)  # type: ignore[arg-type]
    assert status_of(CrawlDirectory("x", tmp_path), state, {}).name in STATES


@pytest.mark.parametrize(
    ("stopped", "words"),
    [
        ("budget", "budget spent"),
        ("frontier empty", "nothing left to fetch"),
        ("time", "time is up"),
        ("hosts resting", "all hosts that are left rest for long"),
        ("stop pattern enough", "the stop pattern enough holds"),
        ("something of a later version", "something of a later version"),
    ],
)
def test_why_a_crawl_stopped_is_said_in_words(tmp_path: Path, stopped: str, words: str) -> None:
    small_crawl(tmp_path / "kettles")
    (tmp_path / "kettles" / "summary.json").write_bytes(orjson.dumps({"stopped": stopped}))
    with served(Settings(root=tmp_path)) as client:
        crawl = client.get("/api/crawls/kettles").json()
    assert (crawl["state"], crawl["reason"], crawl["reason_words"]) == ("finished", stopped, words)
    assert (crawl["group"], crawl["tone"], crawl["actions"]) == ("finished", "good", ["resume", "delete"])


def test_what_waits_and_what_failed_say_why() -> None:
    assert reason_words(Status("queued")) == "waits for a place"
    assert reason_words(Status("failed", "time")) == "time"  # a sentence of its own, whatever it is


FORM = """world = "form"
seeds = ["music"]
budget = 200
[form]
action = "https://library.example/search"
field = "q"
records = "li.hit"
"""
API = """world = "api"
seeds = ["1"]
objective = "keyword:jazz"
seconds = 100
[api]
items = "https://a.example/{id}"
texts = "t"
links = "l"
requests = 5
window = 10
"""


@pytest.mark.parametrize(
    ("spec", "spent", "budget", "unit"),
    [(FORM, 3, 200, "queries"), (API, 356, 50, "requests"), (SPEC, 3, 9, "pages"), ("", 3, 1_000, "pages")],
)
def test_what_is_spent_is_counted_in_the_unit_of_the_budget(
    tmp_path: Path, spec: str, spent: int, budget: int, unit: str
) -> None:
    """A query of a form takes several requests."""
    with CrawlStore.create(tmp_path / "it", spec) as store:
        fill(store)
    (tmp_path / "it" / "summary.json").write_bytes(orjson.dumps({"stopped": "budget", "requests": 356}))
    with served(Settings(root=tmp_path)) as client:
        crawl = client.get("/api/crawls/it").json()
    assert (crawl["spent"], crawl["budget"], crawl["unit"]) == (spent, budget, unit)


def test_every_trouble_has_words() -> None:
    assert set(TROUBLE_KINDS) <= set(TROUBLE_WORDS)


def test_pages_on_which_sundog_itself_failed_are_counted_and_explained(tmp_path: Path) -> None:
    """Failed pages and those that it could not judge; the log that says how is shown."""
    with CrawlStore.create(tmp_path / "it", SPEC) as store:
        fill(store)
        store.append(
            Observed(4, 17.0, "failed", reason="internal: read: x", record=PageRecord(trouble="internal"))
        )
        store.append(decided(3, 18.0))
        store.append(Observed(3, 19.0, "fetched", 0.0, record=PageRecord(faults=[("internal", "judge: x")])))
    (tmp_path / "it" / "errors.log").write_text("Traceback\n" * 10_000 + "the last one")
    with served(Settings(root=tmp_path)) as client:
        assert client.get("/api/crawls/it").json()["internal"] == 2
        answer = client.get("/api/crawls/it/errors")
        assert (len(answer.text), answer.text[-12:]) == (64_000, "the last one")
        assert answer.headers["content-type"].startswith("text/plain")
        (tmp_path / "it" / "errors.log").unlink()
        (tmp_path / "it" / "errors.log").symlink_to("/etc/passwd")
        assert client.get("/api/crawls/it/errors").text == ""
