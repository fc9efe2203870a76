"""JSON-LD contexts by URL: given with the page, or noted as missing. Nothing here asks a server."""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph
import pytest

from sundog.extract import Extraction, extract
from sundog.extract.remote_contexts import DEEPEST, MOST_MISSING, ContextDocument

BASE = "https://w3c.example/tests/in.jsonld"


def read(document: Any, contexts: dict[str, Any] | None = None, **more: Any) -> Extraction:
    body = json.dumps(document).encode()
    more = {"content_type": "application/ld+json", "syntaxes": ["rdf"], **more}
    return extract(body, base=BASE, contexts=contexts, **more)


def lines(found: Extraction) -> list[str]:
    return sorted(line.removesuffix(f" <{BASE}> .") for line in found.nquads().splitlines())


def is_same(found: Extraction, *expected: str) -> bool:
    """Whatever blank nodes are called."""

    def canonical(quads: str) -> pyoxigraph.Dataset:
        dataset = pyoxigraph.Dataset(pyoxigraph.parse(quads.encode(), format=pyoxigraph.RdfFormat.N_QUADS))
        dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
        return dataset

    return canonical(found.nquads()) == canonical("".join(f"{line} <{BASE}> .\n" for line in expected))


def at(name: str) -> str:
    return f"https://w3c.example/tests/{name}"


def test_relative_names_go_by_the_place_of_the_context_not_by_its_base() -> None:
    """W3C tc031."""
    outer = {"@context": {"outer": {"@id": "http://a.example/out", "@context": "inner.jsonld"}}}
    inner = {"@context": {"inner": "http://a.example/in"}}
    document = {"@context": [{"@base": "http://example.org/a/"}, "c031/outer.jsonld"], "outer": {"inner": "ab"}}
    found = read(document, {at("c031/outer.jsonld"): outer, at("c031/inner.jsonld"): inner})
    assert is_same(found, "_:a <http://a.example/out> _:b", '_:b <http://a.example/in> "ab"')
    assert (found.faults, found.missing_contexts) == ([], [])


@pytest.mark.parametrize("names", ["one.jsonld", ["one.jsonld", "two.jsonld"]])
def test_scoped_contexts_may_lead_back_to_themselves(names: Any) -> None:
    """W3C te127 and te128: each knows the other, and what both share."""
    contexts = {
        at(f"{name}.jsonld"): {
            "@context": {
                "@version": 1.1,
                "prop": {"@id": "ex:prop", "@context": f"{other}.jsonld"},
                "value": {"@id": "ex:value", "@context": ["shared.jsonld", f"{name}.jsonld"]},
            }
        }
        for name, other in (("one", "two"), ("two", "one"))
    }
    contexts[at("shared.jsonld")] = {"@context": {"shared": "ex:shared"}}
    found = read({"@context": names, "@id": "ex:id", "prop": {"value": "v"}}, contexts)
    assert is_same(found, "<ex:id> <ex:prop> _:b", '_:b <ex:value> "v"')
    assert not found.faults


def test_imports() -> None:
    """W3C tso05: what is imported is as if it stood there."""
    imported = {"@context": {"@version": 1.1, "baz": {"@id": "http://example.org/baz", "@type": "@vocab"}}}
    scoped = {"@import": "so05-context.jsonld", "@propagate": True}
    context = {"@version": 1.1, "@vocab": "http://example/", "Foo": {"@context": scoped}}
    document = {"@context": context, "@type": "Foo", "bar": {"baz": "buzz"}}
    found = read(document, {at("so05-context.jsonld"): imported})
    assert is_same(
        found,
        "_:a <http://example/bar> _:b",
        "_:a <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example/Foo>",
        "_:b <http://example.org/baz> <http://example/buzz>",
    )
    nested = {"@context": {"@import": "so05-context.jsonld"}}
    found = read({"@context": {"@import": "n.jsonld"}, "baz": "x"}, {at("n.jsonld"): nested})
    assert [fault.reason for fault in found.faults] == [f"remote context {at('n.jsonld')} cannot be imported"]


