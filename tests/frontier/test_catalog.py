"""From URL bytes to hosts, tokens and shapes."""

from __future__ import annotations

import numpy as np
import pytest

from sundog.frontier.catalog import Catalog, StringTable
from sundog.frontier.facts import ABOVE, COARSE, DIRECTORY, FINE, LAST_FOUR, LAST_TWO, WHOLE
from sundog.urls.tokens import MOST_PATH_TOKENS, MOST_TOKENS, java_hash

SITE = "http://shop.example"


def keeps_tokens() -> Catalog:
    catalog = Catalog()
    catalog.keep_tokens()
    return catalog


def tokens_of(url: str) -> list[int]:
    catalog = keeps_tokens()
    (row,) = catalog.add([url])
    facts = catalog.facts
    return facts.tokens[facts.token_start[row] : facts.token_start[row + 1]].tolist()


def same(column: int, one: str, other: str) -> bool:
    catalog = Catalog()
    a, b = catalog.add([one, other])
    return bool(catalog.facts.shape[a, column] == catalog.facts.shape[b, column])


# --- strings


def test_strings_keep_their_ids_while_the_table_grows(rng: np.random.Generator) -> None:
    table, ids = StringTable(), {}
    for _ in range(60):
        words = [f"wörd {number}" for number in rng.integers(3000, size=100).tolist()]
        for word, index in zip(words, table.intern(words).tolist(), strict=True):
            assert ids.setdefault(word, index) == index
    assert sorted(ids.values()) == list(range(len(ids)))
    assert len(table) == len(ids)
    assert all(table[index] == word for word, index in ids.items())


def test_strings_that_are_prefixes_of_each_other_or_empty() -> None:
    table = StringTable()
    assert table.intern(["", "a", "ab", "", "a\x00", "a"]).tolist() == [0, 1, 2, 0, 3, 1]
    assert [table[i] for i in range(4)] == ["", "a", "ab", "a\x00"]


# --- hosts


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://a.example/x", "a.example"),
        ("https://a.example", "a.example"),
        ("http://a.example?q=http://b.example/", "a.example"),
        ("http://a.example#x", "a.example"),
        ("http://a.example:8080/x", "a.example:8080"),
        ("http://user:secret@a.example/x@y", "a.example"),
        ("http://münchen.example/", "münchen.example"),
        ("/path?u=http://b.example/", ""),
        ("no url", ""),
        ("", ""),
        ("http://", ""),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    catalog = Catalog()
    catalog.add(["http://first.example/", url])
    assert catalog.host_name(int(catalog.facts.host[1])) == host


def test_hosts_have_dense_ids_in_order_of_appearance() -> None:
    catalog = Catalog()
    catalog.add([f"http://h{i % 500}.example/{i}" for i in range(2000)])
    assert catalog.hosts == 500
    assert catalog.facts.host[:2000].tolist() == [i % 500 for i in range(2000)]
    assert [catalog.host_name(i) for i in range(500)] == [f"h{i}.example" for i in range(500)]


def test_urls_one_at_a_time_or_all_at_once_are_the_same() -> None:
    urls = [f"http://h{i % 13}.example/dir{i % 3}/page-{i}.html?id={i}" for i in range(300)]
    once, singly = Catalog(), keeps_tokens()
    once.add(urls)
    assert len(once.facts.tokens) == 0  # nobody has asked for them
    once.keep_tokens()
    for url in urls:
        singly.add([url])
    for name in ("host", "shape", "token_start", "path_start"):
        assert np.array_equal(getattr(once.facts, name)[:300], getattr(singly.facts, name)[:300])
    end = once.facts.token_start[300]
    assert np.array_equal(once.facts.tokens[:end], singly.facts.tokens[:end])


# --- tokens


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://www.example.org/some-Page", ["http", "www", "example", "org", "some", "Page"]),
        ("http://ab.example.org/x/yz/abc", ["http", "example", "org", "abc"]),
        ("http://a.example/2014/123/12", ["http", "example", "[NUMBER]"]),
        ("http://a.example/p2014x", ["http", "example", "p2014x"]),
        ("http://example.example/example", ["http", "example"]),
        ("", []),
    ],
)
def test_tokens_are_the_papers(url: str, words: list[str]) -> None:
    assert tokens_of(url) == [java_hash(word) for word in words]


def test_an_endless_url_has_an_end() -> None:
    catalog = keeps_tokens()
    catalog.add(["http://a.example/" + "/".join(f"word{i}x" for i in range(20_000)), "http://a.example/last"])
    assert np.diff(catalog.facts.token_start[:3]).tolist() == [MOST_TOKENS, 3]
    assert np.diff(catalog.facts.path_start[:3]).tolist() == [MOST_PATH_TOKENS, 1]


# --- shapes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/product/123", "/product/98765"),
        ("/product/123.html", "/product/4.html"),
        ("/blog/how-to-do-it", "/blog/another-slug-for-you"),
        ("/shop/a12/x", "/shop/b7/y"),
        ("/item?id=1&lang=de", "/item?id=77&lang=en"),
        ("/item?id=1&lang=de", "/item?lang=en&id=5"),
        ("/item/1#reviews", "/item/2#top"),
        ("/2014/03/11/some-long-title", "/2013/12/24/an-other-title"),
    ],
)
def test_pages_of_one_template_have_one_shape(one: str, other: str) -> None:
    assert same(FINE, SITE + one, SITE + other)
    assert same(COARSE, SITE + one, SITE + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/product/123", "/category/123"),
        ("/product/123", "/product/some-long-slug"),
        ("/product/123.html", "/product/123.pdf"),
        ("/product/123", "/product/123/"),
        ("/item?id=1", "/item?page=1"),
        ("/item?id=1", "/item"),
        ("/a/123", "/123"),
    ],
)
def test_pages_of_different_templates_differ(one: str, other: str) -> None:
    assert not same(FINE, SITE + one, SITE + other)


def test_the_coarse_shape_tells_apart_the_first_directory_only() -> None:
    one, other = SITE + "/shop/red/12", SITE + "/shop/blue/34"
    assert same(COARSE, one, other)
    assert not same(FINE, one, other)
    assert not same(COARSE, one, SITE + "/blog/red/12")


def test_directories() -> None:
    assert same(DIRECTORY, SITE + "/a/b/1", SITE + "/a/b/2?x=1")
    assert not same(DIRECTORY, SITE + "/a/b/1", SITE + "/a/c/1")
    assert same(ABOVE, SITE + "/a/b/1", SITE + "/a/c/1")
    assert not same(DIRECTORY, SITE + "/a/1", "http://other.example/a/1")


# --- link texts


def test_tag_paths_of_one_template_are_alike() -> None:
    catalog = Catalog()
    paths = ["html body div#x1 ul.nav.top li a", "html body div#x2 ul.nav.low li a", "html body ul.nav li b", ""]
    one, two, three, none = catalog.text_ids(paths).tolist()
    hashes = catalog.facts.text_hash
    assert none == -1
    assert hashes[one, LAST_FOUR] == hashes[two, LAST_FOUR] != hashes[three, LAST_FOUR]
    assert hashes[one, LAST_TWO] == hashes[two, LAST_TWO] != hashes[three, LAST_TWO]
    assert hashes[one, WHOLE] != hashes[three, WHOLE]


def test_numbers_in_texts_are_folded() -> None:
    catalog = Catalog()
    one, two, three = catalog.text_ids(["Page 3 of 17", "page 12 of 4", "page of"]).tolist()
    hashes = catalog.facts.text_hash[:, WHOLE]
    assert hashes[one] == hashes[two] != hashes[three]
