"""Hostile bytes: no crash, no hang, no network, no file; a fault with the reason."""

from __future__ import annotations

import gc
import gzip
import socket
import time
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from sundog.extract import Extraction, api, extract, guards
from sundog.extract.guards import OutOfTimeError, TimeBox

URL = "http://example.com/page"
RDF_XML = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://v.example/'"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("extraction opened a socket")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def run(body: str | bytes, content_type: str = "text/html", *, within: float = 12.0) -> Extraction:
    """Extract everything; what comes out is valid whatever went in."""
    start = time.thread_time()
    found = extract(body.encode() if isinstance(body, str) else body, base=URL, content_type=content_type)
    _ = found.links, found.types, found.mf2
    assert time.thread_time() - start < within
    list(pyoxigraph.parse(found.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS))
    return found


def reasons(found: Extraction) -> str:
    return "; ".join(f"{fault.syntax}: {fault.reason}" for fault in found.faults)


@pytest.mark.parametrize(
    "unit",
    [
        "<div>",
        "<b>",
        "<table><tr><td>",
        "<p itemscope itemprop=a>",
        "<p typeof=foaf:Agent property=foaf:knows>",
        "<p rel=foaf:knows>",
        "<div class=h-card>",
        "<div class='p-author h-card'>",
        "<a href=x>",
        "<svg>",
    ],
)
@pytest.mark.parametrize("depth", [5_000, 100_000])
def test_deep_nesting(unit: str, depth: int) -> None:
    run(unit * depth)


def test_deep_nesting_keeps_what_is_before_it() -> None:
    assert run("<p itemscope><b itemprop=name>x</b></p>" + "<div>" * 5_000).counts["microdata"] == 1


def test_a_page_of_50_megabytes_is_cut() -> None:
    found = run(b"<p itemscope><b itemprop=name>x</b></p>" + b"<p>words and words</p>" * 2_300_000)
    assert "page: cut at 5,000,000 bytes" in reasons(found)
    assert found.counts["microdata"] == 1


def test_the_cap_can_be_set() -> None:
    assert extract(b"<p>" * 100, base=URL, max_bytes=50).faults[0].reason == "cut at 50 bytes"


def test_too_many_elements() -> None:
    assert "only the first 300,000 elements were read" in reasons(run("<p itemscope>" * 320_000))


def test_itemrefs_in_cycles() -> None:
    items = "".join(f"<p id=i{n} itemscope itemprop=p itemref=i{(n + 1) % 100_000}></p>" for n in range(100_000))
    run("<p itemscope itemref=i0></p>" + items, within=15)


def test_every_item_refers_to_every_other() -> None:
    names = " ".join(f"i{n}" for n in range(1_000))
    items = "".join(f"<p id=i{n} itemscope itemprop=p itemref='{names}'></p>" for n in range(1_000))
    run(f"<p itemscope itemref='{names}'></p>{items}")


def test_one_element_with_100_000_itemrefs() -> None:
    names = " ".join(f"i{n}" for n in range(100_000))
    run(f"<p itemscope itemref='{names}'></p><b id=i7 itemprop=name>x</b>")


def test_copies_of_copies() -> None:
    patterns = "".join(
        f"<div resource='#p{n}' typeof=rdfa:Pattern><link property=rdfa:copy href='#p{(n + 1) % 300}'>"
        f"<b property=dc:title>{n}</b></div>"
        for n in range(300)
    )
    run(patterns + "<div resource='#a'><link property=rdfa:copy href='#p0'></div>", within=15)


@pytest.mark.parametrize("json", ['{"a":' * 5_000 + "1" + "}" * 5_000, "[" * 100_000, '{"@graph":[' * 3_000])
def test_deep_json(json: str) -> None:
    context = '{"@context": {"@vocab": "http://v.example/"}, "x": ' + json + "}"
    assert run(f"<script type=application/ld+json>{context}</script>").faults
    run(context, "application/ld+json")


def test_a_context_that_defines_itself() -> None:
    context = '{"@context": {"a": "b:x", "b": "a:y", "c": {"@context": {"c": {"@context": {}}}}}, "a": 1, "c": 2}'
    run(f"<script type=application/ld+json>{context}</script>")


def test_entities_that_laugh() -> None:
    entities = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    document = (
        f"<!DOCTYPE r [<!ENTITY l0 'lol'>{entities}]><rdf:RDF {RDF_XML}><e:a><e:p>&l9;</e:p></e:a></rdf:RDF>"
    )
    assert "expand without measure" in reasons(run(document, "application/rdf+xml"))


