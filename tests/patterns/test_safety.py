"""A pattern reads no file, no environment and no network, ends in time, and takes nothing down with it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from sundog.errors import SundogError, UsageError
from sundog.patterns.definitions import DataPattern, Patterns, ResultPattern, StopPattern
from sundog.patterns.runner import Found, PatternRunner, ResultRunner, Subject
from tests.patterns.pages import CITY, URL, apply, data, links

SECRET = "the-secret-of-this-machine"
ENDLESS = "declare function local:f($n) { local:f($n + 1) + 1 }; local:f(1)"
SLOW = "sum(for $a in 1 to 2000000000 return $a mod count(//p))"
HUGE = "let $s := string-join((1 to 100000) ! 'xxxxxxxxxx') return string-join((1 to 100000) ! concat($s, .))"


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "secret.xml"
    path.write_text(f"<secret>{SECRET}</secret>")
    (tmp_path / "module.xq").write_text(f"module namespace m = 'urn:m'; declare function m:f() {{ '{SECRET}' }};")
    monkeypatch.setenv("SECRET", SECRET)
    return path


def outcome(patterns: Patterns) -> str:
    """What a query gives, or its error."""
    try:
        return json.dumps(apply(patterns))
    except SundogError as error:
        return str(error)


@pytest.mark.parametrize(
    "query",
    [
        "doc('FILE')",
        "document-node()[doc('FILE')]/doc('FILE')",
        "string(doc-available('FILE'))",
        "unparsed-text('FILE')",
        "unparsed-text-lines('FILE')",
        "string(unparsed-text-available('FILE'))",
        "collection('FOLDER')",
        "collection('FOLDER?select=*.xml')",
        "uri-collection('FOLDER')",
        "json-doc('FILE')",
        "environment-variable('SECRET')",
        "available-environment-variables() ! environment-variable(.)",
        "parse-xml('<!DOCTYPE a [<!ENTITY x SYSTEM ''FILE''>]><a>&amp;x;</a>')",
        "parse-xml('<!DOCTYPE a SYSTEM ''FILE''><a/>')",
        "parse-xml-fragment('<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x SYSTEM ''FILE''>]><a>&amp;x;</a>')",
        "transform(map { 'stylesheet-location': 'FILE' })",
        "load-xquery-module('urn:m', map { 'location-hints': 'FOLDERmodule.xq' })",
        "Q{java:java.lang.System}getenv('SECRET')",
        "Q{http://saxon.sf.net/}system-id()",
        "unparsed-text(environment-variable('HOME') || '/.profile')",
    ],
)
def test_files_and_environment(query: str, secret: Path) -> None:
    query = query.replace("FILE", secret.as_uri()).replace("FOLDER", f"{secret.parent.as_uri()}/")
    shown = outcome(data("xquery", query))  # xpath3 is the same engine
    assert SECRET not in shown
    assert '"text": "true"' not in shown


@pytest.mark.parametrize(
    "query",
    [
        "import module namespace m = 'urn:m' at 'FOLDERmodule.xq'; m:f()",
        "declare variable $x external := doc('FILE'); $x",
        "declare base-uri 'FOLDER'; doc('secret.xml')",
        """transform(map { 'stylesheet-text': "<xsl:stylesheet version='3.0'
          xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template name='xsl:initial-template'>
          <xsl:copy-of select=&quot;document('FILE')&quot;/></xsl:template></xsl:stylesheet>" })?output""",
    ],
)
def test_modules_and_stylesheets(query: str, secret: Path) -> None:
    query = query.replace("FILE", secret.as_uri()).replace("FOLDER", f"{secret.parent.as_uri()}/")
    assert SECRET not in outcome(data("xquery", query))


