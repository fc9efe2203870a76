"""Outputs that cannot take what is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "from sundog.cli import main; main()"]


def test_a_full_disk_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "policies"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "sundog: the output cannot be written: no space is left\n")


def test_letters_that_the_terminal_does_not_have_are_escaped(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<p vocab="http://schema.org/" typeof="Thing"><b property="name">Bœuf</b>', encoding="utf-8")
    asked = ["extract", str(page), "--base", "http://a.example/"]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, *asked], capture_output=True, env=ascii_only)
    assert (done.returncode, b"B\\u0153uf" in done.stdout) == (0, True)
