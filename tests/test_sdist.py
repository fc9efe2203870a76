"""The source distribution: all of the project, and nothing else that lies in the working copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
STRANGERS = [
    "crawl/crawl.db",
    "crawl/pages.warc.gz",
    "crawls/.web/secret",
    ".web/secret",
    "examples/crawl/crawl.db",
    "examples/.web/secret",
    "notes.txt",
    ".env",
]


OWN = (
    "src",
    "tests",
    "docs",
    "benchmarks",
    "examples",
    "scripts",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
)


def _files(place: str) -> list[str]:
    """What the project has there, wherever it was unpacked: no working copy is needed."""
    found = [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*")
    paths = [path.relative_to(ROOT) for path in found if path.is_file()]
    return [path.as_posix() for path in paths if "__pycache__" not in path.parts]


def test_crawls_and_secrets_are_not_packed(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    own = [name for place in OWN for name in _files(place)]
    for name in own:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy / name)
    for name in STRANGERS:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("mine")
    build = "from hatchling.build import build_sdist; print(build_sdist('dist'))"
    subprocess.run([sys.executable, "-c", build], cwd=copy, check=True, capture_output=True)
    (packed,) = (copy / "dist").iterdir()
    with tarfile.open(packed) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names & set(STRANGERS) == set()
    assert set(own) - names == set()