def with_entities(declarations: str, value: str) -> str:
    return f"<!DOCTYPE r [{declarations}]><rdf:RDF {RDF_XML}><e:a><e:p>{value}</e:p></e:a></rdf:RDF>"


def laughs(letter: str, levels: int = 6) -> str:
    """Each ten times the one before: 12 characters become 12 million."""
    return f"<!ENTITY {letter}0 'lolololololo'>" + "".join(
        f"<!ENTITY {letter}{n} '{f'&{letter}{n - 1};' * 10}'>" for n in range(1, levels + 1)
    )


@pytest.mark.parametrize(
    ("declarations", "value", "reason"),
    [
        (laughs("é"), "&é6;&é6;", "expand without measure"),
        (laughs("l") + "".join(f"<!ENTITY l{n} ''>" for n in range(7)), "&l6;&l6;", "expand without measure"),
        ("<!ENTITY a '&a;'>", "&a;", "expand without measure"),
        ("<!ENTITY b '&a;'><!ENTITY a 'x'>", "&b;", "expand without measure"),
        ("<!ENTITY \N{NO-BREAK SPACE}a 'x'>", "&a;", "declared in a way that is not read"),
        ('<!ENTITYa "x">', "&a;", "declared in a way that is not read"),
        ('<!ENTITY % a "x">', "&a;", "declared in a way that is not read"),
        ('<!ENTITY a! "x">', "&a!;", "declared in a way that is not read"),
        ("<!ENTITY a \"<!ENTITY b 'x'>\">", "&b;", "declared in a way that is not read"),
    ],
)
def test_entities_that_are_not_expanded(declarations: str, value: str, reason: str) -> None:
    found = run(with_entities(declarations, value), "application/rdf+xml")
    assert reason in reasons(found)
    assert not any(found.counts.values())


def test_an_entity_may_have_any_name() -> None:
    for quote in "'\"":
        found = run(with_entities(f"<!ENTITY é {quote}x{quote}>", "&é;"), "application/rdf+xml")
        assert '"x"' in found.nquads()
        assert not found.faults


