"""What is logged, to whom, and that nothing is without being asked."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sundog._jit import COMPILING
from sundog.demo_web.serving import serving
from tests.cli.commands import Command, one_line

COMPILE = "from sundog.engines.live.start import compile_kernels; compile_kernels('bfs')"
LOGGED = "import logging; logging.basicConfig(level=logging.INFO)"
PAGES = 12


def run(program: str, cache: Path) -> subprocess.CompletedProcess[str]:
    variables = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**variables, "SUNDOG_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )


def test_library_users_are_told_of_the_first_compilation_if_they_ask(tmp_path: Path) -> None:
    told = run(f"{LOGGED}; {COMPILE}", tmp_path)
    assert COMPILING in told.stderr
    assert "kernels are compiled, in " in told.stderr
    again = run(f"{LOGGED}; {COMPILE}", tmp_path)
    assert (again.stdout, again.stderr) == ("", "")


def test_warnings_of_the_library_are_not_printed_unasked(tmp_path: Path) -> None:
    done = run("import logging, sundog; logging.getLogger('sundog.web').warning('a')", tmp_path)
    assert (done.stdout, done.stderr) == ("", "")


def crawl(sundog: Command, directory: Path, *options: str) -> tuple[str, str]:
    with serving(hosts=4, pages=100) as web:
        where = ("--connect-to", web.connect_to, "--out", directory, "--workers", 0, "--delay", 0)
        done = sundog(*options, "crawl", web.seeds[0], "--budget", PAGES, "--no-report", "--json", *where)
    assert done.code == 0, done.err
    assert json.loads(done.out)["fetched"] == PAGES
    return done.out, done.err


def test_a_log_file_has_json_lines_and_is_appended_to(
    sundog: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "sundog.log"
    crawl(sundog, tmp_path / "a", "--log-file", str(file))
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(record.keys() >= {"time", "level", "logger", "message"} for record in records)
    messages = [each["message"] for each in records if each["logger"] == "sundog.engines.live.run"]
    assert messages[0].startswith(f"{tmp_path / 'a'}: begins, policy sundog")
    assert messages[-1].startswith(f"{tmp_path / 'a'}: {PAGES} fetched, ")
    monkeypatch.setenv("SUNDOG_LOG_FILE", str(file))
    crawl(sundog, tmp_path / "b", "-q")
    assert len(file.read_text().splitlines()) >= len(records) + 2


def test_verbose_logs_to_standard_error_and_twice_every_page(sundog: Command, tmp_path: Path) -> None:
    _, plain = crawl(sundog, tmp_path / "a")
    assert "INFO" not in plain
    _, once = crawl(sundog, tmp_path / "b", "-v")
    assert "INFO sundog.engines.live.run: " in once
    assert "DEBUG" not in once
    _, twice = crawl(sundog, tmp_path / "c", "-vv")
    assert twice.count("DEBUG sundog.engines.live.journal: fetched: http") >= 1
    assert twice.count("DEBUG sundog.engines.live.journal: ") >= PAGES


def test_quiet_says_nothing_but_errors(sundog: Command, tmp_path: Path) -> None:
    _, err = crawl(sundog, tmp_path / "a", "-q")
    assert err == ""
    done = sundog("-q", "report", tmp_path / "nowhere")
    assert done.code == 1
    assert "nowhere" in one_line(done)
    assert sundog("repair", "-h").code == 0


def test_nothing_is_left_behind(sundog: Command, tmp_path: Path) -> None:
    logger = logging.getLogger("sundog")
    before = (logger.level, list(logger.handlers))
    sundog("-vv", "--log-file", tmp_path / "log", "policies")
    assert (logger.level, logger.handlers) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-v", "-q"], "-v and -q exclude each other"),
        (["--log-file", "nowhere/log"], "--log-file nowhere/log cannot be written: No such file"),
    ],
)
def test_wrong_usage_is_one_sentence(
    sundog: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = sundog(*options, "policies")
    assert done.code == 2
    assert message in one_line(done)


def test_a_terminal_obeys_nothing_that_is_logged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from sundog.cli.logs import logging_to

    with logging_to(0, False, tmp_path / "log"):
        try:
            raise ValueError("a\x1b[2J")
        except ValueError:
            logging.getLogger("sundog.web").exception("b\x1b[2J")
    err = capsys.readouterr().err
    assert "b\\u001b[2J" in err
    assert "\x1b" not in err
    assert "a\x1b[2J" in json.loads((tmp_path / "log").read_text())["traceback"]