def test_what_is_not_given_is_missing_and_a_fault() -> None:
    found = read({"@context": ["https://c.example/a#x", {"b": "ex:b"}], "@id": "ex:i", "a": "1", "b": "2"})
    assert found.missing_contexts == ["https://c.example/a"]
    assert [fault.reason for fault in found.faults] == ["remote context https://c.example/a is not fetched"]
    assert lines(found) == ['<ex:i> <ex:b> "2"']


def test_contexts_of_pages_go_by_the_base_of_the_page() -> None:
    page = b"""<base href="https://b.example/x/"><script type="application/ld+json">
        {"@context": "c", "@id": "ex:i", "p": "v"}</script>"""
    assert extract(page, base=BASE).missing_contexts == ["https://b.example/x/c"]
    given = {"https://b.example/x/c": b'{"@context": {"p": "ex:p"}}'}
    assert '<ex:i> <ex:p> "v"' in extract(page, base=BASE, contexts=given).nquads()


def test_schema_org_is_built_in() -> None:
    found = read({"@context": "https://schema.org/", "@id": "ex:i", "name": "x"}, {"https://schema.org/": {}})
    assert lines(found) == ['<ex:i> <http://schema.org/name> "x"']


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (ContextDocument(at("c"), fault="http-4xx: status 404"), "cannot be had: http-4xx: status 404"),
        (ContextDocument(at("c"), b"<html>"), "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'"text"', "has no @context"),
        ([], "has no @context"),
        ({"context": 1}, "has no @context"),
        ({"@context": "c"}, "includes itself"),
        ({"@context": [{"@import": "c"}]}, "includes itself"),
    ],
)
def test_contexts_that_are_none(given: Any, reason: str) -> None:
    found = read({"@context": ["c", {"p": "ex:p"}], "@id": "ex:i", "p": "v"}, {at("c"): given})
    assert [fault.reason for fault in found.faults] == [f"remote context {at('c')} {reason}"]
    assert lines(found) == ['<ex:i> <ex:p> "v"']
    assert found.missing_contexts == []


def test_a_context_stands_where_its_redirect_led() -> None:
    moved = ContextDocument("https://cdn.example/v2/c", b'{"@context": "more"}')
    found = read({"@context": "c"}, {at("c"): moved})
    assert found.missing_contexts == ["https://cdn.example/v2/more"]


def test_contexts_in_contexts_have_an_end() -> None:
    chain = {at(f"c{number}"): {"@context": f"c{number + 1}"} for number in range(DEEPEST + 5)}
    found = read({"@context": "c0", "p": "v"}, chain)
    assert [fault.reason for fault in found.faults] == [
        f"remote context {at(f'c{DEEPEST}')} is more than {DEEPEST} deep in others"
    ]
    doubling = {at(f"c{number}"): {"@context": [f"c{number + 1}"] * 100} for number in range(DEEPEST)}
    found = read({"@context": "c0", "p": "v"}, doubling, seconds=0.2)
    assert "stopped after 0.2 seconds" in [fault.reason for fault in found.faults]


def test_many_missing_ones() -> None:
    found = read({"@context": [f"c{number}" for number in range(1_000)]})
    assert len(found.missing_contexts) == MOST_MISSING


def test_a_linked_context_makes_json_to_json_ld() -> None:
    """JSON-LD 1.1, 6.1: not for what has a type of its own."""
    given = {at("c"): {"@context": {"p": "ex:p", "id": "@id"}}}
    for kind, expected in (
        ("application/json", ['<ex:i> <ex:p> "v"']),
        ("application/vnd.x+json; charset=utf-8", ['<ex:i> <ex:p> "v"']),
        ("application/ld+json", []),
    ):
        found = read({"id": "ex:i", "p": "v"}, given, content_type=kind, linked_context="c")
        assert lines(found) == expected
