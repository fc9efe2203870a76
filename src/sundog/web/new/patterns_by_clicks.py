"""Patterns of what was clicked or ticked on an example page, and of the links that lead to pages like it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example import Click, Guess, LinkGuess, guess_clicked_links, guess_clicks, spec_of
from sundog.patterns.example.clicks import attributes_of, elements_found, nodes_of
from sundog.patterns.example.expressions import literal
from sundog.patterns.example.links import NEXT_PAGE, link_to
from sundog.patterns.example.next_page import next_page
from sundog.patterns.example.other_pages import SeenPage, Trail
from sundog.patterns.example.spec_writer import REASONS
from sundog.patterns.example.tree import Node, elements, text_of

PATTERN = "thing"
START = "from-start"  # behind the name of a link pattern, if two have the same
NO_LINKS = "\n[[patterns.link]]  # "
MOST_SHOWN = 20  # values of a field
MOST_MARKED = 2_000  # elements of a kind
LONGEST_SHOWN = 200


class Shown(NamedTuple):
    """A page: the address that was asked for, the one that answered, and its tree."""

    asked: str
    url: str
    tree: Node


class Made(NamedTuple):
    """``patterns``: the tables of a spec, for a draft. ``trail``: where else they can be tried.

    ``open``: why nothing says which links to follow, a question to the user; empty if something does.
    """

    patterns: str
    trail: Trail
    open: str
    description: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"patterns": self.patterns, "open": self.open, **self.description}


def made_patterns(example: Shown, start: Shown, request: dict[str, Any]) -> Made:
    """``request`` is an ``ExampleBody``. Raises UsageError."""
    if not request["values"]:
        raise UsageError("nothing is chosen: click a value on the page")
    clicks = [Click(each["element"], each["name"], each["attribute"]) for each in request["values"]]
    guessed = guess_clicks(example.tree, clicks, item=request["item"])
    on_example, on_start = _links(example, start, request)
    clicked_next = next((link.find for link in (*on_example, *on_start) if link.name == NEXT_PAGE), "")
    following = next_page(start.tree) or guessed.next_page if request["next_page"] else ""
    guessed = guessed._replace(next_page=clicked_next or following)
    on_example, on_start = ([link for link in each if link.name != NEXT_PAGE] for each in (on_example, on_start))
    links = [*on_example, *on_start]
    spec = spec_of(guessed, start.asked, PATTERN, "xpath", links)
    tables = _tables(spec, follow_all=request["follow"] == "every")
    return Made(
        _with_condition(tables, _condition(guessed, request["values"])) + _result(request["order"]),
        Trail(
            SeenPage(example.url, example.tree),
            SeenPage(start.url, start.tree),
            [link.xpath for link in on_start or on_example],
            guessed.next_page,
            guessed.records is not None,
        ),
        _why_open(example, start) if request["follow"] == "links" and not (links or guessed.next_page) else "",
        {
            **_description(example.tree, guessed),
            "links": [
                *(_described_link(link, example.tree, "example") for link in on_example),
                *(_described_link(link, start.tree, "start") for link in on_start),
            ],
        },
    )


def _links(example: Shown, start: Shown, request: dict[str, Any]) -> tuple[list[LinkGuess], list[LinkGuess]]:
    """Those on the example; and, if the first page is another, those there: what was clicked, or else links like
    the one to the example."""
    clicked = {
        on: [each["element"] for each in request["links"] if each["on"] == on] for on in ("example", "start")
    }
    on_example = guess_clicked_links(example.tree, nodes_of(example.tree, clicked["example"]))
    if start.tree is example.tree:
        return on_example, []
    heading = example.tree.select_one("h1")
    title = text_of(heading) if heading is not None else ""
    to_example = link_to(start.tree, start.url, {example.asked, example.url}, title)
    nodes = nodes_of(start.tree, clicked["start"]) or ([to_example] if to_example is not None else [])
    taken = {link.name for link in on_example}
    on_start = guess_clicked_links(start.tree, nodes)
    return on_example, [
        link._replace(name=f"{link.name}-{START}" if link.name in taken else link.name) for link in on_start
    ]


def _why_open(example: Shown, start: Shown) -> str:
    if start.tree is example.tree:
        return "No link was clicked, and none leads to a next page: the crawl would end with the first page."
    moved = f", which {example.asked} leads to" if example.asked != example.url else ""
    return f"{start.asked} has no link to {example.url}{moved}, by its address or by its heading."


def _tables(spec: str, *, follow_all: bool) -> str:
    """Those of patterns. Without any link pattern, every link may be followed."""
    tables = spec[spec.index("[[patterns.data]]") :]
    return tables.partition(NO_LINKS)[0] if follow_all else tables


def _condition(guessed: Guess, values: Sequence[dict[str, Any]]) -> str:
    """Only pages on which the fields of these values have these values."""
    tests = [
        f"normalize-space({field.best.xpath}) = {literal(field.value)}"
        for field in guessed.fields
        if any(values[number]["same"] for number in field.numbers)
    ]
    if tests and guessed.records:
        raise UsageError("only pages can be left out, not parts of them: take one value of each page")
    return f"when = {json.dumps(' and '.join(tests), ensure_ascii=False)}\n" if tests else ""


def _with_condition(tables: str, condition: str) -> str:
    head = f'name = "{PATTERN}"\n'
    return tables.replace(head, head + condition, 1)


def _result(order: str) -> str:
    ordered = f"order = [{json.dumps(order)}]\n" if order else ""
    return f'\n[patterns.result]\n{ordered}format = "csv"\n'


def _description(page: Node, guessed: Guess) -> dict[str, Any]:
    """What was made, for people: names, values, and the numbers of the elements that it finds."""
    numbers = {node: number for number, node in enumerate(elements(page))}

    def described(field: Any, records: Any) -> dict[str, Any]:
        found = elements_found(page, field, records)
        return {
            "name": field.name,
            "type": field.type,
            "values": list(field.numbers),
            "found": [text[:LONGEST_SHOWN] for text in field.best.matches[:MOST_SHOWN]],
            "count": len(found),
            "elements": [numbers[node] for node in found[:MOST_MARKED]],
            "attributes": attributes_of(found[0]) if found else [""],
            "why": REASONS[field.best.locator.kind],
        }

    fields = [described(field, guessed.records) for field in guessed.fields]
    inner = [
        described(field, each.records) | {"list": each.name} for each in guessed.lists for field in each.fields
    ]
    return {
        "parts": [numbers[node] for node in guessed.records.nodes[:MOST_MARKED]] if guessed.records else [],
        "fields": [*fields, *inner],
        "next_page": guessed.next_page,
    }


def _described_link(link: LinkGuess, page: Node, on: str) -> dict[str, Any]:
    """``on``: the page that its elements are of."""
    found: Any = page.xpath(link.xpath)
    nodes = {node for node in found if isinstance(node, Node)} if isinstance(found, list) else set()
    return {
        "name": link.name,
        "on": on,
        "find": link.find,
        "count": len(link.matches),
        "found": [text[:LONGEST_SHOWN] for text in link.matches[:MOST_SHOWN]],
        "elements": [number for number, node in enumerate(elements(page)) if node in nodes][:MOST_MARKED],
    }
