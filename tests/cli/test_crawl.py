"""``sundog crawl`` and ``sundog resume``: wrong requests are one sentence, and leave nothing behind."""

from __future__ import annotations

import shutil
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.store import CrawlStore
from tests.cli.commands import Command, one_line
from tests.engines.live.webs import HOME, SmallWeb

SPEC = 'seeds = ["http://a.example/"]\n'


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as running:
        running.product(HOME, "/1")
        running.page("http://a.example/1")
        yield running


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def test_screenshots_are_of_rendered_pages(web: SmallWeb, sundog: Command) -> None:
    there = ["crawl", HOME, "--connect-to", web.connect_to, "--delay", 0, "--budget", 2, "--screenshots"]
    assert "--screenshots are of rendered pages: say --render learned" in one_line(sundog(*there))
    assert sundog(*there, "--render", "learned", "--no-report").code == 0
    assert "screenshots = true" in Path("crawl/spec.toml").read_text()


def test_what_cannot_begin_is_refused_before_kernels_are_compiled(
    sundog: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sundog._jit.kernels_are_compiled", lambda _: False)
    cluster = f"127.0.0.1:{closed_port()}"
    done = sundog("crawl", HOME, "--shards", 2, "--ray", cluster)
    assert done.err == f"sundog: the Ray cluster {cluster} cannot be reached: Connection refused\n"
    assert sundog("crawl", HOME, "--ray", cluster).err.startswith("sundog: --ray is for a crawl in shards")
    assert "compiling" in sundog("crawl", HOME, "--connect-to", cluster, "--allow-private", "--budget", 1).err
    assert sundog("resume", "crawl", "--ray", cluster).err.endswith("leave out --shards and --ray\n")


def test_a_crawl(web: SmallWeb, sundog: Command) -> None:
    done = sundog("crawl", HOME, "--connect-to", web.connect_to, "--delay", 0, "--budget", 9)
    assert (done.code, Path("crawl/report.html").is_file()) == (0, True)
    assert "2 pages of 1 host in" in done.out
    assert "stopped: frontier empty" in done.out
    assert "sundog export crawl" in done.err
    again = sundog("crawl", HOME, "--connect-to", web.connect_to, "--delay", 0, "--budget", 1, "--json")
    assert (again.code, Path("crawl-2/summary.json").is_file()) == (0, True)
    assert '"stopped": "budget"' in again.out
    longer = sundog("resume", "crawl-2", "--budget", 2, "--json")
    assert '"fetched": 2' in longer.out


def test_a_crawl_of_nothing_says_why(web: SmallWeb, sundog: Command) -> None:
    done = sundog("crawl", "http://a.example/none", "--connect-to", web.connect_to, "--delay", 0)
    assert (done.code, "1 failed" in done.out) == (0, True)
    assert done.err.endswith("every fetch failed, most often: http-4xx: status 404\n")


def test_hints_can_be_copied(web: SmallWeb, sundog: Command) -> None:
    done = sundog("crawl", HOME, "--connect-to", web.connect_to, "--delay", 0, "--out", "über uns")
    assert "take it home: sundog export 'über uns' --format jsonl" in done.err


def test_a_budget_that_is_spent_can_be_raised(web: SmallWeb, sundog: Command) -> None:
    done = sundog("crawl", HOME, "--connect-to", web.connect_to, "--delay", 0, "--budget", 1, "--out", "one")
    assert done.err.endswith("go on: sundog resume one --budget 2\n")


def test_what_was_edited_in_the_spec_is_told_on_resume(web: SmallWeb, sundog: Command) -> None:
    web.page("http://a.example/1", "/2", "/3")
    options = ("--connect-to", web.connect_to, "--delay", 0, "--budget", 1, "--policy", "bfs", "--out", "one")
    sundog("crawl", HOME, *options)
    spec = Path("one/spec.toml")
    original = spec.read_text()

    def told(edited: str, budget: int) -> list[str]:
        spec.write_text(edited)
        done = sundog("resume", "one", "--budget", budget, "--no-report")
        assert done.code == 0
        return [line for line in done.err.splitlines() if "spec.toml has" in line]

    assert told(original, 2) == []
    assert told(original.replace(HOME, "http://b.example/"), 2) == [
        "one/spec.toml has other seeds than the crawl began with: such an edit has no effect"
    ]
    other = original.replace('"bfs"', '"random"')
    assert told(other, 3) == [
        "one/spec.toml has another policy than the crawl so far: from now on pages are chosen by random, "
        "not by bfs"
    ]
    assert told(other, 4) == []


def test_a_crawl_that_a_pattern_stopped_cannot_go_on(web: SmallWeb, sundog: Command) -> None:
    patterns = '[[patterns.data]]\nname = "title"\nfind = "//title"\n[[patterns.stop]]\nname = "one"\nitems = 1\n'
    Path("one.toml").write_text(f"{SPEC}delay = 0\n{patterns}")
    done = sundog("crawl", "one.toml", "--out", "one", "--connect-to", web.connect_to)
    assert "stopped: stop pattern" in done.out
    assert "take it home: sundog export one --format items\n" in done.err
    assert "go on" not in done.err


def test_a_file_that_is_no_spec_is_no_seed(sundog: Command) -> None:
    Path("spec.txt").write_text(SPEC)
    done = sundog("crawl", "spec.txt")
    assert done.code == 2
    assert "spec.txt is a file, but its name does not end in .toml" in one_line(done)
    long = sundog("crawl", "http://a.example/" + "x" * 5000, "--connect-to", f"127.0.0.1:{closed_port()}")
    assert long.code in (1, 2)
    assert "http://a.example/xxx" in one_line(long)


def test_a_spec_with_patterns(web: SmallWeb, sundog: Command) -> None:
    Path("mine.toml").write_text(
        f'''{SPEC}delay = 0
        [[patterns.data]]
        name = "title"
        find = "//title"
        [[patterns.link]]
        name = "never"
        find = "//nothing"
        [patterns.result]
        format = "csv"'''
    )
    done = sundog("crawl", "mine.toml", "--out", "here", "--connect-to", web.connect_to)
    assert "pattern title: 1 on 1 page\npattern never: never matched\n" in done.out
    assert "result: here/result.csv" in done.out
    assert Path("here/result.csv").read_text().startswith("text,url,node_id,matched_id\n")
    assert sundog("export", "here", "--format", "result", "--out", "again.csv").out == "again.csv\n"
    assert Path("again.csv").read_text() == Path("here/result.csv").read_text()
    Path("mine.toml").write_text(Path("mine.toml").read_text().replace("//nothing", "//["))
    wrong = sundog("crawl", "mine.toml", "--out", "there")
    assert (wrong.code, Path("there").exists()) == (2, False)
    assert "patterns.link 'never'.find, line 1, column" in wrong.err


def test_a_spec_and_its_objective(web: SmallWeb, sundog: Command) -> None:
    Path("specs").mkdir()
    Path("specs/mine.toml").write_text(f'{SPEC}budget = 1\ndelay = 0\nconnect_to = "{web.connect_to}"\n')
    assert sundog("crawl", "specs/mine.toml", "--out", "here", "--budget", 2, "--for", "jsonld>=1").code == 0
    text = Path("here/spec.toml").read_text()
    assert "budget = 2" in text
    assert 'objective = "jsonld>=1"' in text


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["a.example"], "the seed 'a.example' is no URL: it needs a scheme"),
        (["mailto:a@b.example"], "the seed 'mailto:a@b.example'"),
        (["ftp://a.example/"], "it needs http or https"),
        ([HOME, "--for", "jsonl>=1"], "did you mean 'jsonld'"),
        ([HOME, "--for", "no-such.rq"], "no-such.rq"),
        ([HOME, "--policy", "bsf"], "did you mean 'bfs'"),
        ([HOME, "--policy", "oracle"], "works in simulation only"),
        ([HOME, "--stay", "galaxy"], '"host" or "domain" or "web" is expected'),
        ([HOME, "--connect-to", "here"], "HOST:PORT is expected"),
        ([HOME, "--set", "budgt=5"], "budgt"),
        ([HOME, "--set", "scope.max_dept=5"], "did you mean 'max_depth'"),
        ([HOME, "--set", "scope.max_depth=deep"], "a whole number is expected"),
        ([HOME, "--set", "budget"], "KEY=VALUE"),
        ([HOME, "--set", "user_agent=me"], "has no contact"),
        (["no-such.toml"], "no-such.toml cannot be read"),
        (["bad.toml"], "bad.toml is no TOML"),
        (["bytes.toml"], "bytes.toml cannot be read"),
        (["unknown.toml"], "unknown key 'budgt'; did you mean 'budget'?"),
        (["type.toml"], 'budget = "many": a whole number is expected'),
        (["good.toml", HOME], "one spec or some URLs are expected"),
        (["good.toml", "unknown.toml"], "one spec or some URLs are expected"),
    ],
)
def test_wrong_requests(sundog: Command, words: list[str], problem: str) -> None:
    Path("good.toml").write_text(SPEC)
    Path("bad.toml").write_text("seeds = [")
    Path("bytes.toml").write_bytes(b"\xff\xfe")
    Path("unknown.toml").write_text(f"{SPEC}budgt = 5")
    Path("type.toml").write_text(f'{SPEC}budget = "many"')
    before = sorted(Path().iterdir())
    done = sundog("crawl", *words)
    assert problem in one_line(done)
    assert done.code == (1 if "cannot be read" in problem else 2)
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("seed", "problem"),
    [
        ("http://127.0.0.1:9/", "is at a private address: to crawl it, say --allow-private"),
        ("http://localhost/", "is at a private address"),
        ("http://10.0.0.1/", "is at a private address"),
        ("http://[::1]/", "is at a private address"),
        ("http://no-such-host.invalid/", "no seed can be reached, the first is http://no-such-host.invalid/ (dns"),
    ],
)
def test_seeds_that_cannot_be_reached(sundog: Command, seed: str, problem: str) -> None:
    done = sundog("crawl", seed, "--out", "new")
    assert problem in one_line(done)
    assert done.code == 1
    assert list(Path().iterdir()) == []


