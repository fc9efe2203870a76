"""What is there is overwritten on request only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command, one_line

SYNTH = ("synth", "made", "--profile", "keyword", "--pages", 300)
SCORE = ("score", "pages.jsonl", "made", "--for", "keyword:tea")
PATTERN = ("pattern", "new", "--ready", "product", "--out", "made")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = {"url": "http://a.example/", "html": "<p>tea"}
    Path("pages.jsonl").write_text(json.dumps(page) + "\n")


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (SYNTH, "made/pages.parquet"),
        (SYNTH, "made/links.parquet"),
        (SCORE, "made/links.parquet"),
        (PATTERN, "made"),
    ],
)
def test_what_is_there_stays_without_force(sundog: Command, command: tuple[object, ...], file: str) -> None:
    Path(file).parent.mkdir(exist_ok=True)
    Path(file).write_text("mine")
    done = sundog(*command)
    assert one_line(done).endswith(f"{file} is there already: name another place, or overwrite it with --force")
    assert (done.code, Path(file).read_text()) == (1, "mine")
    assert sundog(*command, "--force").code == 0
    assert Path(file).read_bytes() != b"mine"
