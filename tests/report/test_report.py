"""The file: whole, safe, self-contained."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import vl_convert

from sundog.engines.runs import Run
from sundog.errors import SundogError
from sundog.report import document, write_report
from sundog.report.document import inline, inline_json, vega
from sundog.report.simulations import charts_of_runs
from tests.report.fakes import WORLD, random_run, run, trace

EVIL = "</script><script>alert(1)</script><!-- \" ' & <b>"
RUNS = [random_run(policy, 400, seed=seed) for policy in ("bfs", "sundog") for seed in (0, 1)]


class Reader(HTMLParser):
    """Tags, the addresses in them, and the text of each script, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.scripts: list[str] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "action")]
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        tag = self.tags[-1] if self.tags else ""
        if tag == "script":
            self.scripts[-1] += data
        self.texts[tag] = self.texts.get(tag, "") + data


def report(path: Path, runs: list[Run], **words: str) -> str:
    given = {"title": "a title", "objective": "any", "command": "sundog simulate", **words}
    title = given.pop("title")
    write_report(path, title, WORLD, runs, **given)
    return path.read_text(encoding="utf-8")


def data_of(text: str) -> Any:
    return json.loads(Reader(text).scripts[0])


def test_it_has_header_table_and_charts(tmp_path: Path) -> None:
    text = report(tmp_path / "r.html", RUNS, objective="microdata>=5", command="sundog simulate w --budget 400")
    assert "<h1>a title</h1>" in text
    assert "microdata&gt;=5" in text
    assert "sundog simulate w --budget 400" in text
    assert "25.0%" in text  # the base rate
    assert "× bfs" in text
    charts = {"harvest", "share", "hosts", "accuracy", "error", "reliability", "select"}
    assert set(data_of(text)["charts"]) == charts
    assert set(re.findall(r'id="chart-(\w+)"', text)) == charts


def test_without_bfs_there_is_no_ratio_and_without_classifier_nothing_about_estimates(tmp_path: Path) -> None:
    assert "× bfs" not in report(tmp_path / "r.html", [random_run("sundog", 9)])
    charts = set(data_of(report(tmp_path / "r.html", [random_run("bfs", 9)]))["charts"])
    assert charts == {"harvest", "share", "hosts", "select"}


def test_words_from_outside_stay_words(tmp_path: Path) -> None:
    plain = report(tmp_path / "plain.html", RUNS)
    evil = [random_run(EVIL, 50), random_run("bfs", 50)]
    text = report(tmp_path / "r.html", evil, title=EVIL, objective=EVIL, command=EVIL)
    assert "<script>alert" not in text
    assert sorted(set(Reader(text).tags)) == sorted(set(Reader(plain).tags))
    assert Reader(text).tags.count("script") == 3
    assert Reader(text).texts["h1"].strip() == EVIL
    assert EVIL in {row["policy"] for row in data_of(text)["datasets"]["curve"]}


def test_words_that_are_no_unicode_do_not_break_it(tmp_path: Path) -> None:
    assert "sundog ?" in report(tmp_path / "r.html", RUNS[:1], command="sundog \udc80")


def test_nothing_is_loaded(tmp_path: Path) -> None:
    text = report(tmp_path / "r.html", RUNS)
    read = Reader(text)
    assert read.addresses == []
    assert not {"link", "img", "iframe", "base"} & set(read.tags)
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|@import", read.texts["style"])
    own = text.replace(vega(), "")
    assert "http://" not in own
    assert "https://" not in own
    assert not re.search(r"cdn\.|jsdelivr|unpkg", text)


def test_vega_is_there_once(tmp_path: Path) -> None:
    text = report(tmp_path / "r.html", RUNS)
    assert text.count("window.vegaEmbed") == 1
    assert len(text.encode()) < 1_200_000


def test_vega_is_bundled_once_for_all_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNDOG_CACHE_DIR", str(tmp_path))
    first = vega.__wrapped__()
    (kept,) = tmp_path.iterdir()
    assert kept.read_text(encoding="utf-8") == first
    assert first.count("window.vegaEmbed") == 1
    kept.write_text("other", encoding="utf-8")
    assert vega.__wrapped__() == "other"


