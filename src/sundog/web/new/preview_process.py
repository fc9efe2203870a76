"""Program: fetches one page, and shows what the objective and the patterns of a draft find on it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sundog.engines.live.pages.intake import judged, view_of
from sundog.engines.live.pages.reader import reader
from sundog.engines.live.pages.reading import Reading
from sundog.engines.live.rendering.one_page import rendered_page
from sundog.engines.live.wiring import wiring_of
from sundog.errors import SundogError
from sundog.fetch.polite import steady_clock
from sundog.fetch.render.values import Rendered, RenderFailure
from sundog.fetch.values import Page, Trouble
from sundog.model import Link
from sundog.objectives import parse_objective
from sundog.patterns.runner import Subject
from sundog.patterns.trial import Tried, try_patterns
from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.spec import CrawlSpec
from sundog.spec.crawl import parse_spec
from sundog.web.results.page_list import texts_of

REQUEST_SECONDS = 20.0
MOST_STATEMENTS = 500  # of a syntax are shown
MOST_FOUND = 100  # items or links of a pattern


def prepare(setup: Any) -> tuple[Answer, Any]:
    return answer, None


def answer(request: Any) -> Any:
    try:
        return asyncio.run(preview(parse_spec(request["spec"]), request["url"], request["files"]))
    except SundogError as error:
        raise CannotReadError(str(error)) from None


async def preview(spec: CrawlSpec, url: str, files: dict[str, str]) -> dict[str, Any]:
    limits = replace(spec.limits, total=min(REQUEST_SECONDS, spec.limits.total))
    async with wiring_of(replace(spec, limits=limits), steady_clock()) as wiring:
        page = await wiring.polite.fetch(url)
        if isinstance(page, Trouble):
            rules = await wiring.polite.rules(url)
            why = rules.why if page.kind == "robots" and rules is not None and rules.why is not None else page
            return {"url": url, "status": why.status or None, "trouble": str(why)}
        shown = await rendered_page(spec, wiring, page)
        if isinstance(shown, Rendered):
            page = shown.page
        objective = parse_objective(spec.objective, files=files)
        async with reader(replace(spec, workers=0), objective) as read:
            reading = await read(page, None)
        tried = try_patterns(spec.patterns, _subject(page, reading)) if spec.patterns else []
        links = _followed(spec, reading, tried)
        followed = len(wiring.link_filter.admit(links, 1))
    judge = objective.judge()
    try:
        items = {each.name: len(each.items) for each in tried if each.kind == "data"}
        judgement = judged(judge, view_of(page.url, reading, items))
    finally:
        judge.close()
    return {
        **_page_as_json(page, reading, followed),
        "objective": spec.objective,
        "reward": judgement.reward,
        "relevant": judgement.reward > 0,
        "faults": [[name, text[:500]] for name, text in (*reading.faults, *judgement.faults)][:100],
        "answers": list(judgement.answers)[:100],
        "patterns": [pattern_as_json(each) for each in tried],
        "rendered": None if shown is None else _rendered_as_json(shown),
    }


def _rendered_as_json(shown: Rendered | RenderFailure) -> dict[str, Any]:
    return {
        "seconds": round(shown.seconds, 2),
        "requests": shown.traffic.requests,
        "bytes": shown.traffic.bytes,
        "refused": [list(each) for each in shown.traffic.refused],
        "failure": str(shown) if isinstance(shown, RenderFailure) else "",
    }


def _subject(page: Page, reading: Reading) -> Subject:
    triples = "".join(_triples(found) for found in reading.statements.values())
    return Subject(page.url, page.body, page.content_type, triples)


def _triples(statements: Iterable[tuple[str, ...]]) -> str:
    """As N-Triples: one page is one graph."""
    return "".join(f"{' '.join(each[:3])} .\n" for each in statements)


def _followed(spec: CrawlSpec, reading: Reading, tried: Sequence[Tried]) -> Sequence[Link]:
    """With link patterns, what they find; else every link."""
    if not spec.patterns.link:
        return reading.links
    return [Link(link.url, link.anchor) for each in tried for link in each.links]


def pattern_as_json(tried: Tried) -> dict[str, Any]:
    return {
        "name": tried.name,
        "kind": tried.kind,
        "engine": tried.engine,
        "found": max(len(tried.items), len(tried.links)),
        "items": list(tried.items)[:MOST_FOUND],
        "links": [{"url": link.url, "text": link.anchor} for link in tried.links[:MOST_FOUND]],
        "places": [{part: place._asdict() for part, place in one.items()} for one in tried.positions[:MOST_FOUND]],
        "holds": tried.holds,
        "errors": list(tried.errors),
    }


def _page_as_json(page: Page, reading: Reading, followed: int) -> dict[str, Any]:
    return {
        "url": page.asked,
        "final_url": page.url,
        "status": page.status,
        "content_type": page.content_type[:200],
        "seconds": round(page.finished_at - page.asked_at, 3),
        "size": len(page.body),
        "trouble": "",
        "types": list(reading.types)[:100],
        "counts": dict(reading.counts),
        "statements": {
            syntax: texts_of(_triples(found[:MOST_STATEMENTS])) for syntax, found in reading.statements.items()
        },
        "links": len(reading.links),
        "followed": followed,
    }


if __name__ == "__main__":
    serve(prepare, may_reach_others=True)  # it fetches, and patterns have processes of their own
