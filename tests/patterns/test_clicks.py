"""From clicked elements to patterns: what is of one kind, what is a list, what is followed."""

from __future__ import annotations

import pytest

from sundog.errors import UsageError
from sundog.patterns.example import Click, guess, guess_clicked_links, guess_clicks, page_tree
from sundog.patterns.example.clicks import elements_found, nodes_of, structure_of
from sundog.patterns.example.guess import Guess
from sundog.patterns.example.kinds import of_one_kind
from sundog.patterns.example.links import link_to
from sundog.patterns.example.next_page import next_page
from sundog.patterns.example.tree import Node, elements, text_of

URL = "http://a.example/list"
TITLES = ("1984", "Dune: Part Two", "Ubik", "Star Wars: A New Hope")
BOOKS = "".join(
    f'<div class="col-4{" featured" if at == 1 else ""}"><p><a href="/b/{at}">{title}</a></p>'
    f"<p>by <i>Author {at}</i></p>"
    f"<p>{at},50 €</p><img src=/c{at}.jpg alt='' width=40></div>"
    for at, title in enumerate(TITLES)
)
SHOP = (
    f"<ul><li><a href=/>Home</a><li><a href=/about>About</a></ul><div id=books>{BOOKS}</div>"
    "<ol><li><a href=?1>1</a><li><a href=?2>2</a><li><a href=?2>Nächste Seite »</a></ol>"
)
FACTS = "<table><tr><th>State<td>Bavaria<tr><th>Capital<td>Munich<tr><th>River<td>Isar</table>"
LABELLED = "<p><b class=label>Height</b> <i>1</i></p><p><b class=label>Width</b> <i>2</i></p>"
CITIES = "<table><tr><th>City<th>State<tr><td>Ulm<td>Baden<tr><td>Fürth<td>Bavaria<tr><td>Hof<td>Bavaria</table>"


def tree(body: str) -> Node:
    return page_tree(f"<title>T</title><body>{body}".encode(), URL, "text/html")


def numbers(page: Node, *texts: str) -> list[int]:
    """Of the smallest elements with these texts, the first of them."""
    every = elements(page)
    smallest = [max(upto for upto, node in enumerate(every) if text_of(node) == text) for text in texts]
    return smallest


def clicked(body: str, *texts: str, **options: str) -> Guess:
    page = tree(body)
    return guess_clicks(page, [Click(number) for number in numbers(page, *texts)], **options)  # type: ignore[arg-type]


def test_two_of_a_kind_are_a_list() -> None:
    guessed = clicked(SHOP, "1984", "Ubik")
    assert guessed.records is not None
    (field,) = guessed.fields
    assert field.best.matches == TITLES
    assert (field.type, list(field.numbers)) == ("text", [0, 1])


def test_fields_of_several_cards_are_those_of_one_list() -> None:
    guessed = clicked(SHOP, "Ubik", "Author 1", "3,50 €")
    assert guessed.records is not None
    assert [field.best.matches for field in guessed.fields] == [
        TITLES,
        tuple(f"Author {at}" for at in range(4)),
        tuple(f"{at},50 €" for at in range(4)),
    ]
    assert [field.type for field in guessed.fields] == ["text", "text", "number"]


def test_what_is_around_several_cards_is_no_card() -> None:
    """As in blogs whose posts stand in one of many boxes of no name."""
    post = (
        "<div class=post><h2>Post {0}</h2><p>April {0}, 2007 @ 10:1{0} pm</p><p><a href=/t>Tag {0}</a></p></div>"
    )
    boxes = f"<div><div>a</div></div><div>{''.join(post.format(at) for at in range(1, 6))}</div>"
    body = f"<div>{boxes}<div><div>b</div></div><div><p>c</p></div></div>"
    guessed = clicked(body, "Post 1", "Tag 3", "April 2, 2007 @ 10:12 pm")
    assert guessed.records is not None
    assert len(guessed.records.nodes) == 5
    assert [len(field.best.matches) for field in guessed.fields] == [5, 5, 5]


def test_an_image_is_taken_by_its_address() -> None:
    page = tree(SHOP)
    image = next(number for number, node in enumerate(elements(page)) if node.tag == "img")
    guessed = guess_clicks(page, [Click(image), *map(Click, numbers(page, "1984"))])
    assert guessed.fields[0].best.matches == tuple(f"/c{at}.jpg" for at in range(4))
    assert guessed.fields[0].type == "url"


