"""The shell commands of the docs: every one is understood, and those of the tutorials run as they stand."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from typer.core import TyperGroup

from sundog.cli.app import app
from sundog.demo_web.serving import server_process
from tests.test_docs import FENCE, PAGES, name_of

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PROGRAM = typer.main.get_command(app)
TO_RUN = 300.0  # seconds for one command, on a machine that has much else to do


class Tutorial(NamedTuple):
    """A page whose commands run one after the other, in an empty directory."""

    page: str
    not_run: dict[str, str]  # how a command begins → why it is not run
    files: dict[str, str]  # what readers have of their own
    fails: tuple[str, ...] = ()  # what the page shows to fail


TUTORIALS = [
    Tutorial(
        "quickstart.md",
        {
            "python3 -m venv": "installs",
            ".venv/bin/pip": "installs",
            ". .venv": "installs",
            "pip install": "installs",
            "sundog keep": "does not end by itself",
            "sundog serve": "does not end by itself",
            "sundog budget": "is for a crawl that runs",
            "sundog merge": "is for a crawl in shards: tests/engines/cluster",
            "sundog crawl https://food.example/": "leads to the Web",
            "sundog synth": "makes the worlds of the README: tests/cli",
            "sundog simulate": "crawls these",
            "sundog score": "wants a large file of pages",
            "sundog world ": "wants a crawl with a WARC file, and archives: tests/cli/test_world.py",
        },
        {
            "kettles.toml": 'seeds = ["https://www.shop.example/"]\nbudget = 100\n',
            "page.html": '<p itemscope itemtype="https://schema.org/Product"><b itemprop=name>A cup</b>',
            "data.ttl": "<https://a.example/> <https://b.example/> 1 .",
        },
    ),
    Tutorial("patterns-tutorial.md", {}, {}, ("sundog pattern try cities.toml http://wiki.example/wiki/Coburg",)),
    Tutorial(
        "linked-data.md",
        {"sundog crawl https://data.example/": "leads to the Web"},
        {},
    ),
]


def commands_of(page: Path) -> Iterator[str]:
    """Of its shell blocks, one by one; a backslash at the end of a line joins the next one."""
    for match in FENCE.finditer(page.read_text(encoding="utf-8")):
        if match[1] == "sh":
            yield from match[2].replace("\\\n", " ").splitlines()


def words_of(command: str) -> list[str]:
    """What the shell would give to ``sundog``.

    >>> words_of("TOKEN=… sundog query it 'SELECT *' > a.csv   # all of it")
    ['query', 'it', 'SELECT *']
    """
    words = shlex.split(command, comments=True)
    begin = words.index("sundog") + 1
    end = next((i for i, word in enumerate(words) if word in (">", "<", "|", "&", "·")), len(words))
    return words[begin:end]


OF_SUNDOG = [
    pytest.param(command, id=f"{name_of(page)}: {command[:60]}")
    for page in PAGES
    for command in commands_of(page)
    if re.search(r"(^|\s)sundog ", command.split("#")[0])
]


@pytest.mark.parametrize("command", OF_SUNDOG)
def test_every_command_is_understood(command: str) -> None:
    """Its name, its options and the number of its arguments; nothing is run."""
    program, words = PROGRAM, words_of(command)
    while isinstance(program, TyperGroup) and not words[0].startswith("-"):
        assert words[0] in program.commands, f"sundog has no command {words[0]}"
        program, words = program.commands[words[0]], words[1:]
    if not isinstance(program, TyperGroup):  # sundog --help and its like
        program.make_context("sundog", words)


class Shell:
    """Runs commands in one directory; servers in the background get a free port, and end with it."""

    def __init__(self, folder: Path, servers: ExitStack) -> None:
        self._folder, self._servers = folder, servers
        self._ports: dict[str, str] = {}  # those of the page → those of this machine
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self._environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}

    def run(self, command: str, *, fails: bool) -> None:
        for port, ours in self._ports.items():
            command = command.replace(f":{port}", f":{ours}")
        served = re.fullmatch(r"python -m (\S+) --port (\d+)(?: &)?", command)
        if served:
            self._ports[served[2]] = str(self._servers.enter_context(server_process(served[1])))
            return
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=TO_RUN,
        )
        assert (done.returncode != 0) == fails, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.page)
def test_a_tutorial_runs(tutorial: Tutorial, tmp_path: Path) -> None:
    for name, text in tutorial.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    passed_over = set()
    with ExitStack() as servers:
        shell = Shell(tmp_path, servers)
        for command in commands_of(DOCS / tutorial.page):
            reason = next((begin for begin in tutorial.not_run if command.startswith(begin)), None)
            if reason is None:
                shell.run(command, fails=command.startswith(tutorial.fails))
            passed_over.add(reason)
    assert passed_over >= set(tutorial.not_run), "not_run names commands that the page does not have"
