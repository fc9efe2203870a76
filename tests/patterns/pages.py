"""Patterns of one spec, applied to a page in a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sundog.patterns.crawl_view import CrawlView
from sundog.patterns.definitions import DataPattern, LinkPattern, Patterns, StopPattern
from sundog.patterns.runner import Found, PatternRunner, Subject
from sundog.spec.crawl import parse_spec

CITY = """<!doctype html><title>Munich</title><h1>  Munich
  </h1><table class="infobox geo"><tr><th>Population</th><td>1,356,594 (2007)<sup>[1]</sup></td></tr>
<tr><th>Elevation</th><td>519 m (1703 ft)</td></tr><tr><th>Founded</th><td>14 June 1158</td></tr></table>
<p>See <a href="/wiki/Isar" title="river">the <b>Isar</b></a> and <a href="http://b.example/x#y">B</a>."""
URL = "http://a.example/wiki/Munich"


def spec_of(text: str) -> Patterns:
    return parse_spec(f'seeds = ["http://a.example/"]\n{text}').patterns


def data(engine: str, find: str = "", fields: Mapping[str, Any] | None = None, **more: Any) -> Patterns:
    return Patterns(data=(DataPattern(name="it", engine=engine, find=find, fields=fields or {}, **more),))


def links(engine: str, find: str) -> Patterns:
    return Patterns(link=(LinkPattern(name="it", engine=engine, find=find),))


def stop(engine: str, when: str) -> Patterns:
    return Patterns(stop=(StopPattern(name="it", engine=engine, when=when),))


def apply(
    patterns: Patterns,
    page: str | bytes = CITY,
    around: CrawlView = CrawlView(),  # noqa: B008
    statements: str = "",
    url: str = URL,
    content_type: str = "text/html",
) -> Found:
    body = page if isinstance(page, bytes) else page.encode()
    with PatternRunner(patterns) as runner:
        return runner.apply(Subject(url, body, content_type, statements, around))


def items(patterns: Patterns, *arguments: Any, **more: Any) -> list[Mapping[str, Any]]:
    found = apply(patterns, *arguments, **more)
    assert found.faults == []
    return list(found.items.get("it", ()))
