"""Live crawls that render all pages, or those for which it pays; one that was stopped goes on the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from examples.script_web.serving import serving
from warcio.archiveiterator import ArchiveIterator

from sundog import CrawlSpec, crawl
from sundog.cli.crawls.crawl import summary_lines
from sundog.engines.live.rendering.rendering import Rendering
from sundog.engines.live.run import resume
from sundog.report.crawl import write_crawl_report
from sundog.results.explain import explain
from sundog.spec.rendering import Rendering as RenderingTable
from sundog.store import RenderChoice, open_readonly
from sundog.store.formats.provenance import provenance
from sundog.web.settings import Settings
from tests.web.apps import csrf, served

KINDS = {"plain": 1, "tags": 1, "app": 1, "state": 1}
A_SITE = 5  # items


def spec_of(web: Any, **settings: Any) -> CrawlSpec:
    usual = {"objective": "type:schema:Product", "budget": 200, "delay": 0, "extent": "host", "workers": 0}
    return CrawlSpec(seeds=tuple(web.seeds), connect_to=web.connect_to, **{**usual, **settings})


def choices(directory: Path) -> dict[str, RenderChoice]:
    with open_readonly(directory) as reader:
        rows = reader.connection.execute(
            "SELECT u.url, l.subject, l.value, l.data FROM log l JOIN urls u ON u.id = l.subject"
            " WHERE l.event = 'rendered'"
        )
        return {url: RenderChoice(subject, value, *orjson.loads(data)) for url, subject, value, data in rows}


def test_learned_rendering_finds_what_scripts_write(tmp_path: Path) -> None:
    with serving(KINDS, items=A_SITE, articles=2) as web:
        never = crawl(spec_of(web, concurrency=4), tmp_path / "never")
        learned = crawl(spec_of(web, concurrency=4, render="learned"), tmp_path / "learned")
    assert never["relevant"] == 2 * A_SITE  # plain, and state
    assert learned["relevant"] >= 3 * A_SITE  # a tag manager on so few pages need not be looked at
    assert learned["failed"] == 0
    assert learned["rendered"]["pages"] < learned["fetched"]
    made = choices(tmp_path / "learned")
    assert len(made) == learned["fetched"]
    for n in range(A_SITE):
        assert made[f"https://app0.test/item/{n}"].action == "render"
        assert made[f"https://app0.test/item/{n}"].gain == 1.0
    assert made["https://state0.test/item/1"].gain in (None, 0.0)
    found = explain(tmp_path / "learned", "https://app0.test/item/1")
    assert found.page["browser"].startswith("rendered: ")
    assert "empty shell" in found.page["browser"]
    with open_readonly(tmp_path / "learned") as reader:
        (name,) = reader.connection.execute(
            "SELECT triples FROM page_statements s JOIN urls u ON u.id = s.page"
            " WHERE u.url = 'https://app0.test/item/1' AND syntax = 'jsonld'"
        ).fetchone()
        assert "schema.org/Product" in name
        rendered = reader.connection.execute("SELECT count(*) FROM renders WHERE action <> 'plain'").fetchone()[0]
        assert rendered == learned["rendered"]["pages"]


def test_a_crawl_that_was_stopped_has_learned_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Rendering] = []
    made = Rendering.__init__

    def keep(self: Rendering, *arguments: Any) -> None:
        made(self, *arguments)
        kept.append(self)

    monkeypatch.setattr(Rendering, "__init__", keep)
    table = RenderingTable(price=2.0, budget=6)
    with serving({"app": 1, "plain": 1}, items=A_SITE, articles=1) as web:
        spec = spec_of(web, concurrency=1, render="learned", rendering=table, budget=7)
        crawl(spec, tmp_path / "c")
        with open_readonly(tmp_path / "c") as reader:
            assert reader.steps
        before = vars(kept[0]._records)
        summary = resume(tmp_path / "c", budget=60)
    after = choices(tmp_path / "c")
    replayed = Rendering.__new__(Rendering)
    made(replayed, spec, None, None)  # type: ignore[arg-type]
    for choice in list(after.values())[: before["plain"]]:
        replayed.learned(choice)
    for name in ("plain", "rendered", "in_vain", "_gains", "_wins"):
        assert vars(replayed._records)[name] == before[name]
    assert kept[1]._records.plain == len(after)  # it began with what the first had learned
    rendered = [each for each in after.values() if each.action != "plain"]
    assert len(rendered) == 6  # rendering.budget
    assert summary["spent"] == summary["fetched"] + 2 * len(rendered)


def test_every_page_is_rendered_if_so_asked(tmp_path: Path) -> None:
    table = RenderingTable(screenshots=True)
    with serving({"app": 1}, items=2, articles=0) as web:
        spec = spec_of(web, render="always", rendering=table, warc=True)
        summary = crawl(spec, tmp_path / "c")
    assert (summary["fetched"], summary["relevant"]) == (4, 2)
    assert summary["rendered"]["pages"] == 4
    assert summary["rendered"]["requests"] >= 4
    (line,) = [line for line in summary_lines(summary) if "rendered" in line]
    assert line.startswith("4 pages rendered, ")
    page = write_crawl_report(tmp_path / "c", None).read_text(encoding="utf-8")
    assert "<h2>Rendered pages</h2>" in page
    with open_readonly(tmp_path / "c") as reader:
        (size,) = reader.connection.execute("SELECT sum(size) FROM outcomes").fetchone()
        assert summary["bytes"] == size + summary["rendered"]["bytes"]
        said = [each for each in provenance(reader) if "urn:sundog:rendered" in each]
    assert len(said) == 2  # of the pages that have statements
    both = {"response": {}, "conversion": {}}  # type: dict[str, dict[str, tuple[str, bytes]]]
    with (tmp_path / "c" / "pages.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type in both:
                get = record.rec_headers.get_header
                refers = get("WARC-Refers-To") or get("WARC-Record-ID")
                both[record.rec_type][get("WARC-Target-URI")] = (refers, record.content_stream().read())
    assert len(both["response"]) == len(both["conversion"]) == 4
    plain, shown = (both[kind]["https://app0.test/item/1"] for kind in both)
    assert plain[0] == shown[0]
    assert b"Product" not in plain[1]
    assert b'"@type":"Product"' in shown[1]
    with served(Settings(root=tmp_path)) as client:
        (action,) = client.get("/api/crawls/c/rendering").json()["actions"]
        assert (action["action"], action["pages"], action["gained"]) == ("render", 4, 2)
        assert action["requests"] == summary["rendered"]["requests"]
        pages = client.get("/api/crawls/c/pages").json()["pages"]
        for page in pages:
            path = f"/api/crawls/c/pages/{page['page']}"
            found = client.get(path).json()["render"]
            assert (found["action"], found["why"]) == ("render", "rendered: all pages are")
            picture = client.get(f"{path}/screenshot")
            assert picture.headers["content-type"] == "image/jpeg"
            assert picture.content.startswith(b"\xff\xd8")
        assert len(pages) == 4
        assert client.get("/api/crawls/c/pages/999/screenshot").status_code == 404


def test_preview_and_examples_show_what_scripts_write(tmp_path: Path) -> None:
    with serving({"app": 1}, items=2, articles=0) as web:
        settings = Settings(root=tmp_path, connect_to=web.connect_to)
        url = "https://app0.test/item/1"
        with served(settings) as client:
            draft = {"objective": "type:schema:Product", "delay": 0}
            plain, shown = (
                client.post(
                    "/api/preview", json={"url": url, "draft": {**draft, "render": mode}}, headers=csrf(client)
                ).json()
                for mode in ("never", "learned")
            )
            assert (plain["relevant"], plain["rendered"]) == (False, None)
            assert shown["relevant"], shown
            assert (shown["rendered"]["requests"], shown["rendered"]["failure"]) == (2, "")
            picture = client.post(
                "/api/picture", json={"url": url, "render": "learned"}, headers=csrf(client)
            ).json()
            assert "item 1" in picture["title"], picture
            assert any("/item/0" in str(part) for part in picture["parts"])
