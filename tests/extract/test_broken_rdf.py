"""Native RDF that is broken, endless or hostile: what can be read is kept, the rest is a fault."""

from __future__ import annotations

import json

import pyoxigraph
import pytest

from sundog.extract import Extraction, extract
from sundog.extract.api import MOST_FAULTS
from sundog.extract.rdf import MAX_CHARACTERS, MAX_TERM
from sundog.rdf.namespaces import RDF

BASE = "http://example.com/data"
P = "<http://v.example/p>"


def read(text: str, kind: str = "text/turtle", base: str = BASE, **more: int) -> Extraction:
    return extract(text.encode(), base=base, content_type=kind, syntaxes=["rdf"], **more)


def reasons(found: Extraction) -> str:
    return "; ".join(fault.reason for fault in found.faults)


XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v.example/">'
    '<rdf:Description rdf:about="http://v.example/1"><v:p>x</v:p></rdf:Description>'
)
STOPPED = [
    ("text/turtle", f'<http://v.example/1> {P} "x" .\n<http://v.example/2> {P} "y'),
    ("application/trig", f'<http://v.example/g> {{ <http://v.example/1> {P} "x" . <http://v.example/2> {P}'),
    ("application/n-triples", f'<http://v.example/1> {P} "x" .\n<http://v.example/2> {P} "y'),
    ("application/n-quads", f'<http://v.example/1> {P} "x" <http://v.example/g> .\n<http://v.exam'),
    ("application/rdf+xml", XML + '<rdf:Description rdf:about="http://v.example/2"><v:p>y'),
]


@pytest.mark.parametrize(("kind", "text"), STOPPED)
def test_a_file_that_stops_half_way(kind: str, text: str) -> None:
    found = read(text, kind)
    assert [statement[:3] for statement in found.statements] == [("<http://v.example/1>", P, '"x"')]
    assert "broken after 1 statements" in reasons(found)


def test_a_broken_line_costs_itself() -> None:
    lines = [f"<http://v.example/{number}> {P} {number} ." for number in (1, 2)] + ["what?", ""]
    found = read("\n".join(lines * 3).replace(" 1 .", ' "1" .').replace(" 2 .", ' "2" .'), "application/n-triples")
    assert found.counts["rdf"] == 2
    assert " errors" in reasons(found)


def test_a_file_of_nothing_but_broken_lines_is_given_up() -> None:
    found = read(f'<http://v.example/1> {P} "x" .\n' + "what?\n" * 5_000, "application/n-triples")
    assert found.counts["rdf"] == 1
    assert "given up" in reasons(found)


def test_iris_with_spaces_are_mended() -> None:
    for kind, text in (
        ("text/turtle", f'<a b> {P} <http://v.example/{{x}}> ; {P} "y"@en , 1 .'),
        ("application/rdf+xml", XML.replace("example/1", "example/a b") + "</rdf:RDF>"),
    ):
        found = read(text, kind)
        assert all("%20" in statement[0] for statement in found.statements), kind
        assert found.counts["rdf"] >= 1


def test_relative_iris_without_a_base() -> None:
    text = f'<a> {P} "x" .\n<http://v.example/2> {P} <b> .\n<http://v.example/3> {P} "y" .\n'
    found = read(text, base="")
    assert [statement[0] for statement in found.statements] == ["<http://v.example/3>"]
    assert "2 statements left out" in reasons(found)
    assert read(text).counts["rdf"] == 3


def test_a_flood_of_blank_nodes() -> None:
    found = read(f"[] {P} [] .\n" * 50_000, max_statements=10_000)
    assert found.counts["rdf"] == 10_000
    assert reasons(found) == "only the first 10,000 statements were read"
    nested = read(f"[] {P} " + f"[ {P} " * 100_000)
    assert nested.faults


def test_a_literal_of_four_million_characters() -> None:
    giant, small = f'<http://v.example/1> {P} "{"x" * 4_000_000}" .', f'<http://v.example/2> {P} "x" .'
    for text, kind in (
        (f"{giant}\n{small}\n", "text/turtle"),
        (
            json.dumps([{"@id": "http://v.example/2", "http://v.example/p": ["x", "x" * 4_000_000]}]),
            "application/ld+json",
        ),
    ):
        found = read(text, kind)
        assert [statement[0] for statement in found.statements] == ["<http://v.example/2>"]
        assert f"more than {MAX_TERM:,} characters" in reasons(found)


def test_a_context_that_asks_for_the_network() -> None:
    """Nothing is fetched; what the document says without it is kept."""
    document = {
        "@context": ["http://127.0.0.1:1/context.jsonld", {"name": "http://v.example/name"}],
        "@id": "http://v.example/1",
        "name": "x",
        "unknown": "y",
    }
    found = read(json.dumps(document), "application/ld+json")
    assert list(found.statements) == [("<http://v.example/1>", "<http://v.example/name>", '"x"')]
    assert "127.0.0.1" in reasons(found)


@pytest.mark.parametrize(
    ("kind", "encoding", "declared", "header"),
    [
        ("application/rdf+xml", "latin-1", "ISO-8859-1", ""),
        ("application/rdf+xml", "utf-16", "UTF-16", ""),
        ("application/rdf+xml", "utf-8", "ISO-8859-1", ""),
        ("application/rdf+xml", "koi8-r", "no-such", "; charset=koi8-r"),
        ("text/turtle", "latin-1", "", "; charset=iso-8859-1"),
        ("text/turtle", "latin-1", "", ""),
        ("application/n-triples", "cp1252", "", "; charset=utf-8"),
    ],
)
def test_encodings_other_than_utf8(kind: str, encoding: str, declared: str, header: str) -> None:
    word = "Привет" if encoding == "koi8-r" else "Zoé"
    text = f'<http://v.example/1> {P} "{word}" .\n'
    if declared:
        text = f'<?xml version="1.0" encoding="{declared}"?>' + XML.replace(">x<", f">{word}<") + "</rdf:RDF>"
    found = extract(text.encode(encoding), base=BASE, content_type=kind + header)
    assert [statement[2] for statement in found.statements] == [f'"{word}"'], found.faults


