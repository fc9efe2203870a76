"""Guides that change the sources hold when they are followed literally, in a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import FENCE, ROOT

# A block of code, and the last file that the text before it names.
NAMED_FILE = re.compile(r"`(src/sundog/[\w/]+\.py)`:\s*$")


def follow(guide: Path, copy: Path) -> list[str]:
    """Write the files and apply the changes that a guide shows; returns which."""
    text, touched = guide.read_text(encoding="utf-8"), []
    file = ""
    end = 0
    for block in FENCE.finditer(text):
        named = NAMED_FILE.search(text[end : block.start()])
        between, end = text[end : block.start()].strip(), block.end()
        if named:
            file = named[1]
        elif between or block[1] != "diff":
            continue
        path = copy / file
        if block[1] == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), block[2]), encoding="utf-8")
        elif block[1] == "python":
            assert not path.exists()
            path.write_text(block[2], encoding="utf-8")
        touched.append(file)
    return touched


def changed(text: str, diff: str) -> str:
    """What the diff shows must be there once, to the letter."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(before) == 1, f"not to be found once:\n{before}"
    return text.replace(before, after)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "src", directory / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return directory


def run(copy: Path, *command: str) -> str:
    """A command line of the copy: ``sundog …``."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "XDG_CACHE_HOME": str(copy / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=copy, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands_of(guide: Path) -> list[list[str]]:
    blocks = [block[2] for block in FENCE.finditer(guide.read_text(encoding="utf-8")) if block[1] == "sh"]
    return [line.split() for block in blocks for line in block.splitlines() if line.startswith("sundog ")]


def test_a_policy_is_added(copy: Path) -> None:
    guide, hosts = ROOT / "docs" / "add-a-policy.md", "src/sundog/policies/hosts"
    assert follow(guide, copy) == [
        f"{hosts}/presets.py",
        f"{hosts}/strategies/mean_best.py",
        f"{hosts}/strategies/__init__.py",
        f"{hosts}/strategies/__init__.py",
    ]
    listed = {line.split()[0] for line in run(copy, "sundog", "policies").splitlines()}
    assert {"success-ftrl", "mean-best"} <= listed
    *_, found = [run(copy, *command) for command in commands_of(guide)]
    assert "mean-best" in found
    assert "success-ftrl" in run(copy, "sundog", "simulate", "web", "--policy", "success-ftrl", "--budget", "100")
