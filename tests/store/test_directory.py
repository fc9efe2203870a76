"""A directory that cannot be used is refused in one sentence, and left as it is."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from sundog.errors import SundogError
from sundog.results.export import export
from sundog.store import CrawlStore, open_readonly
from sundog.store.database import VERSION
from sundog.store.directory import OWN_FILES, REPORT
from sundog.web.runs.directories import SITE_FOLDER
from tests.store.crawls import small_crawl

NOBODY = 65534
CHILD = "import sys; from sundog.store import CrawlStore; CrawlStore.open(sys.argv[1])"


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", ""):
        done = subprocess.run([sys.executable, "-c", CHILD, tmp_path / "crawl"], capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.endswith(f"{tmp_path / 'crawl'} is in use by another process\n")
        with pytest.raises(SundogError, match="in use by another process"):
            CrawlStore.open(tmp_path / "crawl")
        with pytest.raises(SundogError, match="in use by another process"):
            CrawlStore.create(tmp_path / "crawl", "")
    CrawlStore.open(tmp_path / "crawl").close()


def test_a_forked_worker_does_not_keep_the_lock(tmp_path: Path) -> None:
    store = CrawlStore.create(tmp_path / "crawl", "")
    reading, writing = os.pipe()
    worker = os.fork()
    if worker == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    store.close()
    CrawlStore.open(tmp_path / "crawl").close()
    os.close(writing)
    os.close(reading)
    os.waitpid(worker, 0)


def test_the_spec_is_kept_as_it_was(tmp_path: Path) -> None:
    CrawlStore.create(tmp_path / "a" / "crawl", "# ä\nbudget = 5\n").close()
    with open_readonly(tmp_path / "a" / "crawl") as reader:
        assert reader.spec_text == "# ä\nbudget = 5\n"
        assert reader.summary == {}


def test_a_summary_is_replaced_as_a_whole(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.write_summary({"fetched": 1})
        store.write_summary({"fetched": 2})
        assert store.summary == {"fetched": 2}
    assert not [path for path in (tmp_path / "crawl").iterdir() if path.suffix == ".tmp"]


def test_a_crawl_that_exists_is_not_begun_again(tmp_path: Path) -> None:
    export(small_crawl(tmp_path / "crawl"), "nquads")
    with pytest.raises(SundogError, match="holds a crawl already"):
        CrawlStore.create(tmp_path / "crawl", "another")
    assert (tmp_path / "crawl" / "spec.toml").read_text() == "budget = 5\n"


def test_a_directory_of_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(SundogError, match=r"other files \('thesis.tex'\)"):
        CrawlStore.create(tmp_path, "")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_crawl_that_was_stopped_while_being_made_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text("x")
    (tmp_path / "crawl.db").write_bytes(b"")
    with pytest.raises(SundogError, match="stopped before it began"):
        CrawlStore.open(tmp_path)
    CrawlStore.create(tmp_path, "").close()


def test_a_file_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SundogError, match="is a file"):
        CrawlStore.create(tmp_path / "file", "")
    with pytest.raises(SundogError, match="cannot be made or read: Not a directory"):
        CrawlStore.create(tmp_path / "file" / "crawl", "")


@pytest.mark.parametrize("opener", [CrawlStore.open, open_readonly])
def test_a_directory_without_a_crawl(tmp_path: Path, opener: type[CrawlStore]) -> None:
    with pytest.raises(SundogError, match="there is no directory"):
        opener(tmp_path / "nowhere")
    with pytest.raises(SundogError, match=r"holds no crawl: it has no crawl\.db"):
        opener(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "cluster.json").write_text("{}")
    with pytest.raises(SundogError, match="is a crawl in shards: make an ordinary one of it with sundog merge"):
        opener(tmp_path)


@pytest.mark.parametrize("opener", [CrawlStore.open, open_readonly])
def test_a_newer_version_is_not_read(tmp_path: Path, opener: type[CrawlStore]) -> None:
    small_crawl(tmp_path / "crawl")
    connection = sqlite3.connect(tmp_path / "crawl" / "crawl.db")
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(SundogError, match=f"version {VERSION + 1}, made by a newer Sundog"):
        opener(tmp_path / "crawl")


@pytest.mark.parametrize("opener", [CrawlStore.open, open_readonly])
def test_another_database_is_not_read(tmp_path: Path, opener: type[CrawlStore]) -> None:
    connection = sqlite3.connect(tmp_path / "crawl.db")
    connection.execute("CREATE TABLE pages(x)")
    connection.close()
    with pytest.raises(SundogError, match="is no database of a crawl"):
        opener(tmp_path)


@pytest.mark.parametrize("opener", [CrawlStore.open, open_readonly])
def test_something_else_by_the_name_of_the_database(tmp_path: Path, opener: type[CrawlStore]) -> None:
    (tmp_path / "crawl.db").write_bytes(b"no database " * 1000)
    with pytest.raises(SundogError, match="damaged or no database"):
        opener(tmp_path)


def test_a_damaged_database_is_not_written(tmp_path: Path) -> None:
    small_crawl(tmp_path / "crawl")
    database = tmp_path / "crawl" / "crawl.db"
    data = bytearray(database.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    database.write_bytes(data)
    with pytest.raises(SundogError, match="damaged"):
        CrawlStore.open(tmp_path / "crawl")
    assert database.read_bytes() == data


def _nobodys(check: Callable[[Path], None]) -> None:
    """Run the check on a crawl in a directory that its user may not write to: root would be let in."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place) / "crawl"
        small_crawl(directory)
        if os.geteuid() == 0:
            Path(place).chmod(0o755)
            for path in (directory, *directory.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        directory.chmod(0o500)
        child = os.fork()
        if child == 0:
            try:
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setresgid(NOBODY, NOBODY, NOBODY)
                    os.setresuid(NOBODY, NOBODY, NOBODY)
                check(directory)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        failed = os.waitpid(child, 0)[1]
        directory.chmod(0o700)
        assert not failed


def test_an_unwritable_directory() -> None:
    def check(directory: Path) -> None:
        for begin in (CrawlStore.open, lambda place: CrawlStore.create(place, "")):
            with pytest.raises(SundogError, match="cannot be written to"):
                begin(directory)
        with open_readonly(directory) as reader:
            assert reader.steps

    _nobodys(check)


def test_the_documentation_names_all_files_of_a_crawl() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "store.md").read_text()
    table = text[: text.index("One process writes")]
    named = set(re.findall(r"^\| `([^`]+?)/?`", table, re.MULTILINE))
    assert named >= {name for name in OWN_FILES if not name.endswith((".db-wal", ".db-shm"))}
    assert named - OWN_FILES == {"result.xml", "export.jsonl", REPORT, SITE_FOLDER}  # made of it, or the site's