def test_an_encoding_that_would_take_hours() -> None:
    text = b'<?xml version="1.0" encoding="punycode"?>' + XML.encode() + b"\xe9" * 4_000_000
    assert extract(text, base=BASE, content_type="application/rdf+xml").faults


def test_prefixes_that_make_a_short_file_long() -> None:
    """Five megabytes that would be hundreds of gigabytes."""
    prefix = f"@prefix a: <http://v.example/{'a' * 500_000}> .\n"
    text = prefix + "".join(f"a:{number} a:p a:o .\n" for number in range(200_000))
    found = read(text)
    assert sum(len(term) for statement in found.statements for term in statement) <= MAX_CHARACTERS
    assert "statements were read" in reasons(found)


@pytest.mark.parametrize(
    "context",
    [
        {"@vocab": "http://v.example/" + "a" * 500_000},
        [{"@vocab": "http://v.example/"}, *[{"@vocab": "a" * 2_000}] * 1_000],
        {"@base": "http://v.example/" + "a" * 500_000, "@vocab": ""},
        {"k": "http://v.example/" + "a" * 500_000 + "/", **{f"k:{n}": {"@type": "@id"} for n in range(50_000)}},
    ],
)
def test_contexts_that_make_a_short_file_long(context: object) -> None:
    keys = {f"k{number}": "x" for number in range(50_000)} | {f"k:{number}": "x" for number in range(50_000)}
    found = read(json.dumps({"@context": context, "@id": "http://v.example/1", **keys}), "application/ld+json")
    assert sum(len(term) for statement in found.statements for term in statement) <= 2 * MAX_CHARACTERS
    assert "is left out" in reasons(found)
    assert len(found.faults) <= MOST_FAULTS


def test_triple_terms_are_kept_as_they_are() -> None:
    """RDF 1.2: a statement about a statement, which may nest and have blank nodes."""
    inner = f'<<( _:b {P} "a >> b" )>>'
    found = read(f"<http://v.example/1> {P} {inner} , <<( <http://v.example/2> {P} {inner} )>> .\n_:b {P} 1 .\n")
    assert (found.counts["rdf"], found.faults) == (3, [])
    quads = list(pyoxigraph.parse(found.nquads(), pyoxigraph.RdfFormat.N_QUADS))
    assert isinstance(quads[1].object, pyoxigraph.Triple)
    assert quads[0].object == quads[1].object.object
    assert quads[0].object.subject == quads[2].subject


@pytest.mark.parametrize(
    "text",
    [
        '[{"@id": "http://v.example/1", "http://v.example/p": "x"}, {"http://v.example/p": ["y", {"@id": "h',
        '{"@graph": [{"http://v.example/p": "x", "@id": "http://v.example/1"}, {"http://v.example/p": "y", ',
        '{"@context": {"p": "http://v.example/p"}, "@graph": [{"@id": "http://v.example/1", "p": "x"}, "]}',
    ],
)
def test_json_ld_that_stops_half_way(text: str) -> None:
    """Half a node is left out: its name may be in the other half."""
    found = read(text, "application/ld+json")
    assert list(found.statements) == [("<http://v.example/1>", P, '"x"')]
    assert "broken after 1 statements: not JSON" in reasons(found)


def test_json_ld_of_which_nothing_can_be_kept() -> None:
    for text in (
        '{"@id": "http://v.example/1", "http://v.example/p": ["x", ',
        '[{"@id": ',
        "[" * 100_000,
        "}{",
        "[1, 2",
    ):
        found = read(text, "application/ld+json")
        assert found.counts["rdf"] == 0
        assert found.faults


def test_what_was_mended_is_a_fault() -> None:
    found = read(f'<http://v.example/a b> {P} "x" .', "application/n-triples")
    assert [statement[0] for statement in found.statements] == ["<http://v.example/a%20b>"]
    assert reasons(found).startswith("mended: ")


def test_entities_without_end() -> None:
    """Each names the next one; to look for the end from every one of them would take hours."""
    entities = "".join(f'<!ENTITY e{number} "&e{number + 1};">' for number in range(100_000))
    text = f"<?xml version='1.0'?><!DOCTYPE rdf:RDF [{entities}]>{XML}<v:p>&e0;</v:p></rdf:RDF>"
    assert reasons(read(text, "application/rdf+xml")) == "its entities expand without measure"


def test_json_ld_has_the_same_cap() -> None:
    nodes = [{"@id": f"http://v.example/{number}", "http://v.example/p": "x"} for number in range(200)]
    found = read(json.dumps(nodes), "application/ld+json", max_statements=50)
    assert found.counts["rdf"] == 50
    assert reasons(found) == "only the first 50 statements were read"


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (
            "application/rdf+xml",
            f'{XML}<rdf:Description><v:p rdf:datatype="{RDF}%s">y</v:p></rdf:Description></rdf:RDF>',
        ),
        ("text/turtle", f'<a> <p> "y"^^<{RDF}%s> .'),
        ("application/ld+json", f'{{"http://v.example/p": {{"@value": "y", "@type": "{RDF}%s"}}}}'),
    ],
)
@pytest.mark.parametrize("name", ["langString", "dirLangString"])
def test_a_type_that_means_a_language_and_no_language(type_: str, text: str, name: str) -> None:
    """Strict parsers read no such literal."""
    assert list(read(text % name, type_).statements)[-1][2] == '"y"'
