"""Crawls for Linked Data: what is asked for, what is followed, and what cannot harm them."""

from __future__ import annotations

import gzip
import json
import shutil
import time
from pathlib import Path

import pytest

from sundog.results.export import export
from sundog.spec.rdf import Rdf
from sundog.store.query import query
from tests.engines.live.processes import killed
from tests.engines.live.webs import HOME, SmallWeb, crawled, urls

V = "http://v.example/"
TURTLE = "text/turtle"


def turtle(web: SmallWeb, url: str, text: str, *headers: str, type_: str = TURTLE) -> None:
    web.reply(url, f"@prefix v: <{V}> .\n{text}", *headers, type_=type_)


def found(web: SmallWeb, directory: Path, **rdf: object) -> set[str]:
    """What a crawl for RDF asks for besides its seed."""
    crawled(web, directory, objective="rdf", rdf=Rdf(**rdf))  # type: ignore[arg-type]
    return set(web.asked()) - {HOME}


def test_rdf_is_asked_for(web: SmallWeb, tmp_path: Path) -> None:
    turtle(web, HOME, "<#a> v:p 1 .")
    crawled(web, tmp_path / "rdf", objective="rdf")
    assert web.log[-1].headers["accept"].startswith("text/turtle,")
    assert "text/html;q=0.5" in web.log[-1].headers["accept"]
    crawled(web, tmp_path / "pages", objective="type:rdf:Property")
    assert web.log[-1].headers["accept"].startswith("text/html,")
    crawled(web, tmp_path / "preferred", objective="any", rdf=Rdf(prefer="rdf"))
    assert web.log[-1].headers["accept"].startswith("text/turtle,")


STATEMENTS = """<http://a.example/s> v:p <http://a.example/o> ; a <http://a.example/T> .
<http://a.example/s2> <http://a.example/q> <http://a.example/o2#x> , <http://a.example/o2#y> .
[] v:p "http://a.example/literal" , <mailto:x@a.example> , <#me> ."""


@pytest.mark.parametrize(
    ("follow", "paths"),
    [
        (("subjects",), "s s2"),
        (("objects",), "o o2"),
        (("types",), "T"),
        (("predicates",), "q"),
        ((), "s s2 o o2 T q"),
    ],
)
def test_positions(web: SmallWeb, tmp_path: Path, follow: tuple[str, ...], paths: str) -> None:
    turtle(web, HOME, STATEMENTS)
    asked = {url for url in found(web, tmp_path / "crawl", follow=follow) if not url.startswith(V)}
    assert asked - {"http://www.w3.org/1999/02/22-rdf-syntax-ns"} == set(urls(*paths.split()))


def test_some_properties_only(web: SmallWeb, tmp_path: Path) -> None:
    turtle(web, HOME, STATEMENTS + "<#me> <http://www.w3.org/2002/07/owl#sameAs> <http://b.example/me> .")
    options = {"properties": ("owl:sameAs",), "follow": ("objects",)}
    assert found(web, tmp_path / "crawl", **options) == {"http://b.example/me"}


def test_hash_uris_are_one_document(web: SmallWeb, tmp_path: Path) -> None:
    turtle(web, HOME, "<#a> v:p <doc#a> , <doc#b> , <doc> .")
    turtle(web, urls("doc")[0], "<#a> v:p <#b> .")
    assert found(web, tmp_path / "crawl", follow=("objects",)) == {urls("doc")[0]}
    assert not web.asked_twice()


def test_link_headers(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME)
    body = web.replies[HOME]._replace(  # type: ignore[union-attr]
        headers=(
            'Link: <d1>; rel="describedby"; type="text/turtle", </d2>; rel="alternate";type="application/ld+json"',
            'Link: <d3>; rel=describedby; title="a, <no>; rel=next"',
            'Link: <n1>; rel=next, <n2>; rel=alternate; type="text/html", <>; rel=describedby',
            "Link: <<<>>>;;;,,, <http://[bad>; rel=describedby",
        )
    )
    web.replies[HOME] = body
    assert found(web, tmp_path / "crawl") == set(urls("d1", "d2", "d3"))


