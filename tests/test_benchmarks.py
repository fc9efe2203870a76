"""Benchmarks that the documentation names can be run by that name."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import benchmarks
from benchmarks.__main__ import ALL
from benchmarks.papers import PAPERS

FOLDER = Path(benchmarks.__file__).parent
DOCS = [FOLDER.parent / "README.md", *sorted((FOLDER.parent / "docs").glob("*.md"))]
NAME = r"[a-z]\w*(?:-\w+)*"
COMMAND = re.compile(rf"python\s+-m\s+benchmarks(?:\.(?P<module>[\w.]+)|\s+(?P<names>{NAME}(?: {NAME})*))")


def commands() -> list[re.Match[str]]:
    return [match for path in DOCS for match in COMMAND.finditer(path.read_text(encoding="utf-8"))]


def test_every_name_in_the_documentation_is_a_benchmark() -> None:
    names = {name for match in commands() for name in (match["names"] or "").split()}
    assert len(names) > 15
    assert names <= {*ALL, "papers", *PAPERS}


def test_every_module_in_the_documentation_is_there() -> None:
    modules = {match["module"] for match in commands() if match["module"]}
    assert len(modules) > 3
    assert all(find_spec(f"benchmarks.{module}") for module in modules)


def test_every_file_in_the_documentation_is_there() -> None:
    files = {name for path in DOCS for name in re.findall(r"`(benchmarks/[\w/]+\.py)`", path.read_text("utf-8"))}
    assert files
    assert all((FOLDER.parent / name).is_file() for name in files)
