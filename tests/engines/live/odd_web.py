"""A web whose every address exists, and everything that is made of a crawl, read by other programs."""

from __future__ import annotations

import csv
import html
import json
import warnings
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet as pq
import pyoxigraph
import rdflib
from typer.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

from sundog.cli.app import app
from sundog.model import Link
from sundog.results.explain import explain
from sundog.results.export import FORMATS, export
from sundog.scope.scope import Scope
from sundog.spec import CrawlSpec
from sundog.spec.linked_data import link_filter_of
from sundog.urls.iris import page_iri
from sundog.urls.references import LinkResolver
from sundog.web.settings import Settings
from tests.engines.live.webs import Crawled, Reply, SmallWeb, spec_for
from tests.fetch.server import Client
from tests.web.apps import served

START = "http://base.example/"
NAMES = "SELECT ?g ?name { GRAPH ?g { ?s <http://schema.org/name> ?name } }"


class OddWeb(SmallWeb):
    """The first page has these links; each other one says by which address it was asked."""

    def __init__(self, references: list[str]) -> None:
        super().__init__()
        anchors = "".join(f'<p><a href="{html.escape(each)}">x</a>' for each in references)
        self.replies[START] = Reply(anchors.encode("utf-8", "surrogatepass"), type_="text/html; charset=utf-8")

    async def _answer(self, client: Client) -> object:
        url = f"http://{client.asked.host}{client.asked.target}"
        if url in self.replies:
            return await super()._answer(client)
        if client.asked.target == "/robots.txt":
            return await client.page(b"", status="404 Not Found")
        item = {"@context": "https://schema.org/", "@type": "Product", "@id": url, "name": url, "url": url}
        name, script = html.escape(url), json.dumps(item).replace("</", "<\\/")
        body = f"""<!doctype html><title>{name}</title><h1>{name}</h1>
            <script type="application/ld+json">{script}</script>
            <div itemscope itemtype="http://schema.org/Offer" itemid="{name}">
            <meta itemprop=url content="{name}"></div>"""
        return await client.page(body.encode("latin-1"), type_="text/html; charset=latin-1")


def odd_spec(web: OddWeb | None, **changes: Any) -> CrawlSpec:
    """All kinds of files, and no traps: odd addresses often look like both."""
    scope = Scope(skip_types=frozenset(), avoid_traps=False)
    values = {"scope": scope, "budget": 5_000, "concurrency": 16, "warc": True, **changes}
    return spec_for(web, START, **values)


def admitted(references: list[str]) -> set[str]:
    """The pages that a crawl of these links is to ask for."""
    resolve = LinkResolver(START).resolve
    urls = [url for each in references if (url := resolve(_as_read(each))) is not None]
    return {link.url for link in link_filter_of(odd_spec(None)).admit(map(Link, urls), 1)} | {START}


