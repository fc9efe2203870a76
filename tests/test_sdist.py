"""The source distribution: all of the project, and nothing else that lies in the working copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling")
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


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a working copy is needed")
def test_crawls_and_secrets_are_not_packed(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    tracked = [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]
    for name in tracked:
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
    assert set(tracked) - names <= {".ci"} | {name for name in tracked if name.startswith(".ci/")}