def test_dumps(web: SmallWeb, tmp_path: Path) -> None:
    """Packed files are fetched for what they hold, other archives are not."""
    lines = "".join(f'<http://x.example/{n}> <{V}p> "{n}" .\n' for n in range(60_000))
    turtle(
        web, HOME, "<#d> <http://rdfs.org/ns/void#dataDump> <some.zip> ; v:p <all.nt.gz> , <other.zip> , <a.gz> ."
    )
    web.reply(urls("all.nt.gz")[0], gzip.compress(lines.encode()), type_="application/gzip")
    rdf = Rdf(follow=("objects",))
    done = crawled(web, tmp_path / "crawl", objective="rdf", rdf=rdf)
    assert set(web.asked()) == {HOME, *urls("all.nt.gz", "some.zip")}
    assert done.summary["statements"] == 60_004


def test_a_bomb_is_cut(web: SmallWeb, tmp_path: Path) -> None:
    turtle(web, HOME, "<#a> v:p <bomb.nt.gz> .")
    bomb = f'<http://x.example/> <{V}p> "1" .\n#'.encode() + bytes(30_000_000)
    web.reply(urls("bomb.nt.gz")[0], gzip.compress(bomb, 1), type_="application/octet-stream")
    rdf = Rdf(follow=("objects",), dump_unpacked=1_000_000)
    done = crawled(web, tmp_path / "crawl", objective="rdf", rdf=rdf)
    assert "cut at 1,000,000 bytes unpacked" in done.faults[urls("bomb.nt.gz")[0]]
    assert done.summary["statements"] == 2


def test_redirects_that_lead_in_circles(web: SmallWeb, tmp_path: Path) -> None:
    turtle(web, HOME, "<#a> v:p <x> , <y> , <z> .")
    web.moves(urls("x")[0], urls("y")[0])
    web.moves(urls("y")[0], urls("x")[0])
    web.moves(urls("z")[0], urls("z")[0])
    done = crawled(web, tmp_path / "crawl", objective="rdf", rdf=Rdf(follow=("objects",)))
    faults = [done.faults[url].partition(":")[0] for url in urls("x", "z")]
    assert faults == ["redirect-loop", "redirect-loop"]
    assert not web.asked_twice()


def test_a_context_is_not_fetched(web: SmallWeb, tmp_path: Path) -> None:
    document = {"@context": urls("context")[0], "@id": "#a", f"{V}p": "x"}
    web.reply(HOME, json.dumps(document), type_="application/ld+json")
    done = crawled(web, tmp_path / "crawl", objective="rdf", rdf=Rdf(follow=("objects",)))
    assert web.asked() == [HOME]
    assert (done.summary["statements"], "context" in done.faults[HOME]) == (1, True)


@pytest.mark.parametrize(("objective", "graph"), [("rdf", urls("doc")[0]), ("any", HOME)])
def test_names_of_graphs(web: SmallWeb, tmp_path: Path, objective: str, graph: str) -> None:
    """Where a redirect led in a crawl for RDF, also when the index is made anew; in others the page chosen."""
    web.moves(HOME, urls("doc")[0])
    turtle(web, urls("doc")[0], '<#a> v:name "Ada" .')
    done = crawled(web, tmp_path / "crawl", objective=objective)
    for _ in range(2):
        asked = query(done.directory, "SELECT ?g { GRAPH ?g { ?s ?p ?o } }")
        assert asked.texts() == [[graph]]
        shutil.rmtree(done.directory / "statements")
    assert f"<{graph}> .\n" in export(done.directory, "nquads").read_text()


def test_a_query_while_the_crawl_runs(web: SmallWeb, tmp_path: Path) -> None:
    """What was found is there soon, though the crawl waits for a document that does not come."""
    turtle(web, HOME, '<#a> v:name "Ada" ; v:p <slow> .')
    web.reply(urls("slow")[0], delay=60.0)
    with killed(web, tmp_path / "crawl", "--for=rdf", "--policy=bfs", "--set=rdf.follow=objects") as process:
        names: list[list[str]] = []
        while not names and process.poll() is None:
            time.sleep(0.2)
            if urls("slow")[0] in web.asked():  # so the first page has come
                names = query(tmp_path / "crawl", f"SELECT ?name {{ ?x <{V}name> ?name }}").texts()
        assert process.poll() is None
    assert names == [["Ada"]]