def _as_read(text: str) -> str:
    """In an attribute of HTML: bytes that are no UTF-8, as those of lone surrogates, and NULs are replaced."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\0", "\ufffd")


def check_requests(web: OddWeb, done: Crawled, asked_again: int = 0) -> None:
    """What servers were asked is what browsers would ask, once; after a kill, so many may be asked again."""
    fetched = [url for url in done.fetched if done.faults.get(url) is None]
    asked = [f"{each.host}{each.target}" for each in web.log if not each.target.endswith("/robots.txt")]
    assert len(asked) - len(set(asked)) <= asked_again
    assert {url.partition("://")[2] for url in fetched} == set(asked)


def check_everything(done: Crawled, folder: Path, references: list[str]) -> None:
    assert done.summary["internal"] == 0
    assert not (done.directory / "errors.log").exists()
    expected = admitted(references)
    assert expected - set(done.fetched) - set(done.refusals) == set()
    assert set(done.fetched) - expected == set(), "its own address on a page leads to no other fetch"
    assert all(why.startswith(("private-address", "duplicate", "robots")) for why in done.refusals.values()), (
        done.refusals
    )
    kept = pages_with_statements(done)
    assert kept == {url for url in done.fetched if url not in done.faults and url not in done.duplicates} - {START}
    check_exports(done, folder, kept)
    check_commands(done, kept)


def pages_with_statements(done: Crawled) -> set[str]:
    return set(done.column("SELECT DISTINCT url FROM page_statements JOIN urls ON urls.id = page"))


def check_exports(done: Crawled, folder: Path, kept: set[str]) -> None:
    made = {name: folder / f"export-{name}" for name in FORMATS if name not in ("items", "answers", "result")}
    for name, path in made.items():
        export(done.directory, name, path)
    graphs = {page_iri(url) for url in kept}
    assert len(graphs) == len(kept), "each page is a graph of its own"
    quads = list(pyoxigraph.parse(path=str(made["nquads"]), format=pyoxigraph.RdfFormat.N_QUADS))
    assert {quad.graph_name.value for quad in quads} == graphs
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # rdflib warns of itself
        dataset = rdflib.Dataset().parse(data=made["nquads"].read_text("utf-8"), format="nquads")
    assert len(list(dataset.quads())) == len(set(quads))
    export(done.directory, "nquads", folder / "with-provenance.nq", with_provenance=True)
    for path in (folder / "with-provenance.nq", made["provenance"]):
        assert list(pyoxigraph.parse(path=str(path), format=pyoxigraph.RdfFormat.N_QUADS))
    assert list(pyoxigraph.parse(path=str(made["void"]), format=pyoxigraph.RdfFormat.TURTLE))
    assert len(rdflib.Graph().parse(data=made["void"].read_text("utf-8"), format="turtle"))
    lines = [json.loads(line) for line in made["jsonl"].read_text(encoding="utf-8").split("\n") if line]
    assert {source["page"] for line in lines for source in line["sources"]} == kept
    table = pq.read_table(made["parquet"] / "pages.parquet")
    assert set(table.column("url").to_pylist()) >= kept
    with (made["csv"] / "pages.csv").open(encoding="utf-8", newline="") as file:
        assert {row["url"] for row in csv.DictReader(file)} >= kept
    with made["warc"].open("rb") as file:
        records = [
            record.rec_headers.get_header("WARC-Target-URI")
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        ]
    assert sorted(records) == sorted([*kept, START])


def check_commands(done: Crawled, kept: set[str]) -> None:
    run = CliRunner().invoke
    found = run(app, ["query", str(done.directory), NAMES, "--format", "json"])
    assert found.exit_code == 0, found.output
    rows = json.loads(found.stdout)["results"]["bindings"]
    assert {row["g"]["value"] for row in rows} == {page_iri(url) for url in kept}
    report = run(app, ["report", str(done.directory)])
    assert report.exit_code == 0, report.output
    for url in sorted(kept, key=len)[-5:] + sorted(kept)[:5]:
        assert explain(done.directory, url)


def check_site(done: Crawled) -> None:
    """Whose root is the folder in which the crawl's directory is."""
    kept = pages_with_statements(done)
    with served(Settings(root=done.directory.parent)) as client:
        crawl = f"/api/crawls/{done.directory.name}"
        listed: list[dict[str, Any]] = []
        while page := _json(client, f"{crawl}/pages", kind="all", limit=200, offset=len(listed))["pages"]:
            listed += page
        assert {each["url"] for each in listed} >= kept
        for each in [each for each in listed if each["url"] in kept][::25]:
            page = _json(client, f"{crawl}/pages/{each['page']}")
            assert page["url"] == each["url"]
            _json(client, f"{crawl}/graph", url=each["url"])
            assert client.get(f"/crawls/{done.directory.name}/pages/{each['page']}").status_code == 200
        _json(client, f"{crawl}/explain", url=max(kept, key=len))
        _json(client, f"{crawl}/graph")
        for about in _json(client, f"{crawl}/types")["types"]:
            _json(client, f"{crawl}/entities", type=about["type"])
        for name in ("nquads", "jsonl", "csv", "parquet", "void", "provenance", "warc"):
            assert client.get(f"{crawl}/export/{name}").status_code == 200


def _json(client: httpx.Client, path: str, **parameters: Any) -> Any:
    answer = client.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()
