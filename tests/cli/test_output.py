"""Outputs that cannot take what is written."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.crawls import small_crawl

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


def seen_in_a_terminal(*arguments: str) -> bytes:
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *arguments], stdout=theirs, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 65_536):
                seen += part
        except OSError:  # Linux says so when the other side is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return seen


@pytest.mark.parametrize("form", ["nquads", "json", "jsonld"])
def test_a_page_sends_a_terminal_no_commands(tmp_path: Path, form: str) -> None:
    page = tmp_path / "page.html"
    name = "Tea\x9b2J\x1b]0;title\x07\u202e"
    page.write_text(
        f'<meta charset="utf-8"><p vocab="http://schema.org/" typeof="Thing"><b property="name">{name}</b>',
        encoding="utf-8",
    )
    asked = ["extract", str(page), "--base", "http://a.example/", "--format", form]
    seen = seen_in_a_terminal(*asked).decode()
    assert "Tea" in seen
    assert all(c.isprintable() or c in "\r\n\t" for c in seen)
    piped = subprocess.run([*COMMAND, *asked], capture_output=True).stdout.decode()
    assert "\u202e" in piped  # data for programs are as they were found


def test_csv_sends_a_terminal_no_commands(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    asked = ["query", str(crawl), 'SELECT ("a\\u001b[2Jb" AS ?x) {}', "--format", "csv"]
    assert b"a\\u001b[2Jb" in seen_in_a_terminal(*asked)
    assert b"a\x1b[2Jb" in subprocess.run([*COMMAND, *asked], capture_output=True).stdout
