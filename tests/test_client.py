"""The library as others see it: typed to the last name, and quiet under ``python -W error``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import sundog
from sundog import CrawlSession, SundogError, UsageError, simulate
from sundog.policies.parameters import PARAMETERS, PolicyParameters
from tests.engines.live.webs import HOME, SmallWeb
from tests.test_docs import ROOT, python_blocks

CLIENT = ROOT / "tests" / "client.py"


def strict(files: dict[str, str], folder: Path) -> str:
    """What mypy says of them, as of a project of its own, without our settings."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = ("--strict", "--config-file=", "--cache-dir", str(folder / "cache"), "--python-executable")
    command = [sys.executable, "-m", "mypy", *words, sys.executable, *files]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_every_public_name_is_used() -> None:
    text = CLIENT.read_text(encoding="utf-8")
    assert [name for name in sundog.__all__ if text.count(name) < 2] == []


MISSPELT = [
    'CrawlSession(polcy="bfs", budget=3)',
    'CrawlSession(policy="bfs", budget=3, decya=1.0)',
    'simulate("web", polcy="bfs", budget=3)',
    'simulate("web", "bfs", budget=3, hashes=[])',
    'explore(print, ["a"], budget=3, refesh=2)',
]


def test_clients_are_typed(tmp_path: Path) -> None:
    """This program and the README's are right, each of those calls is wrong."""
    readme = "\n".join(block.code for block in python_blocks(ROOT / "README.md"))
    wrong = "\n".join(["from sundog import CrawlSession, explore, simulate", *MISSPELT])
    files = {"client.py": CLIENT.read_text(encoding="utf-8"), "readme.py": readme, "wrong.py": wrong}
    said = [line for line in strict(files, tmp_path).splitlines() if ": error:" in line]
    assert [line for line in said if not line.startswith("wrong.py:")] == []
    lines = {int(line.split(":")[1]) for line in said}
    assert lines == set(range(2, 2 + len(MISSPELT))), said


def test_and_at_run_time(small_world_directory: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'policy'"):
        CrawlSession(polcy="bfs", budget=3)  # type: ignore[call-arg]
    with pytest.raises(SundogError, match="did you mean 'objective'"):
        simulate(small_world_directory, budget=3, objectiv="any")  # type: ignore[call-arg]


def test_type_checkers_know_every_parameter() -> None:
    assert list(PolicyParameters.__annotations__) == list(PARAMETERS)


def test_a_client_runs_without_a_warning_or_a_word(tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.product(HOME, "http://a.example/b")
        web.product("http://a.example/b")
        words = ("-W", "error", str(CLIENT), str(tmp_path), web.connect_to)
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == sundog.__version__
