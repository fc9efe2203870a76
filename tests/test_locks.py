"""What is installed to run, to develop, and by a plain ``pip install``."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("pyarrow", "vl_convert")))  # then they cannot be imported
import sundog.cli
sundog.cli.main()
"""


def _locked(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    return {_name(line): line.partition("==")[2] for line in lines if "==" in line}


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[=<>]", requirement)[0]).lower()


def test_running_has_the_versions_that_are_tested() -> None:
    run, everything = _locked("requirements-run.lock"), _locked("requirements.lock")
    assert run.items() <= everything.items()


def test_running_has_what_a_plain_installation_has() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    run = _locked("requirements-run.lock")
    assert {_name(each) for each in project["dependencies"]} <= set(run)
    heavy = {_name(each) for extra in ("parquet", "charts") for each in project["optional-dependencies"][extra]}
    assert not heavy & set(run)


def test_without_the_heavy_packages_a_command_says_what_to_install(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, "synth", str(tmp_path / "web"), "--pages", "100", "--hosts", "5"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "pyarrow, which is missing: pip install 'sundog[parquet]'" in done.stderr
    assert done.stderr.count("\n") == 1, "nothing was done before"
    assert not (tmp_path / "web").exists()
