"""Crawls of an API and of a search form from the command line."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from sundog.spec import spec_text
from tests.cli.commands import Command, one_line
from tests.engines.live.worlds.api_service import ApiService
from tests.engines.live.worlds.search_site import SearchSite
from tests.engines.live.worlds.specs import api_spec, form_spec


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_budget_of_an_api_is_said(sundog: Command) -> None:
    with ApiService() as service:
        windows = {"requests": 10, "window": 0.2}
        Path("users.toml").write_text(spec_text(api_spec(service, budget=None, seconds=0.8, api=windows)))
        done = sundog("crawl", "users.toml", "--out", "users")
        assert "10 requests in 0.2 s, for 0.8 s: 40 requests" in done.err
        assert "nodes by" in done.out
        less = sundog("crawl", "users.toml", "--out", "fewer", "--budget", 4)
        assert "40 requests, of which 4 are asked for" in less.err
        assert sundog("resume", "fewer", "--budget", 8).out.startswith("2 nodes by 8 requests")
    why = sundog("explain", "users", "http://api.example/users/user%200/posts?page=1")
    assert "fetched" in why.out
    assert sundog("report", "users").code == 0


def test_the_former_name_of_a_key_is_one_sentence(sundog: Command) -> None:
    Path("a.toml").write_text('seeds = ["http://no.invalid/"]\n[following]\nthrift = 0\n')
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = sundog("crawl", "a.toml", "--budget", 1, "--out", "a")
    lines = [line for line in done.err.splitlines() if "thrift" in line]
    assert lines == [
        "sundog: a.toml: following.thrift is now called following.worth_waiting; "
        "the old name goes with the next release"
    ]


def test_records_of_a_form_are_exported(sundog: Command) -> None:
    with SearchSite() as site:
        Path("library.toml").write_text(spec_text(form_spec(site)))
        done = sundog("crawl", "library.toml", "--out", "library")
    assert done.code == 0
    assert "--format answers" in done.err
    assert len(Path(sundog("export", "library", "--format", "answers").out.strip()).read_text().splitlines()) > 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"objective": "any"},
            "the objective 'any' cannot score answers of an API: say keyword:…, or give api.score",
        ),
        ({"api": {"texts": ""}}, "'api.texts' is missing"),
        ({"api": {"score": "x"}}, "api.score and the objective 'keyword:bretagne' both score nodes"),
        ({"api": {"headers": {"X": "${NO_SUCH_THING}"}}}, "the environment variable NO_SUCH_THING is not set"),
    ],
)
def test_what_is_wrong_is_one_sentence(sundog: Command, change: dict[str, object], message: str) -> None:
    Path("users.toml").write_text(spec_text(api_spec(None, **change)))  # type: ignore[arg-type]
    done = sundog("crawl", "users.toml", "--out", "users")
    assert done.code == 2
    assert message in one_line(done)
    assert not Path("users").exists()


def test_a_form_has_no_objective(sundog: Command) -> None:
    Path("library.toml").write_text(spec_text(form_spec(None)))
    assert "is after new records" in one_line(sundog("crawl", "library.toml", "--for", "jsonld"))
