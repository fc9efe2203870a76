"""Program: shows an example page, makes patterns of what was chosen on it, and tries them there and on two others.

It is asked again and again about the same page, and keeps what it has fetched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from sundog.engines.live.rendering.one_page import rendered_page
from sundog.engines.live.wiring import Wiring, wiring_of
from sundog.errors import SundogError
from sundog.fetch.polite import steady_clock
from sundog.fetch.render.values import Rendered
from sundog.fetch.values import Trouble
from sundog.patterns.example import page_tree
from sundog.patterns.example.clicks import structure_of
from sundog.patterns.example.other_pages import SeenPage, next_pages, other_pages
from sundog.patterns.example.tree import Node
from sundog.patterns.runner import Subject
from sundog.patterns.trial import try_patterns
from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.spec import CrawlSpec
from sundog.spec.crawl import parse_spec
from sundog.toml_text import toml_value
from sundog.web.new.page_fields import page_fields
from sundog.web.new.patterns_by_clicks import Made, Shown, made_patterns
from sundog.web.new.picture import picture_of, title_of
from sundog.web.new.preview_process import REQUEST_SECONDS, pattern_as_json

MOST_KEPT = 8  # pages
OTHER_PAGES = 2  # that are there
MOST_ASKED = 4  # to find them


class FetchedPage(NamedTuple):
    url: str
    content_type: str
    body: bytes
    tree: Node


class Pages:
    """Pages by the address that was asked for; each is fetched once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], FetchedPage] = {}

    def forget(self, url: str, spec: CrawlSpec) -> None:
        self._kept.pop((url, spec.render), None)

    async def get(self, url: str, spec: CrawlSpec, wiring: Wiring) -> FetchedPage:
        """As a browser shows it, if the crawl renders pages; a page that cannot be rendered is the plain one."""
        key = (url, spec.render)
        if key not in self._kept:
            page = await wiring.polite.fetch(url)
            if isinstance(page, Trouble):
                raise SundogError(f"{url[:200]} cannot be fetched: {page}")
            shown = await rendered_page(spec, wiring, page)
            page = shown.page if isinstance(shown, Rendered) else page
            tree = page_tree(page.body, page.url, page.content_type)
            while len(self._kept) >= MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = FetchedPage(page.url, page.content_type, page.body, tree)
        return self._kept[key]


def prepare(setup: Any) -> tuple[Answer, Any]:
    pages = Pages()

    def answer(request: Any) -> Any:
        try:
            return asyncio.run(ANSWERS[request["wanted"]](parse_spec(request["spec"]), request, pages))
        except SundogError as error:
            raise CannotReadError(str(error)) from None

    return answer, None


async def picture(spec: CrawlSpec, request: dict[str, Any], pages: Pages) -> dict[str, Any]:
    """The page as it is now."""
    pages.forget(request["url"], spec)
    async with wiring_of(_in_time(spec), steady_clock()) as wiring:
        page = await pages.get(request["url"], spec, wiring)
    return {
        "url": request["url"],
        "final_url": page.url,
        "title": title_of(page.tree),
        "structure": structure_of(page.tree),
        "fields": [field._asdict() for field in page_fields(page.tree)],
        **picture_of(page.tree)._asdict(),
    }


async def patterns(spec: CrawlSpec, request: dict[str, Any], pages: Pages) -> dict[str, Any]:
    made, _ = await _made(spec, request, pages)
    return made.as_json()


async def trial(spec: CrawlSpec, request: dict[str, Any], pages: Pages) -> dict[str, Any]:
    """What the patterns find on the example page and on two others."""
    made, example = await _made(spec, request, pages)
    tried = parse_spec(f"seeds = [{toml_value(example.url)}]\n{made.patterns}").patterns
    found = [_tried_on(tried, request["url"], example)]
    waiting = other_pages(made.trail)
    async with wiring_of(_in_time(spec), steady_clock()) as wiring:
        for _ in range(MOST_ASKED):
            if not waiting or sum(not each["trouble"] for each in found) > OTHER_PAGES:
                break
            url = waiting.pop(0)
            try:
                page = await pages.get(url, spec, wiring)
            except SundogError as error:
                found.append({"url": url, "trouble": str(error), "patterns": []})
                continue
            found.append(_tried_on(tried, url, page))
            known = {each["url"] for each in found}
            waiting[:0] = [
                each for each in next_pages(SeenPage(page.url, page.tree), made.trail) if each not in known
            ]
    return {"pages": found}


ANSWERS: dict[str, Callable[[CrawlSpec, dict[str, Any], Pages], Any]] = {
    "picture": picture,
    "patterns": patterns,
    "trial": trial,
}


async def _made(spec: CrawlSpec, request: dict[str, Any], pages: Pages) -> tuple[Made, FetchedPage]:
    url = request["url"]
    start = request["start"] or url
    async with wiring_of(_in_time(spec), steady_clock()) as wiring:
        page = await pages.get(url, spec, wiring)
        first = page if start == url else await pages.get(start, spec, wiring)
    for each, structure in ((page, request["structure"]), (first, request["start_structure"])):
        if structure and structure != structure_of(each.tree):
            raise SundogError("the page has changed since it was shown: show it again")
    shown = Shown(url, page.url, page.tree)
    return made_patterns(shown, shown if first is page else Shown(start, first.url, first.tree), request), page


def _in_time(spec: CrawlSpec) -> CrawlSpec:
    return replace(spec, limits=replace(spec.limits, total=min(REQUEST_SECONDS, spec.limits.total)))


def _tried_on(tried: Any, url: str, page: FetchedPage) -> dict[str, Any]:
    results = try_patterns(tried, Subject(page.url, page.body, page.content_type, ""))
    shown = [pattern_as_json(each) for each in results if each.kind != "result"]
    return {"url": url, "trouble": "", "patterns": shown}


if __name__ == "__main__":
    serve(prepare, may_reach_others=True)  # it fetches, and patterns have processes of their own
