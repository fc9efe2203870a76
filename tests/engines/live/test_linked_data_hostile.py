"""Servers of Linked Data that lie, flood or speak for others: what comes of it is typed, and stays theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.results.export import export
from sundog.spec.rdf import Rdf
from sundog.store.query import query
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, urls

P = "<http://v.example/p>"
TURTLE = "text/turtle"


def crawl_objects(web: SmallWeb, directory: Path) -> Crawled:
    return crawled(web, directory, objective="rdf", rdf=Rdf(follow=("objects",)))


@pytest.mark.parametrize(
    "headers",
    [
        [f"Link: </{number}>; rel=describedby" for number in range(10_000)],
        ["Link: " + ", ".join(f"</{number}>; rel=describedby" for number in range(40_000))],
    ],
)
def test_a_flood_of_link_headers_is_no_answer(web: SmallWeb, tmp_path: Path, headers: list[str]) -> None:
    web.reply(HOME, f"<#a> {P} 1 .", *headers, type_=TURTLE)
    done = crawl_objects(web, tmp_path / "crawl")
    assert done.faults[HOME].startswith("bad-header: ")
    assert web.asked() == [HOME]


def test_many_link_headers_are_a_few_links(web: SmallWeb, tmp_path: Path) -> None:
    headers = ["Link: " + ", ".join(f"</{row}.{n}>; rel=describedby" for n in range(200)) for row in range(100)]
    web.reply(HOME, f"<#a> {P} 1 .", *headers, type_=TURTLE)
    done = crawl_objects(web, tmp_path / "crawl")
    assert done.summary["fetched"] == 51


def test_a_content_location_names_nobody_else(web: SmallWeb, tmp_path: Path) -> None:
    web.reply(HOME, f"<> {P} <x> .", "Content-Location: http://bank.example/account", type_=TURTLE)
    done = crawl_objects(web, tmp_path / "crawl")
    assert web.asked() == [HOME, *urls("x")]
    assert query(done.directory, "SELECT ?g ?s { GRAPH ?g { ?s ?p ?o } }").texts() == [[HOME, HOME]]


def test_graphs_of_others_are_not_theirs(web: SmallWeb, tmp_path: Path) -> None:
    names = ("http://bank.example/", "urn:sundog:provenance", "http://bank.example/")
    quads = "".join(f'<{HOME}#{number}> {P} "x" <{name}> .\n' for number, name in enumerate(names))
    web.reply(HOME, quads, type_="application/n-quads")
    done = crawl_objects(web, tmp_path / "crawl")
    assert query(done.directory, "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }").texts() == [[HOME]]
    lines = export(done.directory, "nquads").read_text().splitlines()
    assert (len(lines), {line.rpartition(" <")[2] for line in lines}) == (3, {f"{HOME}> ."})


def test_a_thing_whose_description_is_forbidden(web: SmallWeb, tmp_path: Path) -> None:
    """The host that describes it says no; the host that named it is not to blame."""
    web.robots("User-agent: *\nDisallow: /", host="b.example")
    web.reply("http://b.example/doc", f"<#a> {P} 2 .", type_=TURTLE)
    web.reply(urls("thing")[0], b"", "Location: http://b.example/doc", status="303 See Other")
    web.reply(HOME, f"<{HOME}> {P} <thing> .", type_=TURTLE)
    done = crawl_objects(web, tmp_path / "crawl")
    assert done.faults == {urls("thing")[0]: "robots: forbidden"}
    assert "http://b.example/doc" not in web.asked()


def test_thousands_of_names_of_one_document(web: SmallWeb, tmp_path: Path) -> None:
    names = " , ".join(f"<doc#{number}>" for number in range(5_000))
    web.reply(HOME, f"<> {P} {names} .", type_=TURTLE)
    web.reply(urls("doc")[0], f"<#1> {P} 1 .", type_=TURTLE)
    done = crawl_objects(web, tmp_path / "crawl")
    assert web.asked() == [HOME, *urls("doc")]
    assert done.summary["statements"] == 5_001


def test_statements_about_statements(web: SmallWeb, tmp_path: Path) -> None:
    """A blank node is the same one inside of a triple term and outside of it, in exports and for queries."""
    web.reply(HOME, f'_:b {P} 1 . <#a> {P} <<( _:b {P} "_:b" )>> .', type_=TURTLE)
    done = crawl_objects(web, tmp_path / "crawl")
    assert query(done.directory, f"ASK {{ ?b {P} 1 . ?a {P} <<( ?b {P} '_:b' )>> }}").json()["boolean"]
    lines = export(done.directory, "nquads").read_text().splitlines()
    label = next(line for line in lines if line.startswith("_:")).partition(" ")[0]
    assert any(f"<<( {label} {P} " in line for line in lines)
