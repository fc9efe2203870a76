"""docs/threats.md names tests that are there and numbers of the code; and caps that no test of a package holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sundog import CrawlSession, extract
from sundog.archives import common_crawl, http_answer
from sundog.engines.live.pages import contexts, reader
from sundog.engines.live.worlds import api, form, json_answers
from sundog.errors import UsageError
from sundog.extract import dom, guards, links, packed, rdf, remote_contexts, statement_links, xml_danger
from sundog.extract.rdfa import names
from sundog.fetch import cookies, link_headers, robots, sitemaps, unpack
from sundog.fetch.render.values import RenderLimits
from sundog.fetch.values import Limits
from sundog.objectives import grammar, memory, sparql, statements, tokens
from sundog.patterns import definitions, evaluate, runner
from sundog.patterns.definitions import DataPattern, LinkPattern, Patterns
from sundog.patterns.runner import PatternRunner, Subject
from sundog.policies.hosts import templates
from sundog.rdf import sparql as queries
from sundog.scope.traps import Allowances
from sundog.spec.rdf import Rdf
from sundog.store import query
from sundog.urls import identity
from sundog.urls.tokens import MOST_TOKENS

TESTS = Path(__file__).resolve().parent
PAGE = (TESTS.parent / "docs" / "threats.md").read_text(encoding="utf-8")
LIMITS, DUMP, TRAPS, RENDER = Limits(), Rdf(), Allowances(), RenderLimits()
GB = 1 << 30
CAPS = [
    f"{LIMITS.max_bytes:,} bytes, {LIMITS.total:g} seconds with all redirects, {LIMITS.connect:g} to connect, "
    f"{LIMITS.first_byte:g} to the first byte, {LIMITS.min_speed:,g} bytes per second, "
    f"{LIMITS.max_redirects} redirects, {LIMITS.max_headers} headers",
    f"{LIMITS.max_bytes:,} bytes of a page, packed ones",
    f"{http_answer.LONGEST_HEAD:,} bytes and {http_answer.MOST_HEADERS} headers of a response",
    f"{common_crawl.LONGEST_RECORD:,} bytes per record",
    f"{unpack.MOST_MEMBERS} gzip members or zstd frames, {unpack.MOST_WINDOW >> 20} MB of zstd window",
    f"{RENDER.requests} requests, {RENDER.bytes:,} bytes, {RENDER.seconds:g} seconds, {RENDER.nodes:,} elements, "
    f"{RENDER.memory:,} bytes of memory a page",
    f"{robots.ROBOTS_LIMITS.max_bytes:,} bytes; patterns match",
    f"{sitemaps.SITEMAP_LIMITS.max_bytes:,} bytes, {sitemaps.MOST_UNPACKED:,} unpacked, "
    f"{sitemaps.MOST_ENTRIES:,} entries, {sitemaps.DEEPEST} levels",
    f"{cookies.MOST_A_SITE} per domain, {cookies.LONGEST:,} bytes each, {cookies.MOST_SITES:,} domains",
    f"{link_headers.LONGEST:,} characters, {link_headers.MOST_LINKS} links",
    f"{dom.MAX_ELEMENTS:,} elements",
    f"{guards.LEAST_SECONDS:g} to {guards.SECONDS:g} seconds of processor time per extractor, by the page's size, "
    f"and {guards.ALL_TOGETHER:g} times that for all",
    f"{names.MOST_PREFIXES:,} prefixes",
    f"{rdf.MAX_STATEMENTS:,} statements, {rdf.TIMES_ITS_BYTES} × its bytes and {rdf.MOST_OF_A_FILE:,} characters, "
    f"{rdf.MAX_TERM:,} per literal, {xml_danger.MAX_ATTRIBUTES:,} attributes per element, "
    f"{xml_danger.MAX_ENTITIES:,} entities that expand to {xml_danger.MAX_EXPANDED:,} characters",
    f"{guards.MAX_DEPTH} levels; its bytes decide",
    f"a separate process with {reader.MEMORY_TO_READ_PAGES // GB} GB and {reader.SECONDS_TO_READ:g} seconds",
    f"pages of up to {reader.LONGEST_IN_LOOP:,} bytes are parsed in the crawl's own, "
    f"with {reader.SECONDS_IN_LOOP:g} seconds per extractor",
    f"a separate process with {reader.MEMORY_FOR_DUMPS // GB} GB: {DUMP.dump_unpacked:,} bytes, "
    f"{DUMP.dump_statements:,} statements, {DUMP.dump_seconds:g} seconds, "
    f"{packed.MOST_FILES} files",
    f"{contexts.LONGEST:,} bytes, {contexts.MOST_A_PAGE} per page, {contexts.MOST_A_SITE} per domain of pages, "
    f"{contexts.MOST_CONTEXTS:,} per crawl, {contexts.MOST_BYTES:,} bytes in all, "
    f"{remote_contexts.DEEPEST} levels",
    f"{links.MAX_LINKS:,} per page, {statement_links.MOST_LINKS:,} per RDF document",
    f"URLs above {identity.LONGEST:,} characters are dropped; {MOST_TOKENS} tokens of a text",
    f"{templates.TEMPLATES_A_HOST} templates per host, then {templates.SHARED} shared ones",
    f"{TRAPS.calendar}, {TRAPS.pages} and {TRAPS.filters} pages, and {TRAPS.earned} more",
    f"{json_answers.MOST_VALUES:,} values, {api.MOST_KEPT:,} answers kept",
    f"{form.MOST_RECORDS:,} records per page, {form.MOST_WORDS:,} keywords",
    f"{grammar.DEEPEST} levels, {tokens.MOST_CHARACTERS:,} characters, files of {tokens.MOST_BYTES:,} bytes",
    f"{sparql.SECONDS:g} seconds per page, {sparql.MOST_MEMORY // GB} GB, {statements.MOST_STATEMENTS:,} "
    f"statements, {sparql.MOST_ROWS:,} rows, {sparql.MOST_CHARACTERS:,} characters",
    f"{memory.MOST_SEEN:,} keys",
    f"the sandbox with {query.MOST_MEMORY // GB} GB",
    f"{queries.DEEPEST} levels, {queries.MOST_CHARACTERS:,} characters",
    f"stopped {runner.STOPS_ALLOWED} times",
    f"{definitions.MOST_PATTERNS} patterns, {definitions.MOST_CHARACTERS:,} characters per query, "
    f"{evaluate.MOST_ITEMS:,} items and {evaluate.MOST_LINKS:,} links per pattern and page",
    f"the sandbox: {runner.RESULT_SECONDS:g} seconds",
]


def test_every_test_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:\w+/)*test_\w+)`", PAGE))
    assert len(named) > 30
    assert [name for name in sorted(named) if not (TESTS / f"{name}.py").is_file()] == []


def test_every_row_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.endswith("| test |")]
    assert [row for row in rows if not re.search(r"test_\w+` \|$", row)] == []


@pytest.mark.parametrize("cap", CAPS)
def test_its_numbers_are_those_of_the_code(cap: str) -> None:
    assert cap in PAGE


def test_links_of_a_page() -> None:
    body = "".join(f'<a href="/{number}">x</a>' for number in range(links.MAX_LINKS + 10))
    assert len(extract(body.encode(), base="http://a.example/").links) == links.MAX_LINKS


def test_shapes_of_a_host() -> None:
    """Words that are letters alone are no numbers, so every URL has a shape of its own."""
    session = CrawlSession(policy="sundog", budget=1)
    words = [f"{first}{second}{third}" for first in "abcdefgh" for second in "ijklmnop" for third in "qrstuvwx"]
    session.add([f"http://a.example/{word}/list/{word}.html" for word in words])
    arms = session.chooser._hierarchy.templates.counts[0]  # type: ignore[attr-defined]
    assert len(words) > arms == templates.TEMPLATES_A_HOST + templates.SHARED


def test_matches_of_a_pattern() -> None:
    body = b"<p>x<a href=/y>y</a>" * (evaluate.MOST_LINKS + 10)
    patterns = Patterns(
        data=(DataPattern(name="text", find="//p"),), link=(LinkPattern(name="more", find="//a"),), seconds=60.0
    )
    with PatternRunner(patterns) as pattern_runner:
        found = pattern_runner.apply(Subject("http://a.example/", body))
    assert len(found.items["text"]) == evaluate.MOST_ITEMS
    assert sum(map(len, found.links.values())) <= evaluate.MOST_LINKS
    assert any("items on this page" in fault for _, fault in found.faults)


def test_the_number_of_patterns() -> None:
    many = tuple(DataPattern(name=f"p{number}", find="//p") for number in range(definitions.MOST_PATTERNS + 1))
    with pytest.raises(UsageError, match="at most 64"):
        Patterns(data=many).check()