def test_external_entities(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    for declaration in (
        f"<!ENTITY x SYSTEM '{secret.as_uri()}'>",
        "<!ENTITY % x PUBLIC 'a' 'http://v.example/dtd'>",
    ):
        document = f"<!DOCTYPE r [{declaration}]><rdf:RDF {RDF_XML}><e:a><e:p>&x;</e:p></e:a></rdf:RDF>"
        found = run(document, "application/rdf+xml")
        assert "external entities are not read" in reasons(found)
        assert "secret" not in found.nquads()


def test_deep_xml_and_deep_triple_terms() -> None:
    xml = f"<rdf:RDF {RDF_XML}>" + "<e:a><e:p>" * 100_000
    assert "deep" in reasons(run(xml, "application/rdf+xml"))
    terms = "<http://a.example/> <http://a.example/> " + "<<( <http://a.example/> <http://a.example/> " * 50_000
    assert "deep" in reasons(run(terms, "text/turtle"))


@pytest.mark.parametrize("unit", ["[ <a:b> ", "( "])
def test_deep_turtle(unit: str) -> None:
    run("<a:a> <a:b> " + unit * 300_000, "text/turtle")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,<b>", "vbscript:x", "file:///etc/passwd"])
def test_urls_that_nobody_fetches(url: str) -> None:
    found = run(f'<a href="{url}">x</a><p itemscope><a itemprop=http://v.example/p href="{url}">x</a></p>')
    assert found.links == []


def test_invalid_utf_8_and_nul() -> None:
    found = run(b"<p itemscope><b itemprop=name>\xff\x00\xc3(\xed\xa0\x80</b></p><a href='/\xff\x00'>x</a>")
    assert found.counts["microdata"] == 1


@pytest.mark.parametrize(
    "end", ["<", "<p", "<p itemscope", "<p itemprop='", "<script type=application/ld+json>", "<!--"]
)
def test_truncated(end: str) -> None:
    assert run("<p itemscope><b itemprop=name>x</b>" + end).counts["microdata"] == 1


def test_bombs_in_gzip() -> None:
    found = run(gzip.compress(b"<p>" + b" " * 200_000_000))
    assert "cut at" in reasons(found)
    members = gzip.compress(b"<p itemscope><b itemprop=name>") + gzip.compress(b"x</b>")
    assert run(members).counts["microdata"] == 1


def test_broken_gzip() -> None:
    assert "broken gzip" in reasons(run(b"\x1f\x8b\x08" + b"\x00" * 7 + b"\xff" * 100))
    packed = zlib.compressobj(wbits=31)
    whole = packed.compress(b"<p itemscope><b itemprop=name>x</b>" * 1_000) + packed.flush()
    run(whole[: len(whole) // 2])


def test_a_slow_extractor_is_stopped_and_what_it_found_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient(TimeBox):
        asked = 0

        def check(self) -> None:
            self.asked += 1
            if self.asked > 7:
                raise OutOfTimeError(self.seconds)

    monkeypatch.setattr(api, "TimeBox", Impatient)
    found = extract(b"<p itemscope><b itemprop=name>x</b></p>" * 100, base=URL, syntaxes=["microdata", "rdfa"])
    assert reasons(found) == "microdata: stopped after 1 seconds"
    assert found.counts == {"microdata": 7, "rdfa": 0}


def test_time_runs_out() -> None:
    names = " ".join(f"i{n}" for n in range(1_000))
    items = "".join(f"<p id=i{n} itemscope itemprop=p itemref='{names}'></p>" for n in range(1_000))
    body = f"<p itemscope itemref='{names}'></p>{items}".encode()
    assert "stopped after 0.01 seconds" in reasons(extract(body, base=URL, syntaxes=["microdata"], seconds=0.01))


@pytest.mark.parametrize("base", ["", "nonsense", "http://", "http://[", "javascript:x", "http://a b/", "\ud800"])
def test_bases_that_are_no_urls(base: str) -> None:
    body = (
        b"<a href=x>y</a><p itemscope><a itemprop=p href=z>z</a></p><b property=dc:title>t</b>"
        b"<script type=application/ld+json>{'@id': 'x', 'http://v.example/p': {'@id': 'y'}}</script>"
    )
    found = extract(body, base=base)
    _ = found.links
    list(pyoxigraph.parse(found.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS))


@pytest.mark.parametrize(
    "text",
    [
        "/" + "a/" * 50_000 + " ",
        "http://" + "a." * 50_000,
        "x" + " " * 100_000 + "x",
        '{"a": "' + '\\"' * 50_000,
        *(
            unit * 50_000
            for unit in ("=", ".", "-", "&lt;", "/*", "<!---->", "<!--", "]]>", ", ", "a: ", "# ", "P1D")
        ),
    ],
    ids=lambda text: text[:8],
)
def test_patterns_are_linear(text: str) -> None:
    """Text in all the places that regular expressions look at."""
    run(
        f"<a href='{text}' class='{text}' id='{text}'>{text}</a><!-- --><meta http-equiv=refresh content='{text}'>"
        f"<p itemscope itemtype='http://v.example/{text}'><time itemprop=a datetime='{text}'>{text}</time></p>"
        f"<div prefix='{text}' vocab='{text}' typeof='{text}' property='{text}'>{text}</div>"
        f"<script type=application/ld+json>{text}</script>"
        f"<b class='h-card'>{text}<i class='dt-bday'>{text}</i></b>"
    )
    for kind in ("application/rdf+xml", "application/ld+json", "text/turtle", "text/plain", "application/xml", ""):
        run(text, kind)


@pytest.mark.parametrize(
    "unit",
    [
        "<e:a><!--</e:a></e:a>--><e:p>",
        "<e:a><![CDATA[</e:a></e:a>]]><e:p>",
        "<e:a e:x='/>'><e:p e:x='/>'>",
        "<e:é><e:è>",
    ],
)
def test_depth_that_is_hidden_from_those_who_count(unit: str) -> None:
    assert "nested more than 500 deep" in reasons(run(f"<rdf:RDF {RDF_XML}>" + unit * 600, "application/rdf+xml"))


def literal_with(content: str, namespaces: int, parse_type: str = "Literal") -> str:
    declared = " ".join(f"xmlns:n{n}='http://{n}.example/'" for n in range(namespaces))
    inside = f"<e:a><e:p rdf:parseType='{parse_type}'>{content}</e:p></e:a>"
    return f"<rdf:RDF {RDF_XML}><e:b {declared}><e:q>{inside}</e:q></e:b></rdf:RDF>"


@pytest.mark.parametrize("parse_type", ["Literal", "anything", "Lit&#101;ral"])
def test_xml_literals_that_repeat_namespaces(parse_type: str) -> None:
    found = run(literal_with("<b/>" * 5_000, 900, parse_type), "application/rdf+xml")
    assert reasons(found) == "rdf: its XML literals expand without measure"


def test_xml_literals_of_honest_files() -> None:
    inside = "<b>bold</b> and <i>not</i>" * 200
    assert len(run(literal_with(inside, 30), "application/rdf+xml").by_syntax["rdf"]) > 1
    assert not run(literal_with("<e:c/>" * 5_000, 900, "Collection"), "application/rdf+xml").faults


def test_a_long_text_is_no_attribute() -> None:
    text = "&lt;a href='x'&gt; = " * 5_000
    found = run(f"<rdf:RDF {RDF_XML}><e:a><e:p>{text}</e:p></e:a></rdf:RDF>", "application/rdf+xml")
    assert not found.faults


def test_links_in_links_have_their_texts_while_there_is_time() -> None:
    found = run("<p><a href=/1>one <b>two</b></a>" + "<a href=x><object>word " * 5_000)
    assert found.links[0].anchor == "one two"
    assert len(found.links) == 5_001


def test_an_image_names_a_link_without_text() -> None:
    found = run("<a href=/1><i></i><b> <img alt=first></b><img alt=second></a><a href=/2>text<img alt=no></a>")
    assert [link.anchor for link in found.links] == ["first", "text"]


def test_what_is_remembered_is_short() -> None:
    """What repeats on pages is kept for the next one: not what would fill the memory."""

    def read(number: int) -> None:
        long = f"{number}" + "x" * 50_000
        place = f"<div class='{long}' id='{long}'><b class='h-card {long}' property=dc:a lang='{long}'>y</b>"
        _ = extract(f"{place}<a href='/{long}?é'>x</a>".encode(), base=URL).links

    read(0)
    tracemalloc.start()
    for number in range(1, 50):
        read(number)
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 1_000_000


def test_a_busy_machine_takes_no_time_from_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box is of processor time: a page that waits for a processor loses nothing."""
    box = TimeBox(0.5)
    monkeypatch.setattr(guards, "perf_counter", lambda: time.perf_counter() + 10)
    box.check()
    monkeypatch.setattr(guards, "thread_time", lambda: time.thread_time() + 10)
    monkeypatch.setattr(guards, "perf_counter", lambda: time.perf_counter() + 100)
    with pytest.raises(OutOfTimeError, match=r"stopped after 0\.5 seconds"):
        box.check()


class _Clocks:
    """Instead of those of ``guards``: the processor time and the time of day."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cpu, self.clock = 7.0, 100.0
        monkeypatch.setattr(guards, "thread_time", lambda: self.cpu)
        monkeypatch.setattr(guards, "perf_counter", lambda: self.clock)

    def work(self, seconds: float, stands_still: float = 0.0) -> None:
        self.cpu += seconds
        self.clock += seconds + stands_still


def test_all_extractors_together_have_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = _Clocks(monkeypatch)
    whole = TimeBox(1.5)
    clocks.work(1.2)
    box = whole.part(1.0)
    assert box.seconds == pytest.approx(0.3)
    clocks.work(0.2)
    box.check()
    clocks.work(0.2)
    with pytest.raises(OutOfTimeError):
        box.check()
    late = whole.part(1.0)
    clocks.work(0.01)
    with pytest.raises(OutOfTimeError):
        late.check()


def test_a_machine_that_stands_still_takes_no_time_from_an_extractor(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = _Clocks(monkeypatch)
    whole = TimeBox(1.5)
    clocks.work(0.1, stands_still=60)
    box = whole.part(1.0)
    clocks.work(0.9, stands_still=60)
    box.check()
    clocks.work(1)
    with pytest.raises(OutOfTimeError):
        box.check()


def test_each_extractor_is_given_a_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    class Noted(TimeBox):
        def part(self, seconds: float) -> TimeBox:
            given.append(seconds)
            return super().part(seconds)

    monkeypatch.setattr(api, "TimeBox", Noted)
    extract(b"<p itemscope property=dc:a>x", base=URL)
    assert len(given) >= 2
    assert set(given) == {guards.LEAST_SECONDS}
