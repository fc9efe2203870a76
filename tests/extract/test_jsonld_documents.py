"""JSON-LD files are read strictly: what RDF cannot express is left out, where pages would be repaired."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sundog.extract import extract
from sundog.extract.jsonld import reader
from sundog.extract.jsonld.active_context import Context
from sundog.extract.jsonld.local_context import Surroundings, apply

BASE = "http://example.com/dir/doc"
FIRST, REST, NIL = (f"<http://www.w3.org/1999/02/22-rdf-syntax-ns#{name}>" for name in ("first", "rest", "nil"))


def lines_of(document: Any) -> list[str]:
    body = json.dumps(document).encode()
    found = extract(body, base=BASE, content_type="application/ld+json", syntaxes=["rdf"])
    return [line.removesuffix(f" <{BASE}> .") for line in found.nquads().splitlines()]


def values(value: Any, **context: Any) -> list[str]:
    lines = lines_of({"@context": {"p": "http://v.example/p", **context}, "@id": "http://a.example/", "p": value})
    return [line.removeprefix("<http://a.example/> <http://v.example/p> ") for line in lines]


def test_a_literal_with_a_broken_language_is_none() -> None:
    broken = {"@value": "x", "@language": "a b"}
    assert values([broken, {"@value": "y", "@language": "en"}]) == ['"y"@en']
    assert values("x", **{"@language": "en_US"}) == []
    by_language = {"@id": "http://v.example/p", "@container": "@language"}
    assert values({"en_US": "x", "de": "y"}, p=by_language) == ['"y"@de']


def test_a_literal_with_a_broken_datatype_is_none() -> None:
    broken = {"@value": "x", "@type": "http://d.example/a b"}
    assert values([broken, {"@value": "y", "@type": "http://d.example/ab"}]) == ['"y"^^<http://d.example/ab>']
    assert values([{"@value": "x", "@type": "_:b"}]) == []


def test_pages_keep_the_text() -> None:
    text = json.dumps({"http://v.example/p": {"@value": "x", "@language": "en_US"}})
    page = f'<script type="application/ld+json">{text}</script>'
    assert ' "x" ' in extract(page.encode(), base=BASE, syntaxes=["jsonld"]).nquads()


def test_what_has_no_name_keeps_its_place_in_a_list() -> None:
    lines = values({"@list": [{"@id": "http://a.example/a b"}, "x"]})
    cells = [line.split(" ") for line in lines]
    assert sorted(cell[1] for cell in cells if len(cell) == 3) == sorted([FIRST, REST, REST])
    assert sum(NIL in line for line in lines) == 1


def test_nodes_without_a_usable_name_say_nothing() -> None:
    assert lines_of({"@context": {"@base": None}, "@id": "", "http://v.example/p": "x"}) == []
    assert lines_of({"@id": "@this", "http://v.example/p": {"@list": ["x"]}}) == []


@pytest.mark.parametrize("value", ["text", 5, {"@value": "text"}])
def test_a_context_of_a_term_is_made_once_for_many_values(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def counted(active: Context, local: Any, around: Surroundings, **how: Any) -> Context:
        made.append(local)
        return apply(active, local, around, **how)

    monkeypatch.setattr(reader, "apply", counted)
    inner = {"q": "http://v.example/q"}
    assert len(values([value] * 1_000, p={"@id": "http://v.example/p", "@context": inner})) == 1
    assert made.count(inner) == 1
