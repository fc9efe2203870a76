"""``sundog export``, ``query`` and ``report``: getting what a crawl found."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sundog.rdf.namespaces import PREFIXES
from sundog.results.export import FORMATS
from sundog.store import CrawlStore
from tests.cli.commands import Command, one_line
from tests.store.crawls import fill, small_crawl

NAMES = "SELECT ?page ?name { GRAPH ?page { ?x schema:name ?name } } ORDER BY ?name"


# --- export


@pytest.mark.parametrize("form", ["nquads", "jsonl", "parquet", "csv", "warc"])
def test_the_path_is_the_result(sundog: Command, crawl: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "some" / "where"
    assert sundog("export", crawl, "--format", form, "--out", out) == (0, f"{out}\n", "")
    assert out.exists()


def test_an_export_goes_into_the_directory_by_default(sundog: Command, tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    done = sundog("export", crawl, "--format", "nquads", "--json")
    assert json.loads(done.out) == {"format": "nquads", "path": str(crawl / "export.nq")}
    assert "Kettle" in (crawl / "export.nq").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--format", "nquad"], 2, "unknown format 'nquad'; did you mean 'nquads'?"),
        (["--format", "nquads", "--out", "file/x"], 1, "file/x cannot be written: "),
        (["--format", "csv", "--out", "file/x"], 1, "file/x cannot be written: "),
        (["--format", "nquads", "--out", "x" * 300], 1, "cannot be written: File name too long"),
        (["--format", "nquads", "--out", "full"], 1, "full is a directory: name a file"),
        (["--format", "csv", "--out", "full"], 1, "full is a directory with other files"),
        (["--format", "csv", "--out", "file"], 1, "file is no directory"),
        (["--format", "csv", "--out", "."], 1, "names no file"),
        (["--format", "nquads", "--out", "/dev/null"], 1, "/dev/null is no regular file"),
    ],
)
def test_exports_that_cannot_be(
    sundog: Command,
    crawl: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    done = sundog("export", crawl, *arguments)
    assert message in one_line(done)
    assert done.code == code
    assert sorted(os.listdir()) == ["file", "full"]
    assert (tmp_path / "file").read_text() == (tmp_path / "full" / "mine").read_text() == "mine"


@pytest.mark.parametrize("form", [name for name in FORMATS if name != "result"])
@pytest.mark.parametrize("table", ["urls", "log", "outcomes", "statements", "contents"])
def test_no_export_of_a_damaged_crawl_succeeds(sundog: Command, tmp_path: Path, form: str, table: str) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    with closing(sqlite3.connect(crawl / "crawl.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page, size = connection.execute(
            "SELECT rootpage, page_size FROM sqlite_master, pragma_page_size WHERE name = ?", [table]
        ).fetchone()
    with (crawl / "crawl.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    done = sundog("export", crawl, "--format", form, "--out", tmp_path / "out")
    assert "is damaged" in one_line(done)
    assert (done.code, (tmp_path / "out").exists()) == (1, False)


@pytest.mark.parametrize(
    ("row", "form"),
    [
        ("outcomes SET types = '[' WHERE types", "csv"),
        ("log SET at = '[' WHERE at", "jsonl"),
        ("log SET at = 9e99 WHERE at", "provenance"),
        ("urls SET url = x'fffe' WHERE url", "nquads"),
        ("outcomes SET status = '[' WHERE status", "parquet"),
        ("statements SET triples = CAST(x'ff' AS TEXT) WHERE triples", "void"),
    ],
)
def test_damage_within_a_row_is_one_sentence(sundog: Command, tmp_path: Path, row: str, form: str) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    with closing(sqlite3.connect(crawl / "crawl.db", isolation_level=None)) as connection:
        connection.execute(f"UPDATE {row} IS NOT NULL")
    done = sundog("export", crawl, "--format", form, "--out", tmp_path / "out")
    assert "crawl.db is damaged" in one_line(done)
    assert (done.code, (tmp_path / "out").exists()) == (1, False)


@pytest.mark.parametrize("name", ["crawl.db", "spec.toml", "statements", "pages.warc.gz", "crawl.db-wal"])
def test_no_part_of_the_crawl_is_overwritten(sundog: Command, crawl: Path, name: str) -> None:
    for form in ("nquads", "csv"):
        done = sundog("export", crawl, "--format", form, "--out", crawl / name)
        assert "is a part of the crawl itself" in one_line(done)


def test_pages_that_were_not_kept_cannot_be_exported(sundog: Command, tmp_path: Path) -> None:
    CrawlStore.create(tmp_path / "crawl", "").close()
    done = sundog("export", tmp_path / "crawl", "--format", "warc")
    assert "the crawl was not asked to keep pages" in one_line(done)


# --- directories that are none of ours


@pytest.mark.parametrize("command", [("export", "--format", "csv"), ("query", "ASK {}"), ("report",)])
def test_directories_without_a_crawl(sundog: Command, tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *rest = command
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "crawl.db").write_text("not a database at all, but long enough to be one " * 9)
    newer = small_crawl(tmp_path / "newer")
    with sqlite3.connect(newer / "crawl.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for directory, message in {
        "nowhere": "there is no directory",
        "empty": "holds no crawl: it has no crawl.db",
        "foreign": "is damaged or no database of a crawl",
        "newer": "is of version 99, made by a newer Sundog",
    }.items():
        done = sundog(name, tmp_path / directory, *rest)
        assert message in one_line(done)
        assert done.code == 1


# --- query


def test_a_table(sundog: Command, crawl: Path) -> None:
    done = sundog("query", crawl, NAMES)
    assert (done.code, done.err) == (0, "")
    rows = [line.strip().split(maxsplit=1) for line in done.out.splitlines()]
    assert rows[0] == ["page", "name"]
    assert [row[1] for row in rows[2:]] == ["Ada", 'Kettle "one"', "Wasserkocher"]


def test_json_and_csv(sundog: Command, crawl: Path) -> None:
    document = json.loads(sundog("query", crawl, NAMES, "--json").out)
    assert document == json.loads(sundog("query", crawl, NAMES, "--format", "json").out)
    assert document["results"]["bindings"][0]["name"] == {"type": "literal", "value": "Ada"}
    rows = list(csv.reader(io.StringIO(sundog("query", crawl, NAMES, "--format", "csv").out)))
    assert rows[:2] == [["page", "name"], ["http://a.example/", "Ada"]]
    assert sundog("query", crawl, "ASK { ?x a schema:Person }").out.split()[-1] == "true"
    assert json.loads(sundog("query", crawl, "ASK {}", "--json").out) == {"head": {}, "boolean": True}


def test_the_other_formats(sundog: Command, crawl: Path) -> None:
    assert sundog("query", crawl, NAMES, "--format", "tsv").out.startswith("?page\t?name\n")
    graph = "CONSTRUCT WHERE { ?s schema:name ?name }"
    assert sundog("query", crawl, graph, "--format", "turtle").out.startswith("@prefix schema:")
    refused = sundog("query", crawl, NAMES, "--format", "turtle")
    assert "SELECT answers with a table, which cannot be turtle: ask for json, xml" in one_line(refused)


def test_a_query_in_a_file(sundog: Command, crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "names.rq"
    path.write_bytes(b"\xef\xbb\xbf" + NAMES.encode())
    assert sundog("query", crawl, path) == sundog("query", crawl, NAMES)
    path.write_bytes(b"\xff\xfe")
    assert "names.rq cannot be read: it is not UTF-8" in one_line(sundog("query", crawl, path))
    missing = sundog("query", crawl, tmp_path / "missing.rq")
    assert "missing.rq cannot be read: No such file or directory" in one_line(missing)
    assert missing.code == 1


SLOW = "SELECT (count(*) AS ?n) { " + " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(12)) + " }"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["SELECT * { ?s shema:name ?o }"], 2, "error at 1:25"),
        (["SELECT * { ?s shema:name ?o }"], 2, "prefix 'shema' is not declared; did you mean 'schema'?"),
        (["SELECT * {\n ?s ?p"], 2, "error at 2:"),
        (["SELECT ?s (count(*) AS ?n) { ?s ?p ?o }"], 2, "The SELECT contains a variable that is unbound"),
        (["DELETE WHERE { ?s ?p ?o }"], 2, "nothing can be changed"),
        (["SELECT * { SERVICE <http://a.example/> {} }"], 2, "SERVICE would reach the network"),
        ([NAMES, "--format", "tabel"], 2, "unknown format 'tabel'; did you mean 'table'?"),
        ([NAMES, "--format", "csv", "--json"], 2, "contradict each other"),
        ([SLOW, "--timeout", "0.5"], 1, "the query was stopped after 0.5 seconds"),
    ],
)
def test_queries_that_cannot_be(
    sundog: Command, crawl: Path, arguments: list[str], code: int, message: str
) -> None:
    done = sundog("query", crawl, *arguments)
    assert message in one_line(done)
    assert done.code == code


def test_a_running_crawl_says_what_is_not_seen_yet(sundog: Command, tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        store.commit()
        done = sundog("query", tmp_path / "crawl", NAMES, "--json")
        assert "2 pages are not seen yet" in done.err
        assert json.loads(done.out)["results"]["bindings"] == []


def test_an_index_that_is_gone_is_made_anew(sundog: Command, tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    shutil.rmtree(crawl / "statements")
    assert "Kettle" in sundog("query", crawl, NAMES).out


def test_long_answers_are_cut_and_say_so(sundog: Command, crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.cli.crawls.results.MOST_IN_TABLE", 2)
    done = sundog("query", crawl, NAMES)
    assert "more than 2 rows" in done.err
    assert len(done.out.splitlines()) == 4


def test_nothing_of_a_page_reaches_the_terminal_as_a_command(sundog: Command, crawl: Path) -> None:
    evil = "SELECT ('a\\u001B[2J[red]b[/red]:smile:\\nc\\u202E' AS ?x) {}"
    out = sundog("query", crawl, evil).out
    assert "a [2J[red]b[/red]:smile: c" in out
    assert not {"\x1b", "\u202e"} & set(out)


def test_wide_rows_are_whole_where_there_is_no_terminal(sundog: Command, crawl: Path) -> None:
    wide = "x" * 5_000
    assert wide in sundog("query", crawl, f"SELECT ('{wide}' AS ?x) ('y' AS ?z) {{}}").out


# --- report


def test_a_report(sundog: Command, tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    assert sundog("report", crawl) == (0, f"{crawl / 'report.html'}\n", "")
    out = tmp_path / "r.html"
    assert json.loads(sundog("report", crawl, "--out", out, "--json").out) == {"path": str(out)}
    assert out.read_text(encoding="utf-8").endswith("</html>\n")
    assert "is a directory: name a file" in one_line(sundog("report", crawl, "--out", tmp_path))


# --- docs/results.md

RESULTS = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")


def test_the_recipes_run(crawl: Path) -> None:
    recipes = re.findall(r"^```sql\n(.*?)^```$", RESULTS.partition("## Recipes")[2], re.MULTILINE | re.DOTALL)
    assert len(recipes) >= 4
    with closing(sqlite3.connect(crawl / "crawl.db")) as connection:
        for recipe in recipes:
            assert connection.execute(recipe).fetchall()


def test_the_prefixes_are_explained() -> None:
    assert [name for name in PREFIXES if f"`{name}`" not in RESULTS] == []


def test_the_query_of_the_page_runs(sundog: Command, crawl: Path) -> None:
    (query,) = re.findall(r"sundog query kettles '(SELECT \?page.*)'", RESULTS)
    assert "Kettle" in sundog("query", crawl, query).out


def test_the_help_of_export_lists_every_format(sundog: Command) -> None:
    from sundog.results.export import FORMATS

    shown = " ".join(sundog("export", "--help").out.split())
    assert [each.name for each in FORMATS.values() if f"{each.name}: {each.summary}." not in shown] == []
