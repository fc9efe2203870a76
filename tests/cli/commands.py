"""Running the command in this process."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import pytest

from sundog.cli import main


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Command:
    """``sundog ARGUMENTS`` in this process, as the console script calls it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> Done:
        self._monkeypatch.setattr(sys, "argv", ["sundog", *map(str, arguments)])
        self._capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return Done(code, out, err)


def one_line(done: Done) -> str:
    lines = [line for line in done.err.splitlines() if not line.startswith("compiling")]
    assert len(lines) == 1, done.err
    assert lines[0].startswith("sundog: ")
    assert done.out == ""
    return lines[0]
