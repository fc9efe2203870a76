"""Program: the labelled values of an example page, and patterns that find those that were chosen on pages like it.

Labels stand in rows of info-boxes and in pairs of lists.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from sundog.engines.live.wiring import wiring_of
from sundog.errors import SundogError
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.values import Trouble
from sundog.patterns.example import Guess, explained, guess, guess_link, page_tree, spec_of
from sundog.patterns.example.expressions import LONGEST_LABEL, field_name, literal
from sundog.patterns.example.tree import Node, attribute, children, text_of
from sundog.patterns.field_types import Type, type_of
from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.spec import CrawlSpec
from sundog.spec.crawl import parse_spec
from sundog.urls.identity import identity
from sundog.urls.references import LinkResolver
from sundog.web.new.preview_process import REQUEST_SECONDS

MOST_FIELDS = 80
LONGEST_VALUE = 300  # characters
MOST_ROWS = 5_000
WITH_A_NOTE = re.compile(r"(\d[\d.,' ]*(?:\s?[^\W\d]{1,3}²?)?)\s*[(\[].*")
PATTERN = "thing"
NO_LINKS = "\n[[patterns.link]]  # "


def prepare(setup: Any) -> tuple[Answer, Any]:
    return answer, None


def answer(request: Any) -> Any:
    try:
        return asyncio.run(fields_and_patterns(parse_spec(request["spec"]), request))
    except SundogError as error:
        raise CannotReadError(str(error)) from None


async def fields_and_patterns(spec: CrawlSpec, request: dict[str, Any]) -> dict[str, Any]:
    """The fields of the page; if some were chosen, also patterns for them and for links to such pages."""
    url, start, chosen = request["url"], request["start"], request["chosen"]
    limits = replace(spec.limits, total=min(REQUEST_SECONDS, spec.limits.total))
    async with wiring_of(replace(spec, limits=limits), steady_clock()) as wiring:
        page = await _tree(wiring.polite, url)
        is_one = not (chosen and start and start != url)
        first = page if is_one else await _tree(wiring.polite, start)
    found: dict[str, Any] = {"url": url, "fields": [field._asdict() for field in page_fields(page)]}
    if not chosen:
        return found
    guessed = guess(page, [f"{each['name']}={each['value']}" for each in chosen], url=url)
    link = "" if is_one else _link_text(first, start, url)
    links = [guess_link(first, link, "xpath")] if link else []
    text = spec_of(guessed, start or url, PATTERN, "xpath", links)
    condition = _condition(guessed, {each["name"]: each["value"] for each in chosen if each["same"]})
    return {
        **found,
        "patterns": _tables(text, condition) + _result(request["order"]),
        "explained": list(explained(guessed, links)),
        "follows": [link.find for link in links],
    }


async def _tree(polite: PoliteFetcher, url: str) -> Node:
    page = await polite.fetch(url)
    if isinstance(page, Trouble):
        raise SundogError(f"{url[:200]} cannot be fetched: {page}")
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


class PageField(NamedTuple):
    """``value`` is what is shown, ``sample`` the part of it that the field is about."""

    name: str
    label: str
    value: str
    sample: str
    type: Type


def page_fields(page: Node) -> list[PageField]:
    """The page's heading first; no label twice."""
    found: dict[str, PageField] = {}
    for label, value in (*_heading(page), *_rows(page), *_pairs(page)):
        if 0 < len(label) <= LONGEST_LABEL and 0 < len(value) <= LONGEST_VALUE and len(found) < MOST_FIELDS:
            name, sample = field_name(label), sample_of(value)
            found.setdefault(name, PageField(name, label, value, sample, type_of(sample)))
    return list(found.values())


def sample_of(value: str) -> str:
    """A number without the note behind it.

    >>> sample_of("1,356,594 (2007)"), sample_of("519 m (1,703 ft)"), sample_of("2. Bundesliga (men)")
    ('1,356,594', '519 m', '2. Bundesliga (men)')
    """
    found = WITH_A_NOTE.fullmatch(value)
    return found[1].strip() if found else value


def _heading(page: Node) -> Iterator[tuple[str, str]]:
    heading = page.select_one("h1")
    if heading is not None:
        yield "name", text_of(heading)


def _rows(page: Node) -> Iterator[tuple[str, str]]:
    """Rows of two cells, of which the first is a label."""
    for row in page.select("tr")[:MOST_ROWS]:
        cells = [each for each in children(row) if each.tag in ("th", "td")]
        if len(cells) == 2 and cells[1].tag == "td":
            yield text_of(cells[0]).rstrip(":"), text_of(cells[1])


def _pairs(page: Node) -> Iterator[tuple[str, str]]:
    for term in page.select("dl > dt")[:MOST_ROWS]:
        following = next((each for each in term.next_siblings if isinstance(each, Node)), None)
        if following is not None and following.tag == "dd":
            yield text_of(term).rstrip(":"), text_of(following)


if __name__ == "__main__":
    serve(prepare, may_reach_others=True)  # it fetches
