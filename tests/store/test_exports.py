"""Every export is read back by somebody else's reader."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pyoxigraph
import pytest
from warcio.archiveiterator import ArchiveIterator

from sundog.errors import SundogError, UsageError
from sundog.files import complete_or_absent
from sundog.rdf.namespaces import one_schema_org
from sundog.results.export import export
from sundog.store import CrawlStore
from sundog.store.formats.csv import CsvTable
from sundog.store.formats.parquet import ParquetTable
from sundog.store.tables import write_records
from sundog.worlds.load import load_world
from tests.store.crawls import PERSON, PRODUCT, SCHEMA, fill, small_crawl

STATEMENTS = len(PRODUCT) + len(PERSON) + 1


def test_nquads_have_their_page_as_graph(crawl: Path, tmp_path: Path) -> None:
    out = export(crawl, "nquads", tmp_path / "out.nq")
    quads = list(pyoxigraph.parse(path=str(out), format=pyoxigraph.RdfFormat.N_QUADS))
    assert len(quads) == STATEMENTS
    assert {quad.graph_name.value for quad in quads} == {"http://a.example/", "http://c.example?q"}
    assert pyoxigraph.Literal('Kettle "one"', language="en") in [quad.object for quad in quads]


def test_nquads_are_what_the_index_holds_save_how_schema_org_is_written(crawl: Path, tmp_path: Path) -> None:
    text = one_schema_org(export(crawl, "nquads", tmp_path / "out.nq").read_text())
    exported = pyoxigraph.Dataset(pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS))
    indexed = pyoxigraph.Dataset(pyoxigraph.Store.read_only(str(crawl / "statements")))
    for dataset in (exported, indexed):
        dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.RDFC_1_0)
    assert exported == indexed


def test_jsonl_has_one_item_an_entity(crawl: Path, tmp_path: Path) -> None:
    lines = export(crawl, "jsonl", tmp_path / "out.jsonl").read_text().splitlines()
    items = [json.loads(line) for line in lines]
    assert [(item["syntax"], item["entity"]["@type"]) for item in items] == [
        ("jsonld", [f"{SCHEMA}Product"]),
        ("microdata", [f"{SCHEMA}Person"]),
        ("rdfa", [f"{SCHEMA}Person"]),
    ]
    product, *_ = items
    assert product["page"] == "http://a.example/"
    assert product["fetched_at"] == "1970-01-01T00:00:11Z"
    assert product["entity"]["name"][1] == {"@value": "Wasserkocher", "@language": "de"}
    assert product["entity"]["offers"] == {"@type": [f"{SCHEMA}Offer"], "price": 9.5}
    assert product["sources"] == [{"page": "http://a.example/", "syntax": "jsonld"}]


def test_parquet_has_pages_links_and_a_table_a_type(crawl: Path, tmp_path: Path) -> None:
    out = export(crawl, "parquet", tmp_path / "tables")
    pages = pq.read_table(out / "pages.parquet").to_pylist()
    assert [page["id"] for page in pages] == [0, 1, 3]
    assert pages[0]["types"] == [f"{SCHEMA}Product", f"{SCHEMA}Person"]
    assert pages[0]["fetched_at"].isoformat() == "1970-01-01T00:00:11+00:00"
    assert pq.read_table(out / "links.parquet").to_pylist()[0] == {
        "src": 0,
        "dst": 1,
        "anchor": "one",
        "tag_path": "html/body/a",
        "score": 0.0,
    }
    files = sorted(path.name for path in (out / "entities").iterdir())
    assert files == ["schema.org_Person.parquet", "schema.org_Product.parquet"]
    (product,) = pq.read_table(out / "entities" / "schema.org_Product.parquet").to_pylist()
    assert product["name"] == ['Kettle "one"', "Wasserkocher"]
    people = pq.read_table(out / "entities" / "schema.org_Person.parquet").to_pylist()
    assert [(person["page"], person["syntax"], person["name"]) for person in people] == [
        ("http://a.example/", "microdata", "Ada"),
        ("http://c.example?q", "rdfa", None),
    ]


def test_a_crawl_in_parquet_is_a_world(crawl: Path, tmp_path: Path) -> None:
    world = load_world(export(crawl, "parquet", tmp_path / "tables"))
    assert world.size == 3


FORMULAS = ["=HYPERLINK(A1)", "@SUM(1)", "+cmd|' /C calc'!A0", "-2+cmd|x", "\t=1", "\r=1", "＝1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_of_a_csv_is_a_formula(text: str, tmp_path: Path) -> None:
    write_records([{text: text, "several": [text, "b"]}], tmp_path / "out.csv", CsvTable)
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        header, row = csv.reader(file)
    assert (header[0], row) == (f"'{text}", [f"'{text}", f"'{text}\nb"])


@pytest.mark.parametrize("value", [-5, -1.5e-07, "-5", "-3.50", "+33 1 23 45", "-1.5E+3", "-5 %", "2026-01-01"])
def test_numbers_stay_numbers_in_csv(value: object, tmp_path: Path) -> None:
    write_records([{"value": value}], tmp_path / "out.csv", CsvTable)
    assert (tmp_path / "out.csv").read_text() == f"value\n{value}\n"


@pytest.mark.parametrize("others", [[], [1], [0.5]])
def test_whole_numbers_of_any_size_are_kept(others: list[float], tmp_path: Path) -> None:
    records = [{"n": value} for value in [10**30, *others]]
    write_records(records, tmp_path / "out.parquet", ParquetTable)
    assert pq.read_table(tmp_path / "out.parquet")["n"][0].as_py() == "1" + "0" * 30


def test_csv(crawl: Path, tmp_path: Path) -> None:
    out = export(crawl, "csv", tmp_path / "tables")
    with (out / "pages.csv").open(newline="", encoding="utf-8") as file:
        pages = list(csv.DictReader(file))
    assert pages[0]["url"] == "http://a.example/"
    assert pages[0]["relevant"] == "1"
    assert pages[0]["types"] == f"{SCHEMA}Product\n{SCHEMA}Person"
    with (out / "entities" / "schema.org_Product.csv").open(newline="", encoding="utf-8") as file:
        (product,) = list(csv.DictReader(file))
    assert product["name"] == 'Kettle "one"\nWasserkocher'
    assert product["fetched_at"] == "1970-01-01T00:00:11Z"


def test_warc(crawl: Path, tmp_path: Path) -> None:
    with export(crawl, "warc", tmp_path / "out.warc.gz").open("rb") as file:
        records = [record.rec_type for record in ArchiveIterator(file, check_digests="raise")]
    assert records == ["response", "request", "metadata"] * 2


def test_a_crawl_without_pages_kept_has_no_warc(tmp_path: Path) -> None:
    CrawlStore.create(tmp_path / "crawl", "").close()
    with pytest.raises(SundogError, match=r"has no pages\.warc\.gz"):
        export(tmp_path / "crawl", "warc")
    for form in ("nquads", "jsonl", "parquet", "csv"):
        assert export(tmp_path / "crawl", form).exists()


def test_a_running_crawl_is_exported_as_of_its_last_commit(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        assert export(tmp_path / "crawl", "nquads").read_text() == ""
        store.commit()
        assert export(tmp_path / "crawl", "nquads").read_text().count("\n") == STATEMENTS
        assert export(tmp_path / "crawl", "warc", tmp_path / "w.gz").stat().st_size == store.state("warc")


def test_tables_replace_tables_and_nothing_else(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    assert export(crawl, "csv", tmp_path / "out") == export(crawl, "csv", tmp_path / "out")
    (tmp_path / "out" / "thesis.tex").write_text("precious")
    with pytest.raises(SundogError, match="directory with other files"):
        export(crawl, "csv", tmp_path / "out")
    assert (tmp_path / "out" / "thesis.tex").exists()


def test_a_failed_export_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")

    def fail() -> None:
        with complete_or_absent(tmp_path / "out") as temporary:
            temporary.write_text("half")
            raise RuntimeError("out of luck")

    with pytest.raises(RuntimeError, match="out of luck"):
        fail()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "old"


def test_an_unknown_format(crawl: Path) -> None:
    with pytest.raises(UsageError, match="unknown format 'parket'; did you mean 'parquet'"):
        export(crawl, "parket")