@pytest.mark.parametrize("runs", [RUNS, [random_run("sundog", 1)], [random_run("sundog", 0)]])
def test_without_vega_charts_are_still_pictures(
    tmp_path: Path, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "has_vega", lambda: False)
    text = report(tmp_path / "r.html", runs)
    assert "<script" not in text
    pictures = [ElementTree.fromstring(each) for each in re.findall(r"<svg viewBox.*?</svg>", text)]
    assert len(pictures) == text.count("<figure") - text.count("nothing to draw.</p></div>")
    for each in pictures:
        numbers = [float(n) for line in each.iter("polyline") for n in re.split("[ ,]", line.get("points", ""))]
        assert numbers
        assert all(-1 <= number <= 641 for number in numbers)
    marks = sum(len(each.findall("polyline") + each.findall("circle")) for each in pictures)
    assert marks > 8 * len(pictures) or not runs[0].fetched


def test_scripts_cannot_be_ended_from_within() -> None:
    assert "</script" not in inline('x = "</script>"; y = "</SCRIPT>"').lower()
    assert "<!--" not in inline('x = "<!--"')
    assert "<" not in inline_json(EVIL)
    assert json.loads(inline_json([EVIL, "\u2028"])) == [EVIL, "\u2028"]


def test_the_size_does_not_grow_with_the_crawl() -> None:
    sizes = [len(inline_json(charts_of_runs([random_run("sundog", n)], 0.25).datasets)) for n in (5_000, 200_000)]
    assert sizes[1] < 1.2 * sizes[0]
    assert sizes[1] * 7 < 1_000_000


@pytest.mark.parametrize("runs", [RUNS, [random_run("sundog", 1)]])
def test_every_chart_compiles_and_its_tooltips_read_the_nearest_point(runs: list[Run]) -> None:
    contents = charts_of_runs(runs, 0.25)
    for chart in contents.charts:
        data = {name: contents.datasets[name] for name in [chart.spec["data"]["name"]]}
        spec = {**chart.spec, "datasets": data, "width": 300, "config": {"customFormatTypes": True}}
        compiled = json.dumps(vl_convert.vegalite_to_vega(spec))
        assert 'asText(datum.datum[\\"policy\\"])' in compiled or chart.name == "reliability"
        assert "picked" in compiled


@pytest.mark.parametrize(
    "runs",
    [
        [random_run("sundog", 1)],
        [run("sundog", trace([]), stopped="frontier empty")],
        [run("sundog", trace([])), random_run("bfs", 3)],
        [],
    ],
    ids=["one fetch", "no fetch", "one of two without a fetch", "no run"],
)
def test_small_crawls_do_not_break_it(tmp_path: Path, runs: list[Run]) -> None:
    text = report(tmp_path / "r.html", runs)
    assert text.endswith("</html>\n")
    assert ("nothing to draw" in text) == (not any(each.fetched for each in runs))


def test_many_policies_differ_by_colour_or_dash(tmp_path: Path) -> None:
    text = report(tmp_path / "r.html", [random_run(f"p{i}", 3) for i in range(26)])
    lines = re.findall(r'stroke: (var\(--c\d\))" stroke-dasharray="([\d ]+)"', text)
    assert len(lines) == len(set(lines)) == 26


def test_an_old_report_is_replaced_and_nothing_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    path.write_text("old")
    report(path, RUNS)
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert os.listdir(tmp_path) == ["r.html"]


@pytest.mark.parametrize("name", ["missing/r.html", ".", "file/r.html", "x" * 300, "nul\0.html"])
def test_a_path_that_cannot_be_written_is_one_clear_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("a file")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(SundogError, match=r"^.* cannot be written: [^\n]+$"):
        write_report(tmp_path / name, "t", WORLD, RUNS[:1], objective="any", command="c")
    assert sorted(os.listdir(tmp_path)) == before


def test_a_device_is_left_alone() -> None:
    with pytest.raises(SundogError, match="not a regular file"):
        write_report(Path("/dev/null"), "t", WORLD, RUNS[:1], objective="any", command="c")


def test_a_failed_write_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.html"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sundog.files.os.replace", full)
    with pytest.raises(SundogError, match="No space left on device"):
        report(path, RUNS[:1])
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["r.html"])
