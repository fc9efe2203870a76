"""The one list of formats, and what is derived from it: help, documentation, file names, the format that suits."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from sundog.errors import SundogError, UsageError
from sundog.results.export import FORMATS, best_format, export, files_of_exports, find_format
from sundog.store.formats.format import Format
from tests.results.crawls import crawl_with_everything
from tests.store.crawls import small_crawl

DOCS = Path(__file__).parent.parent.parent / "docs"
EVERY = pytest.mark.parametrize("each", FORMATS.values(), ids=list(FORMATS))


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawl_with_everything(tmp_path_factory.mktemp("formats") / "crawl")


@EVERY
def test_a_format_says_what_it_is(each: Format) -> None:
    assert all(re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", media_type) for media_type in each.files.values())
    assert each.title
    assert re.fullmatch(r"[a-z][^\[\]]*[^.]", each.summary)  # brackets would be markup in the help
    assert set(each.files) <= files_of_exports()


def test_no_two_formats_share_a_name_or_a_file() -> None:
    files = [file for each in FORMATS.values() for file in each.files]
    assert len(files) == len(set(files)) == len(files_of_exports())


@EVERY
def test_the_documentation_has_a_row_for_every_format(each: Format) -> None:
    rows = [line for line in (DOCS / "store.md").read_text().splitlines() if line.startswith("|")]
    assert [row for row in rows if f"`{each.name}`" in row.split("|")[1]]


@EVERY
def test_every_format_has_a_content_and_stands_where_it_should(each: Format, crawl: Path) -> None:
    path = export(crawl, each.name)
    assert (path.parent, path.name in each.files, path.is_dir()) == (crawl, True, each.is_folder)
    if each.is_folder:
        assert {part.name for part in path.iterdir()} <= each.parts
    else:
        assert path.stat().st_size


@pytest.mark.parametrize("form", ["xml", "json", "csv", "parquet"])
def test_a_result_is_the_file_that_its_spec_says(tmp_path: Path, form: str) -> None:
    assert export(crawl_with_everything(tmp_path / "c", form), "result") == tmp_path / "c" / f"result.{form}"


def test_tables_of_one_format_may_replace_those_of_another_and_nothing_else(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    export(crawl, "parquet", out)
    export(crawl, "csv", out)
    assert (out / "pages.csv").exists()
    shutil.rmtree(out)
    (out / "items").mkdir(parents=True)  # somebody's own
    with pytest.raises(SundogError, match="is a directory with other files"):
        export(crawl, "csv", out)


def test_a_crawl_without_patterns_has_no_result(tmp_path: Path) -> None:
    (small_crawl(tmp_path / "c") / "spec.toml").write_text('seeds = ["http://a.example/"]')
    for out in (None, tmp_path / "folder" / "r.xml"):
        with pytest.raises(UsageError, match="has no result: its spec has no patterns"):
            export(tmp_path / "c", "result", out)
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_provenance_is_for_nquads(crawl: Path) -> None:
    assert [each.name for each in FORMATS.values() if each.with_provenance] == ["nquads"]
    with pytest.raises(UsageError, match="provenance is added to nquads only, not to csv"):
        export(crawl, "csv", with_provenance=True)


def test_an_unknown_format_gets_a_hint() -> None:
    with pytest.raises(UsageError, match="unknown format 'resul'; did you mean 'result'"):
        find_format("resul")
    with pytest.raises(UsageError, match=f"there are {', '.join(FORMATS)}"):
        find_format("docx")


@pytest.mark.parametrize(
    ("summary", "name"), [({"requests": 3, "patterns": {}}, "answers"), ({"patterns": {}}, "items"), ({}, "jsonl")]
)
def test_the_format_that_suits_a_crawl(summary: dict[str, object], name: str) -> None:
    assert best_format(summary).name == name