def test_the_user_says_what_an_item_is() -> None:
    assert clicked(SHOP, "1984", item="page").records is None
    assert clicked(FACTS, "Bavaria", "Munich").records is None
    rows = clicked(FACTS, "Bavaria", item="part").records
    assert rows is not None
    assert len(rows.nodes) == 3
    with pytest.raises(UsageError, match="no repeated part"):
        clicked(f"<h1>Old</h1>{FACTS}", "Old", item="part")


@pytest.mark.parametrize(
    ("body", "first", "second", "same"),
    [
        (FACTS, "Bavaria", "Isar", False),
        (CITIES, "Ulm", "Hof", True),
        (CITIES, "Ulm", "Baden", False),
        (CITIES, "Fürth", "Baden", False),
        ("<dl><dt>Area<dd>one<dt>Range<dd>two</dl>", "one", "two", False),
        ("<ul><li>one<li>two</ul>", "one", "two", True),
        ("<ul><li>Area: one<li>Range: two</ul>", "Area: one", "Range: two", False),
        ("<div><b class=name>x</b><b class=price>y</b></div>", "x", "y", False),
        ("<div><p>x</p><p>y</p></div>" * 3, "x", "y", False),
        (LABELLED, "1", "2", False),
        (SHOP, "1984", "Dune: Part Two", True),
        (SHOP, "1984", "Home", False),
    ],
)
def test_what_is_of_one_kind(body: str, first: str, second: str, same: bool) -> None:
    page = tree(body)
    assert of_one_kind(*nodes_of(page, numbers(page, first, second))) is same


def test_words_of_one_kind_are_one_field_too() -> None:
    guessed = guess(tree(SHOP), ["1984", "Ubik", "3,50 €"])
    assert [list(field.numbers) for field in guessed.fields] == [[0, 1], [2]]
    assert len(guess(tree(SHOP), ["a=1984", "b=Ubik"], "xpath").fields) == 2


def test_links_by_clicks() -> None:
    page = tree(SHOP)
    found = guess_clicked_links(page, nodes_of(page, numbers(page, "1984", "Nächste Seite »", "Ubik")))
    assert [(link.name, list(link.numbers)) for link in found] == [("next-page", [1]), ("to-books", [0, 2])]
    assert found[1].matches == TITLES
    with pytest.raises(UsageError, match="is no link"):
        guess_clicked_links(page, nodes_of(page, numbers(page, "Author 1")))


@pytest.mark.parametrize(
    "words", ["Next", "next »", "Weiter", "Page suivante", "Older posts", "下一页", "次へ", "›"]
)
def test_next_pages_in_many_languages(words: str) -> None:
    page = tree(f"<p><a href=?1>1</a> <a href=?2>2</a> <a href=?2>{words}</a>")
    find = next_page(page)
    if words == "Page suivante":  # the word must come first
        assert not find
    else:
        assert [text_of(node) for node in page.xpath(find) if isinstance(node, Node)] == [words]  # type: ignore[union-attr]


def test_the_link_to_a_page() -> None:
    page = tree("<a href=/x>X</a><a href=/old>Old name</a><a href=/moved>Munich</a>")
    assert text_of(link_to(page, URL, {"http://a.example/old", "http://a.example/new"}, "") or page) == "Old name"
    assert text_of(link_to(page, URL, {"http://a.example/new"}, "Munich") or page) == "Munich"
    assert link_to(page, URL, {"http://a.example/new"}, "") is None


def test_numbers_are_those_of_the_same_structure() -> None:
    assert structure_of(tree("<p>a</p>")) == structure_of(tree("<p>b</p>")) != structure_of(tree("<i>a</i>"))
    with pytest.raises(UsageError, match="show it again"):
        nodes_of(tree("<p>a"), [99])
    with pytest.raises(UsageError, match="nothing to take"):
        guess_clicks(tree("<p></p>"), [Click(4)])


def test_where_a_field_is_found() -> None:
    page = tree(SHOP)
    guessed = guess_clicks(page, [Click(number) for number in numbers(page, "1984", "Ubik")])
    assert [text_of(node) for node in elements_found(page, guessed.fields[0], guessed.records)] == list(TITLES)
