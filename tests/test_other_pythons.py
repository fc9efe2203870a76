"""Which Pythons the wheel is tried with; CI does the rest."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = spec_from_file_location("other_pythons", ROOT / "scripts" / "other_pythons.py")
assert SCRIPT is not None
assert SCRIPT.loader is not None
other_pythons = module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(other_pythons)
VERSION = "{}.{}".format(*sys.version_info)


def command(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_all_that_are_promised_but_the_one_that_runs() -> None:
    assert {VERSION, *other_pythons.promised()} >= {"3.11", "3.12", "3.13"}
    assert VERSION not in other_pythons.promised()


def test_a_command_that_only_has_the_name_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command(tmp_path / "shims" / f"python{VERSION}", "echo no such version >&2; exit 127")
    monkeypatch.setenv("PATH", str(tmp_path / "shims"), prepend=":")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert other_pythons.interpreter(VERSION) is None
    real = tmp_path / "versions" / f"{VERSION}.0" / "bin" / "python"
    command(real, f'exec {sys.executable} "$@"')
    assert other_pythons.interpreter(VERSION) == real