PLACES = {
    "field": lambda query: data("xquery", "//h1", {"it": f"string(({query})[1])"}),
    "when": lambda query: Patterns(engine="xquery", data=(asked(DataPattern, query, f"'{SECRET}'"),)),
    "link": lambda query: links("xquery", query),
    "stop": lambda query: Patterns(engine="xquery", stop=(asked(StopPattern, query),)),
}


def asked(kind: Any, query: str, find: str = "") -> Any:
    more = {"find": find} if find else {}
    return kind(name="it", when=f"contains(string(({query})[1]), '{SECRET}')", **more)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "query",
    ["unparsed-text('FILE')", "doc('FILE')", "environment-variable('SECRET')", "apply(unparsed-text#1, ['FILE'])"],
)
def test_wherever_a_query_may_stand(place: str, query: str, secret: Path) -> None:
    shown = outcome(PLACES[place](query.replace("FILE", secret.as_uri())))
    assert SECRET not in shown
    assert '["it"]' not in shown
    seen = outcome(PLACES[place](f"'{SECRET}'"))
    assert SECRET in seen or '["it"]' in seen, "a query that could see it would show it"


@pytest.mark.parametrize("query", ["unparsed-text('FILE')", "doc('FILE')", "environment-variable('SECRET')"])
def test_results_see_the_crawl_alone(query: str, secret: Path) -> None:
    runner = ResultRunner(Patterns(result=ResultPattern(find=query.replace("FILE", secret.as_uri()))))
    try:
        shown = json.dumps(runner.run("<crawl/>"))
    except SundogError as error:
        shown = str(error)
    assert SECRET not in shown


STYLESHEET = """<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/">BODY</xsl:template></xsl:stylesheet>"""


def transformed(stylesheet: str, **settings: Any) -> str:
    """What a stylesheet makes of a crawl, or its error."""
    patterns = Patterns(result=ResultPattern(engine="xslt", find=stylesheet), **settings)
    runner = ResultRunner(patterns)
    try:
        runner.start()
        return json.dumps(runner.run("<crawl/>"))
    except SundogError as error:
        return str(error)


@pytest.mark.parametrize(
    "body",
    [
        """<xsl:copy-of select="doc('FILE')"/>""",
        """<xsl:copy-of select="document('FILE')"/>""",
        """<xsl:value-of select="unparsed-text('FILE')"/>""",
        """<xsl:value-of select="environment-variable('SECRET')"/>""",
        """<xsl:source-document href="FILE"><xsl:copy-of select="."/></xsl:source-document>""",
        """<xsl:evaluate xpath="'doc(''FILE'')'"/>""",
        """<xsl:copy-of select="transform(map { 'stylesheet-location': 'FILE', 'source-node': . })?output"/>""",
    ],
)
def test_stylesheets_see_the_crawl_alone(body: str, secret: Path) -> None:
    assert SECRET not in transformed(STYLESHEET.replace("BODY", body.replace("FILE", secret.as_uri())))
    assert SECRET in transformed(STYLESHEET.replace("BODY", f"<a>{SECRET}</a>")), "it would be shown"


def test_stylesheets_load_and_write_nothing(secret: Path) -> None:
    (secret.parent / "other.xsl").write_text(STYLESHEET.replace("BODY", SECRET))
    other = (secret.parent / "other.xsl").as_uri()
    for way in ("import", "include"):
        text = STYLESHEET.replace("<xsl:template", f'<xsl:{way} href="{other}"/><xsl:template', 1)
        assert "prohibited" in transformed(text)
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>{STYLESHEET.replace("BODY", "<a>&e;</a>")}'
    assert "prohibited" in transformed(entity)
    target = secret.with_name("written.xml")
    written = f'<xsl:result-document href="{target.as_uri()}"><x/></xsl:result-document>'
    assert "xsl:result-document is disabled" in transformed(STYLESHEET.replace("BODY", written))
    assert not target.exists()


