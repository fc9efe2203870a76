"""NC² (von dem Bussche and others, WWW 2010): its two use cases as live crawls of generated sites."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from benchmarks.common import ROOT, scratch
from benchmarks.papers.page import PaperPage
from sundog.engines.live.run import crawl
from sundog.spec import CrawlSpec, read_spec

SPECS = ROOT / "examples" / "patterns"


def page(small: bool) -> PaperPage:
    from examples.sites import serving

    sizes = (
        "The sites are those of `examples/sites`, served locally; the paper crawled Wikipedia and a music site."
    )
    made = PaperPage("nc2", "NC²: use cases", sizes, small=small)
    with serving() as sites, scratch() as folder:
        _cities(made, sites.connect_to, folder)
        _taste(made, sites.connect_to, folder)
    made.add("What we changed and why", CHANGED)
    return made


def _crawled(name: str, connect_to: str, folder: Path) -> tuple[Path, dict[str, Any], float]:
    spec: CrawlSpec = replace(read_spec(SPECS / name), connect_to=connect_to, delay=0.0)
    directory = folder / name.removesuffix(".toml")
    begun = time.perf_counter()
    summary = crawl(spec, directory, folder=SPECS)
    return directory / summary["result"], summary, time.perf_counter() - begun


def _cities(made: PaperPage, connect_to: str, folder: Path) -> None:
    from examples.sites.wiki import CITIES

    expected = {city.name: city.population for city in CITIES if city.state == "Bavaria"}
    rows = []
    for name in ("cities.toml", "cities-xquery.toml"):
        result, summary, seconds = _crawled(name, connect_to, folder)
        found = _names(result)
        rows.append(_row(name, summary, seconds, len(set(expected) & set(found)), len(expected), len(found)))
    made.add(
        "Use case 1: cities of a region",
        "Name, population and elevation from info-boxes, the largest city first; once with XPath, once with all "
        "queries in "
        "XQuery. The paper shows the patterns and their result, without figures.",
        ("spec", "pages", "right", "expected", "found", "seconds"),
        rows,
        difference="the wiki is generated, so what is right is known.",
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


def _taste(made: PaperPage, connect_to: str, folder: Path) -> None:
    from examples.sites.music import fans

    expected = {artist: sorted(names) for artist, names in fans().items()}
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


CHANGED = """- **Patterns are read-only queries with time and memory limits**: XPath, CSS, XQuery 3.1 and SPARQL;
  pages are strangers' bytes.
- **The engine of a pattern is one key** (`engine`), as in the paper.
- **Patterns choose among links that a policy ranks**, so a budget is spent on the pages most likely to match.
- **Not there**: XSLT as a language of results, and waiting pages (the frontier of the paper's figure 6) in
  `$crawl`."""
