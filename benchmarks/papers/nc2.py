"""NC² (von dem Bussche and others, WWW 2010): its two use cases as live crawls of generated sites."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchmarks.common import ROOT, scratch
from benchmarks.papers.demands import add_demands
from benchmarks.papers.page import PaperPage
from sundog.engines.live.run import crawl
from sundog.patterns.definitions import ResultPattern
from sundog.spec import CrawlSpec, read_spec

SPECS = ROOT / "examples" / "patterns"
BUDGET = 20_000
STYLESHEET = """<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/crawl"><cities><xsl:for-each select="item">
  <xsl:sort select="population" data-type="number" order="descending"/>
  <city name="{name}" population="{population}" elevation="{elevation}"/>
</xsl:for-each></cities></xsl:template></xsl:stylesheet>"""


def page(small: bool) -> PaperPage:
    from examples.sites import serving

    sizes = (
        "The sites are those of `examples/sites`, served locally, "
        f"with {'35' if small else '2,065'} cities and a user with {'14' if small else '80'} friends or more; "
        "the paper crawled Wikipedia and a music site, and does not say how much."
    )
    made = PaperPage("nc2", "NC²: use cases", sizes, small=small)
    with serving(large=not small) as sites, scratch() as folder:
        _cities(made, sites.connect_to, folder, small=small)
        _taste(made, sites.connect_to, folder, small=small)
        _frontier(made, sites.connect_to, folder)
    add_demands(made)
    made.add("What we changed and why", CHANGED)
    return made


def _crawled(
    name: str, connect_to: str, folder: Path, more: Callable[[CrawlSpec], CrawlSpec] = lambda spec: spec
) -> tuple[Path, dict[str, Any], float]:
    spec = replace(read_spec(SPECS / name), connect_to=connect_to, delay=0.0, budget=BUDGET)
    spec = more(spec)
    directory = folder / f"{len(list(folder.iterdir()))}"
    begun = time.perf_counter()
    summary = crawl(spec, directory, folder=SPECS)
    return directory / summary["result"], summary, time.perf_counter() - begun


def _cities(made: PaperPage, connect_to: str, folder: Path, *, small: bool) -> None:
    from examples.sites.wiki import CITIES, large_country

    expected = {city.name for city in (CITIES if small else large_country()) if city.state == "Bavaria"}
    rows = []
    for name, more in (("cities.toml", None), ("cities-xquery.toml", None), ("cities.toml", _with_stylesheet)):
        result, summary, seconds = _crawled(name, connect_to, folder, more or (lambda spec: spec))
        found = _names(result)
        label = f"{name}, result by XSLT" if more else name
        rows.append(_row(label, summary, seconds, len(expected & set(found)), len(expected), len(found)))
    made.add(
        "Use case 1: cities of a region",
        "Name, population and elevation from info-boxes, the largest city first; with XPath, with all queries in "
        "XQuery, and with XPath and a stylesheet that makes the result. "
        "The paper shows the patterns and their result, without figures.",
        ("spec", "pages", "right", "expected", "found", "seconds"),
        rows,
        difference="the wiki is generated, so what is right is known.",
    )


def _with_stylesheet(spec: CrawlSpec) -> CrawlSpec:
    result = ResultPattern(engine="xslt", find=STYLESHEET)
    return replace(spec, patterns=replace(spec.patterns, result=result))


def _frontier(made: PaperPage, connect_to: str, folder: Path) -> None:
    """The crawl of the list alone: everything else waits."""
    query = ResultPattern(find="<frontier>{ $crawl/waiting/page }</frontier>")

    def list_alone(spec: CrawlSpec) -> CrawlSpec:
        return replace(spec, patterns=replace(spec.patterns, result=query), budget=1)

    result, summary, seconds = _crawled("cities.toml", connect_to, folder, list_alone)
    pages = ElementTree.parse(result).getroot()  # our own file, of a site of ours
    made.add(
        "Figure 6: the crawl graph and its frontier",
        "The first use case, stopped after the list: pages that wait are in `$crawl`, "
        "with the patterns that lead there.",
        ("spec", "pages", "waiting", "by `to-city`", "seconds"),
        [
            (
                "`cities.toml`, budget 1",
                f"{summary['fetched']:,}",
                f"{len(pages):,}",
                f"{sum(page.get('via') == 'to-city' for page in pages):,}",
                f"{seconds:.1f}",
            )
        ],
        difference="the paper draws a graph of four pages; the annotation *crawled* is what is not in `waiting`.",
    )


def _names(result: Path) -> list[str]:
    """Of the cities in a result, CSV or XML."""
    text = result.read_text(encoding="utf-8")
    if result.suffix == ".csv":
        return [row["name"] for row in csv.DictReader(text.splitlines())]
    root = ElementTree.fromstring(text)  # our own file, of a site of ours
    return [each.get("name") or each.findtext("name") or (each.text or "").strip() for each in root]


def _row(
    name: str, summary: dict[str, Any], seconds: float, right: int, expected: int, found: int
) -> tuple[str, ...]:
    return (f"`{name}`", f"{summary['fetched']:,}", str(right), str(expected), str(found), f"{seconds:.1f}")


def _taste(made: PaperPage, connect_to: str, folder: Path, *, small: bool) -> None:
    from examples.sites.music import LARGE, SMALL, fans

    expected = {artist: sorted(names) for artist, names in fans(size=SMALL if small else LARGE).items()}
    result, summary, seconds = _crawled("taste.toml", connect_to, folder)
    artists = ElementTree.parse(result).getroot()  # our own file, of a site of ours
    found = {each.findtext("name"): [fan.text for fan in each.findall("fan")] for each in artists}
    right = sum(found.get(artist) == names for artist, names in expected.items())
    made.add(
        "Use case 2: artists that a user and friends like",
        "Lists with several pages, artists that are reached by several paths and count for each. An artist is "
        "right if its fans are exactly those of the site.",
        ("spec", "pages", "right", "expected", "found", "seconds"),
        [_row("taste.toml", summary, seconds, right, len(expected), len(found))],
        difference="the music site is generated, so what is right is known.",
    )


CHANGED = """- **Patterns are read-only queries with time and memory limits**: XPath, CSS, XQuery 3.1, SPARQL,
  and XSLT 3.0 for the result; pages are strangers' bytes.
- **The engine of a pattern is one key** (`engine`), as in the paper.
- **Patterns choose among links that a policy ranks**, so a budget is spent on the pages most likely to match.
- **The frontier is sent only where a query names it** (`crawl:waiting()`): it may be large.
  A page sees the 1,000 pages that have waited longest, the result pattern all."""