def test_a_stylesheet_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.patterns.runner.RESULT_SECONDS", 3.0)
    endless = '<xsl:value-of select="sum(for $a in 1 to 2000000000 return $a mod (count(//crawl) + $a))"/>'
    assert "was stopped after 3 seconds" in transformed(STYLESHEET.replace("BODY", endless))


def test_nothing_is_written(secret: Path) -> None:
    target = secret.with_name("written.xml")
    outcome(
        data(
            "xquery",
            f"""transform(map {{ 'base-output-uri': '{target.as_uri()}', 'stylesheet-text':
            "<xsl:stylesheet version='3.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>
            <xsl:template name='xsl:initial-template'><xsl:result-document href='{target.as_uri()}'><x/>
            </xsl:result-document></xsl:template></xsl:stylesheet>" }})""",
        )
    )
    assert not target.exists()


@pytest.mark.parametrize(
    "query", ["document('FILE')", "doc('FILE')", "unparsed-text('FILE')", "id(document('FILE'))"]
)
def test_xpath_knows_no_documents(query: str, secret: Path) -> None:
    with pytest.raises(UsageError, match="unknown function"):
        apply(data("xpath", query.replace("FILE", secret.as_uri())))


def test_nobody_is_asked() -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    try:
        for query in (f"doc('{url}')", f"unparsed-text('{url}')", f"json-doc('{url}')", f"collection('{url}')"):
            outcome(data("xquery", query))
        outcome(data("sparql", f"SELECT * {{ SERVICE <{url}> {{ ?s ?p ?o }} }}"))
        outcome(data("sparql", f"SELECT * FROM <{url}> {{ ?s ?p ?o }}"))
        page = f'<!DOCTYPE html SYSTEM "{url}"><html><h1>x'
        for engine in ("xpath", "xquery"):
            apply(data(engine, "//h1"), page, content_type="application/xml")
    finally:
        server.shutdown()
        server.server_close()
    assert asked == []


def test_after_the_start_no_file_can_be_opened() -> None:
    """Whatever an engine may have left open."""
    program = """
import socket
from sundog.patterns.page_child import lock_down
lock_down()
for what in (lambda: open("/etc/hostname"), lambda: open("written", "w"), socket.socket):
    try:
        what()
    except OSError as error:
        print(error.strerror)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["Too many open files"] * 3


def test_service_is_refused() -> None:
    with pytest.raises(UsageError, match="SERVICE would reach the network"):
        apply(data("sparql", "SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }"))


@pytest.mark.parametrize("find", [ENDLESS, SLOW, HUGE], ids=["endless", "slow", "huge"])
def test_what_never_ends_is_ended(find: str) -> None:
    """The pattern beside it works all the same, and so does the next page."""
    bad = DataPattern(name="bad", engine="xquery", find=f"if (//h1) then {find} else ()")
    if find is ENDLESS:
        bad = replace(bad, find="declare function local:f($n) { local:f($n + 1) + 1 }; //h1 ! local:f(1)")
    good = DataPattern(name="good", engine="xquery", find="//h1")
    patterns = Patterns(data=(bad, good), seconds=0.5, memory=600)
    with PatternRunner(patterns) as runner:
        for _ in range(4):
            found = runner.apply(Subject(URL, CITY.encode()))
            assert found.items == {"good": [{"text": "Munich"}]}
        assert found.faults == []  # it was given up
        assert runner.apply(Subject(URL, b"<p>")) == Found({}, {}, [], [])


def test_a_slow_xpath_is_ended() -> None:
    slow = DataPattern(name="slow", find="//p[count(//p[count(//p[count(//p) > 0]) > 0]) > 0]")
    good = DataPattern(name="good", find="//h1")
    with PatternRunner(Patterns(data=(slow, good), seconds=0.5)) as runner:
        found = runner.apply(Subject(URL, b"<h1>x</h1>" + b"<p>" * 2000))
    assert found.items == {"good": [{"text": "x"}]}
    assert found.faults == [("slow", "was stopped after 0.5 seconds")]
