"""Which downloads a crawl can have: nobody is offered a file that is always empty, or cannot be made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sundog.results.export import all_formats
from sundog.spec.world import WEB
from sundog.store.directory import WARC as KEPT
from sundog.store.formats.answers import ANSWERS
from sundog.store.formats.format import Format
from sundog.store.formats.warc import WARC
from sundog.web.runs.directories import CrawlDirectory


def offered_formats(crawl: CrawlDirectory, spec: Mapping[str, Any]) -> list[str]:
    return [format.name for format in all_formats().values() if _is_offered(format, crawl, spec)]


def _is_offered(format: Format, crawl: CrawlDirectory, spec: Mapping[str, Any]) -> bool:
    if format.of_patterns:
        return bool(spec["patterns"])
    if format is WARC:
        return bool(spec["warc"]) or (crawl.path / KEPT).is_file()
    return format is not ANSWERS or ".rq" in spec["objective"] or spec.get(spec["world"], WEB) is not WEB