def test_a_closed_port(sundog: Command) -> None:
    address = f"127.0.0.1:{closed_port()}"
    done = sundog("crawl", f"http://{address}/", "--allow-private")
    assert "no seed can be reached" in one_line(done)
    assert "connection-refused" in one_line(done)
    assert "no seed can be reached" in one_line(sundog("crawl", HOME, "--connect-to", address))
    assert list(Path().iterdir()) == []


def test_a_spec_of_ones_own_is_not_lost(sundog: Command) -> None:
    """Neither overwritten nor removed with what a crawl that cannot begin leaves."""
    Path("spec.toml").write_text('seeds = ["http://no-such-host.invalid/"]\n# mine\n')
    done = sundog("crawl", "spec.toml", "--out", ".")
    assert "holds other files ('spec.toml')" in one_line(done)
    assert Path("spec.toml").read_text().endswith("# mine\n")
    assert [path.name for path in Path().iterdir()] == ["spec.toml"]


def test_what_is_beside_it_stays(sundog: Command) -> None:
    Path("new").mkdir()
    Path("new/.hidden").write_text("x")
    assert sundog("crawl", "http://no-such-host.invalid/", "--out", "new").code == 1
    assert [path.name for path in Path("new").iterdir()] == [".hidden"]


class TestDirectories:
    """What DIR may be. ``old`` holds a crawl."""

    @pytest.fixture(autouse=True)
    def _old(self, crawl: Path) -> None:
        shutil.copytree(crawl, "old")

    def refused(self, sundog: Command, directory: str, *commands: str) -> str:
        """What both commands say, or one of them; nothing may change."""
        before = {
            path: path.stat().st_mtime_ns for path in Path().rglob("*") if path.is_file() and path.name != "lock"
        }
        errors = []
        for command in commands or ("crawl", "resume"):
            words = ("crawl", HOME, "--out", directory) if command == "crawl" else ("resume", directory)
            done = sundog(*words)
            errors.append(one_line(done))
            assert done.code == 1
        assert {
            path: path.stat().st_mtime_ns for path in Path().rglob("*") if path.is_file() and path.name != "lock"
        } == before
        return " ".join(errors)

    def test_a_crawl_is_there(self, sundog: Command) -> None:
        assert "holds a crawl already" in self.refused(sundog, "old", "crawl")

    def test_foreign(self, sundog: Command) -> None:
        Path("mine").mkdir()
        Path("mine/letter.txt").write_text("x")
        errors = self.refused(sundog, "mine")
        assert "holds other files ('letter.txt')" in errors
        assert "holds no crawl" in errors

    def test_a_file(self, sundog: Command) -> None:
        Path("file").write_text("x")
        errors = self.refused(sundog, "file")
        assert "is a file" in errors

    def test_nothing(self, sundog: Command) -> None:
        assert "there is no directory" in self.refused(sundog, "nowhere", "resume")

    @pytest.mark.parametrize("command", [["resume"], ["refresh", "--budget", "3"]])
    def test_it_is_looked_for_before_kernels_are_compiled(
        self, sundog: Command, command: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sundog._jit.kernels_are_compiled", lambda work: False)
        assert sundog(command[0], "nowhere", *command[1:]).err == "sundog: there is no directory nowhere\n"

    def test_another_database(self, sundog: Command) -> None:
        Path("other").mkdir()
        with sqlite3.connect("other/crawl.db") as connection:
            connection.execute("CREATE TABLE mine(x)")
        connection.close()
        assert "is no database of a crawl" in self.refused(sundog, "other", "resume")

    def test_a_damaged_database(self, sundog: Command) -> None:
        path = Path("old/crawl.db")
        path.write_bytes(path.read_bytes()[:4096] + b"x" * 9000)
        assert "is damaged" in self.refused(sundog, "old", "resume")

    def test_a_newer_version(self, sundog: Command) -> None:
        connection = sqlite3.connect("old/crawl.db")
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        assert "made by a newer Sundog" in self.refused(sundog, "old", "resume")

    def test_in_use(self, sundog: Command) -> None:
        with CrawlStore.open("old"):
            assert self.refused(sundog, "old", "crawl", "resume").count("is in use by another process") == 2

    def test_no_spec(self, sundog: Command) -> None:
        Path("old/spec.toml").unlink()
        assert "old/spec.toml cannot be read" in one_line(sundog("resume", "old"))

    def test_a_broken_spec(self, sundog: Command) -> None:
        Path("old/spec.toml").write_text("budget = many")
        done = sundog("resume", "old")
        assert "old/spec.toml is no TOML" in one_line(done)

    def test_a_budget_that_is_spent(self, sundog: Command) -> None:
        Path("old/spec.toml").write_text(SPEC)
        done = sundog("resume", "old", "--budget", 1)
        assert "a budget of 1 is less than what was spent already" in one_line(done)
        assert done.code == 2

    @pytest.mark.parametrize("budget", [10**16, 10**21, 10**400])
    def test_a_budget_beyond_all_numbers(self, sundog: Command, budget: int) -> None:
        done = sundog("resume", "old", "--budget", budget)
        assert "a number up to 1e+15 is expected" in one_line(done)
        assert done.code == 2

    def test_a_place_where_nobody_can_write(self, sundog: Command) -> None:
        assert "cannot be made" in self.refused(sundog, "/proc/crawl", "crawl")
