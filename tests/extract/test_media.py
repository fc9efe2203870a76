"""What bytes are taken for, and native RDF of all kinds."""

from __future__ import annotations

import gzip

import pytest

from sundog.errors import UsageError
from sundog.extract import extract
from sundog.extract.media import kind_of

TURTLE = "# a comment\n@prefix v: <http://v.example/> .\nv:a v:p v:b ."
TRIG = "@prefix v: <http://v.example/> .\nv:g { v:a v:p v:b . }"
TRIPLES = "<http://v.example/a> <http://v.example/p> <http://v.example/b> .\n"
QUADS = "<http://v.example/a> <http://v.example/p> <http://v.example/b> <http://v.example/g> .\n"
XML = (
    "<?xml version='1.0'?>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:v='http://v.example/'>"
    "<rdf:Description rdf:about='http://v.example/a'><v:p rdf:resource='http://v.example/b'/></rdf:Description></rdf:RDF>"
)
JSON = '{"@id": "http://v.example/a", "http://v.example/p": {"@id": "http://v.example/b"}}'
KINDS = [
    ("turtle", "text/turtle", ".ttl", TURTLE),
    ("trig", "application/trig", ".trig", TRIG),
    ("ntriples", "application/n-triples", ".nt", TRIPLES),
    ("nquads", "application/n-quads", ".nq", QUADS),
    ("n3", "text/n3", ".n3", TURTLE),
    ("rdfxml", "application/rdf+xml", ".rdf", XML),
    ("jsonld", "application/ld+json", ".jsonld", JSON),
]


@pytest.mark.parametrize(("kind", "media", "ending", "text"), KINDS)
def test_native_rdf(kind: str, media: str, ending: str, text: str) -> None:
    expected = TRIPLES.replace(" .\n", " ")
    for url, content_type, body in (
        ("http://example.com/data", f"{media}; charset=utf-8", text.encode()),
        (f"http://example.com/data{ending}?v=1", "text/plain", text.encode()),
        (f"http://example.com/data{ending}.gz", "application/gzip", gzip.compress(text.encode(), mtime=0)),
        ("http://example.com/data", "application/octet-stream", b"\xef\xbb\xbf" + text.encode()),
    ):
        found = extract(body, base=url, content_type=content_type)
        assert found.counts["rdf"] == 1, (url, content_type, found.faults)
        assert found.nquads().startswith(expected)


@pytest.mark.parametrize(("kind", "media", "ending", "text"), KINDS)
def test_the_bytes_alone(kind: str, media: str, ending: str, text: str) -> None:
    expected = "turtle" if kind == "n3" else kind
    assert kind_of("text/plain", "http://example.com/data", text.encode()) == expected


def test_the_header_comes_before_the_name() -> None:
    assert kind_of("text/html", "http://example.com/a.ttl", b"Some text.") == "html"
    assert kind_of("image/png", "http://example.com/a.ttl", TURTLE.encode()) == ""
    assert kind_of("application/xml", "http://example.com/a", XML.encode()) == "rdfxml"
    assert kind_of("application/json", "http://example.com/a", b'{"a": 1}') == ""
    assert kind_of("", "http://example.com/a", b"<!-- x --><!DOCTYPE html>") == "html"


@pytest.mark.parametrize("declared", [media for _, media, _, _ in KINDS] + ["text/html", "application/xhtml+xml"])
@pytest.mark.parametrize(("kind", "media", "ending", "text"), KINDS)
def test_the_bytes_say_more(kind: str, media: str, ending: str, text: str, declared: str) -> None:
    found = extract(text.encode(), base="http://example.com/data", content_type=declared)
    assert found.nquads().startswith(TRIPLES.replace(" .\n", " ")), found.faults


@pytest.mark.parametrize(
    "page",
    [
        b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
        b"<!-- x --><div xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>",
        b"<p> a <b> bold </b>",
        b"<!doctype html><pre>@prefix a: <http://a.example/> .</pre>",
        b"{ not json",
    ],
)
def test_pages_stay_pages(page: bytes) -> None:
    assert kind_of("text/html", "http://example.com/a", page) == "html"
    assert kind_of("application/rdf+xml", "http://example.com/a", page) in ("html", "rdfxml")


def test_turtle_without_prefixes() -> None:
    body = b'<http://v.example/a> a <http://v.example/T> ; <http://v.example/p> "x" .'
    assert kind_of("text/html", "http://example.com/a", body) == "turtle"


def test_what_is_neither_is_a_fault() -> None:
    found = extract(b"\x89PNG", base="http://example.com/a", content_type="image/png")
    assert [fault.reason for fault in found.faults] == ["neither HTML nor RDF: image/png"]


def test_of_a_broken_file_what_comes_before_the_error_counts() -> None:
    found = extract((TRIPLES + "broken").encode(), base="http://example.com/a", content_type="text/turtle")
    assert found.counts["rdf"] == 1
    assert found.faults[0].reason.startswith("broken after 1 statements")


@pytest.mark.parametrize(
    ("body", "header"),
    [
        ("é".encode(), ""),
        ("é".encode("latin-1"), "; charset=latin1"),
        ("<meta charset=koi8-r>и".encode("koi8-r"), ""),
        ("é".encode("utf-16"), "; charset=utf-8"),
        (b"\xef\xbb\xbf" + "é".encode(), "; charset=latin1"),
        ("Ça va très bien, à bientôt".encode("cp1252"), ""),
    ],
)
def test_encodings(body: bytes, header: str) -> None:
    """Byte-order mark, header, meta, then detection."""
    expected = {b"<met": "и", "Ça va".encode("cp1252")[:4]: "Ça va très bien, à bientôt"}.get(body[:4], "é")
    start, end = ("<p itemscope><b itemprop=http://v.example/p>", "</b>")
    encoding = "utf-16-le" if body[:2] == b"\xff\xfe" else "ascii"
    mark = body[:2] if body[:2] == b"\xff\xfe" else body[:3] if body[:3] == b"\xef\xbb\xbf" else b""
    meta = b"<meta charset=koi8-r>" if body.startswith(b"<meta") else b""
    text = body[len(mark) + len(meta) :]
    page = mark + meta + start.encode(encoding) + text + end.encode(encoding)
    found = extract(page, base="http://example.com/", content_type="text/html" + header)
    assert f'"{expected}"' in found.nquads()


@pytest.mark.parametrize("body", ["<p>", None])
def test_what_is_no_bytes_is_one_sentence(body: bytes) -> None:
    with pytest.raises(UsageError, match="bytes are expected"):
        extract(body)
