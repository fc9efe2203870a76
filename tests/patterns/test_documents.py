"""Every page becomes a document that is well-formed, whatever is on it."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.patterns.crawl_view import CrawlView
from sundog.patterns.document import PageDocument
from tests.patterns.pages import data, items

STRANGE = """<!DOCTYPE html><?php echo 1 ?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:fb="http://x" lang=en>
<title>a&nbsp;b \x01\x0b\ufffe c</title><script>if (a<b && c>d) { x="</p>"; ]]> }</script>
<body @click="x" :bind=1 v-on:click="y" a"b='1' 1x=2 <p= x:y:z=3 xmlns=foo xml:lang=fr lang=de title="a xmlns="
 class="b" a:b=1 a_b=2><!-- a -- b ---><fb:like a:b=1>q</fb:like><o:p:q>r</o:p:q><1x>n</1x><a$b>m</a$b>
<xmlns:x>8</xmlns:x>
<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#a" href="#b"/></svg><math><mi>x</mi></math>
<p>\x00&#x1;&#xFFFF; text a:b="c" xmlns="d" \U0001f600<textarea><x></textarea>"""
PIECES = st.sampled_from(
    ["<a:b ", "<p ", ">", "</a:b>", "xmlns:a='1' ", 'xmlns="2" ', "x:y=1 ", '"', "'", "<!--", "-->", "<?p ?>",
     " a=b ", "<svg>", "\x01", "&amp;", "&x;", "]]>", "<![CDATA[", "text ", "<!DOCTYPE x>", "=", "/>",
     "é", "<table><td>"]
)  # fmt: skip


def well_formed(page: str) -> ElementTree.Element:
    document = PageDocument("http://a.example/", page.encode("utf-8", "replace"), "text/html", "", CrawlView())
    return ElementTree.fromstring(document.xml)


def test_a_strange_page() -> None:
    root = well_formed(STRANGE)
    assert root.tag == "html"
    body = root.find("body")
    assert body is not None
    assert body.attrib["class"] == "b"
    assert body.attrib["xml_lang"] == "fr"
    assert {"a_b", "a_b_"} <= set(body.attrib)
    assert body.find("fb_like") is not None
    assert 'text a:b="c" xmlns="d"' in "".join(root.itertext())
    assert all(":" not in element.tag and "{" not in element.tag for element in root.iter())


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_page(page: str) -> None:
    well_formed(page)


@pytest.mark.parametrize("engine", ["xpath", "css", "xpath3", "xquery"])
def test_all_engines_take_it(engine: str) -> None:
    assert items(data(engine, "title" if engine == "css" else "//title"), STRANGE) == [{"text": "a b c"}]


@pytest.mark.parametrize("page", ["", "\x00", "plain text", "<", "<p" * 2000, "<b>" * 3000])
def test_what_is_hardly_a_page(page: str) -> None:
    well_formed(page)
