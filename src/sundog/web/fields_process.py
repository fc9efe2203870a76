"""Fields of an example page, and the patterns that find them: a request on stdin, its answer on stdout."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from dataclasses import replace
from typing import Any

import orjson

from sundog.engines.live.parts import parts_of
from sundog.errors import SundogError
from sundog.extract.urls import LinkResolver
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.values import Trouble
from sundog.frontier.identity import identity
from sundog.patterns.example import Guess, explained, followed, guess, page_tree, spec_of
from sundog.patterns.example.expressions import literal
from sundog.patterns.example.tree import Node, attribute, text_of
from sundog.spec import CrawlSpec
from sundog.spec.crawl import parse_spec
from sundog.web.page_fields import page_fields
from sundog.web.preview_process import MEMORY, SECONDS

PATTERN = "thing"
NO_LINKS = "\n[[patterns.link]]  # "


def main() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    request = orjson.loads(sys.stdin.buffer.read())
    try:
        said = asyncio.run(answer(parse_spec(request["spec"]), request))
    except SundogError as error:
        said = {"error": str(error)}
    sys.stdout.buffer.write(orjson.dumps(said))


async def answer(spec: CrawlSpec, request: dict[str, Any]) -> dict[str, Any]:
    """The fields of the page; if some were chosen, also patterns for them and for links to such pages."""
    url, start, chosen = request["url"], request["start"], request["chosen"]
    limits = replace(spec.limits, total=min(SECONDS, spec.limits.total))
    async with parts_of(replace(spec, limits=limits), steady_clock()) as parts:
        page = await _tree(parts.polite, url)
        is_one = not (chosen and start and start != url)
        first = page if is_one else await _tree(parts.polite, start)
    told: dict[str, Any] = {"url": url, "fields": [field._asdict() for field in page_fields(page)]}
    if not chosen:
        return told
    guessed = guess(page, [f"{each['name']}={each['value']}" for each in chosen], url=url)
    link = "" if is_one else _link_text(first, start, url)
    links = [followed(first, link, "xpath")] if link else []
    text = spec_of(guessed, start or url, PATTERN, "xpath", links)
    condition = _condition(guessed, {each["name"]: each["value"] for each in chosen if each["same"]})
    return {
        **told,
        "patterns": _tables(text, condition) + _result(request["order"]),
        "explained": list(explained(guessed, links)),
        "follows": [link.find for link in links],
    }


async def _tree(polite: PoliteFetcher, url: str) -> Node:
    page = await polite.fetch(url)
    if isinstance(page, Trouble):
        raise SundogError(f"{url[:200]} cannot be had: {page}")
    return page_tree(page.body, page.url, page.content_type)


def _link_text(first: Node, base: str, wanted: str) -> str:
    """The text of a link from the first page to the example, if there is one."""
    resolver = LinkResolver(base)
    for link in first.select("a[href]"):
        target = resolver.resolve(attribute(link, "href"))
        if target and identity(target) == identity(wanted) and text_of(link):
            return text_of(link)
    return ""


def _tables(spec: str, condition: str) -> str:
    """Those of patterns, without a link pattern that follows nothing: then every link may be followed."""
    tables = spec[spec.index("[[patterns.data]]") :].partition(NO_LINKS)[0]
    head = f'name = "{PATTERN}"\n'
    return tables.replace(head, head + condition, 1)


def _condition(guessed: Guess, wanted: dict[str, str]) -> str:
    """Only pages on which these fields have these values."""
    tests = [
        f"normalize-space({field.best.xpath}) = {literal(wanted[field.name])}"
        for field in guessed.fields
        if field.name in wanted
    ]
    return f"when = {json.dumps(' and '.join(tests), ensure_ascii=False)}\n" if tests else ""


def _result(order: str) -> str:
    ordered = f"order = [{json.dumps(order)}]\n" if order else ""
    return f'\n[patterns.result]\n{ordered}format = "csv"\n'


if __name__ == "__main__":
    main()
