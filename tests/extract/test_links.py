"""Links of pages and statements, and the text around them."""

from __future__ import annotations

import pickle

from sundog.extract import extract
from sundog.extract.statement_links import MOST_PROPERTIES, Follow
from sundog.model import Link

URL = "http://example.com/dir/page.html"


def links(body: str) -> list[str]:
    return [link.url for link in extract(body.encode(), base=URL, syntaxes=[]).links]


def test_every_link_that_can_be_followed() -> None:
    body = (
        "<link rel=canonical href=c><link rel=stylesheet href=s><link rel=alternate type=text/turtle href=d.ttl>"
        "<link rel=next href='?p=2'><meta http-equiv=Refresh content=\"5; URL='/new'\">"
        "<a href=a>A</a><map><area href=b></map><iframe src=i></iframe><img src=x srcset='y 2x'>"
        "<a href=#f>same page</a><a href=mailto:x>m</a><a href='javascript:x'>j</a><a>none</a>"
        "<svg><a xlink:href=v>V</a></svg>"
    )
    assert links(body) == [f"http://example.com{path}" for path in (
        "/dir/c", "/dir/d.ttl", "/dir/page.html?p=2", "/new", "/dir/a", "/dir/b", "/dir/i", "/dir/v"
    )]  # fmt: skip


def test_links_are_in_document_order_wherever_they_stand() -> None:
    assert links("<link rel=next href=1><a href=2>A</a><link rel=prev href=3><a href=4>B</a>") == [
        f"http://example.com/dir/{number}" for number in (1, 2, 3, 4)
    ]


def test_what_is_in_scripts_is_no_link_also_if_they_are_elements_of_svg() -> None:
    body = "<a href=1>A</a><svg><script><a href=2>B</a></script><a href=3>C</a></svg><script><a href=4></script>"
    assert links(body) == ["http://example.com/dir/1", "http://example.com/dir/3"]


def test_what_surrounds_a_link() -> None:
    body = (
        "<div id=main42 class='wide big'><script>not text</script><p>Some words before"
        "<a href=x rel='nofollow next'> the <b>anchor</b></a>, and after.</p></div>"
    )
    (link,) = extract(body.encode(), base=URL).links
    assert (link.before, link.anchor, link.after) == ("Some words before", "the anchor", ", and after.")
    assert link.tag_path == "html body div#main0.big.wide p a"
    assert (link.rel, link.nofollow, link.position) == ("nofollow next", True, 0)


def test_the_root_is_named_in_tag_paths_too() -> None:
    body = b'<html class="no-js" id="top"><body class=""><a class="more" href="/x">x</a>'
    (link,) = extract(body, base=URL).links
    assert link.tag_path == "html#top.no-js body a.more"


def test_context_is_about_100_characters() -> None:
    (link,) = extract(f"{'before ' * 50}<a href=x>y</a>{' after' * 50}".encode(), base=URL).links
    assert 90 <= len(link.before) <= 100
    assert 90 <= len(link.after) <= 100


def test_the_text_around_a_link_outlives_the_extraction() -> None:
    body = b"<p>one <a href=x>two</a> three</p><template><a href=t>no</a></template><p>four <a href=y>five</a></p>"
    first, second = extract(body, base=URL).links
    assert (first.before, first.after) == ("one", "three four five")
    assert (second.before, second.after) == ("one two three four", "")


def test_links_of_the_same_page_are_equal_and_can_be_sent_elsewhere() -> None:
    body = b"<p>one <a href=x>two</a> three</p>"
    (link,), (same,) = extract(body, base=URL).links, extract(body, base=URL).links
    assert link == same
    assert hash(link) == hash(same)
    assert pickle.loads(pickle.dumps(link)) == link
    (other,) = extract(body.replace(b"three", b"four"), base=URL).links
    assert link != other


def test_an_image_speaks_for_a_link_without_text() -> None:
    assert extract(b"<a href=x><img alt='a cat'></a>", base=URL).links[0].anchor == "a cat"


def test_a_page_may_forbid_to_follow() -> None:
    assert extract(b"<meta name=robots content='noindex, NoFollow'><a href=x>y</a>", base=URL).links[0].nofollow


def test_base_counts_for_links() -> None:
    assert links("<base href='http://b.example/x/'><a href=y>y</a>") == ["http://b.example/x/y"]


def test_uris_in_statements_are_links_with_their_property() -> None:
    body = b"<p itemscope itemtype=http://schema.org/Person><link itemprop=knows href=/bob></p>"
    (link,) = [link for link in extract(body, base=URL).links if link.property]
    assert (link.url, link.property) == ("http://example.com/bob", "http://schema.org/knows")
    turtle = b"<#a> <http://v.example/p> <http://w.example/b> ; a <http://v.example/T> ."
    found = extract(turtle, base=URL, content_type="text/turtle").links
    assert [(link.url, link.property) for link in found] == [("http://w.example/b", "http://v.example/p")]


def test_links_have_all_their_fields() -> None:
    """They are made as bare tuples, which nothing checks."""
    (link,) = extract(b'<a href="/x">x</a>', base="http://a.example/").links
    assert len(link) == len(Link._fields)
    assert link._replace(url="y").url == "y"


def test_uris_of_statements_with_all_their_properties() -> None:
    """A link for each property that connects a target, from the page's own graph or from its statements."""
    page = b"""<a href=/o>o</a><div about=/s><span rel=http://v.example/p resource=/o></span>
      <span rel=http://v.example/q resource=/o></span><span rel=http://v.example/q resource=/o2></span></div>"""
    found = extract(page, base=URL).find_links(follow=Follow(frozenset({"subjects", "objects"})))
    names = {(link.url[18:], link.property[17:]) for link in found}
    assert names == {("/o", "p"), ("/o", "q"), ("/o2", "q"), ("/s", "p"), ("/s", "q")}
    assert [link.anchor for link in found if link.anchor] == ["o"]
    assert [link.position for link in found] == list(range(len(found)))


def test_properties_of_a_target_are_bounded() -> None:
    lines = "".join(f"<http://a.example/s> <http://v.example/{n}> <http://a.example/o> .\n" for n in range(99))
    found = extract(lines.encode(), base=URL, content_type="application/n-triples")
    assert len(found.find_links(follow=Follow(frozenset({"objects"})))) == MOST_PROPERTIES
    assert len(found.links) == 1


def test_links_of_pages_may_be_left_out() -> None:
    page = b"""<link rel="alternate" type="text/turtle" href=/d><a href=/p>p</a><a href=/all.nt.gz?v=1>data</a>
      <a href=/o>o</a><div about=#s><span rel=http://v.example/p resource=/o></span></div>"""
    found = extract(page, base=URL).find_links(follow=Follow(frozenset({"objects"}), page_links=False))
    assert [link.url[18:] for link in found] == ["/d", "/all.nt.gz?v=1", "/o"]
