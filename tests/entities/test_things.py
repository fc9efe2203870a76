"""What becomes of a page's statements."""

from __future__ import annotations

import json
from typing import Any

from sundog import extract
from sundog.entities.things import MOST_NODES, PageStatements, Thing, things_of

URL = "https://shop.example/a/page.html"


def things(html: str, url: str = URL) -> list[Thing]:
    found = extract(html.encode(), base=url).by_syntax
    texts = {
        syntax: "".join(f"{s} {p} {o} .\n" for s, p, o, *_ in triples)
        for syntax, triples in found.items()
        if triples
    }
    return things_of(PageStatements(url, texts))


def jsonld(*items: Any) -> str:
    blocks = [{"@context": "https://schema.org", **item} for item in items]
    return "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)


def test_nested_things_are_in_the_tree_and_typed() -> None:
    (product, brand) = things(
        jsonld(
            {
                "@type": "Product",
                "name": "Tea &amp; pot",
                "sku": "0042",
                "image": "../pot.jpg",
                "brand": {"@type": "Brand", "name": "Acme"},
                "offers": {"@type": "Offer", "price": "1.299,00 €", "availability": "https://schema.org/InStock"},
                "additionalProperty": {"@list": ["c", "a", "b"]},
            }
        )
    )
    assert product.name == "Tea & pot"
    tree = product.tree
    assert (tree["sku"], tree["image"], tree["brand"]["name"]) == ("0042", "https://shop.example/pot.jpg", "Acme")
    assert {"price": 1299, "priceCurrency": "EUR", "availability": "InStock"}.items() <= tree["offers"].items()
    assert tree["additionalProperty"] == ["c", "a", "b"]
    assert (brand.nested, brand.types) == (True, ["http://schema.org/Brand"])


def test_texts_name_things_where_things_are_meant() -> None:
    (recipe,) = things(
        jsonld({"@type": "Recipe", "name": "Soup", "author": "Ada", "publisher": "https://a.example/"})
    )
    assert recipe.tree["author"] == {"name": "Ada"}
    assert recipe.tree["publisher"] == {"url": "https://a.example/"}


def test_urls_that_are_false_and_letters_that_are_hidden() -> None:
    """As plug-ins of WordPress write them."""
    (place,) = things(jsonld({"@type": "Place", "name": "A", "url": False, "email": "&#105;&#64;a.b"}))
    assert place.tree == {"@type": ["http://schema.org/Place"], "name": "A", "email": "i@a.b"}


def test_a_ring_of_things_ends() -> None:
    found = things(
        jsonld(
            {"@id": "#a", "@type": "WebPage", "name": "A", "isPartOf": {"@id": "#b"}},
            {"@id": "#b", "@type": "WebSite", "name": "B", "hasPart": {"@id": "#a"}},
        )
    )
    assert [thing.name for thing in found] == ["A", "B"]
    assert found[0].tree["isPartOf"]["hasPart"] == {"@id": f"{URL}#a", "name": "A"}


def test_a_tree_is_bounded() -> None:
    """Everything refers to everything: the paths are more than anybody could write down."""
    lines = [
        f'_:a{i} <http://schema.org/name> "{i}" .\n_:a{i} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> '
        "<http://schema.org/Thing> .\n"
        + "".join(f"_:a{i} <http://schema.org/about> _:a{j} .\n" for j in range(40))
        for i in range(40)
    ]
    found = things_of(PageStatements(URL, {"rdf": "".join(lines)}))
    assert len(found) == 40
    assert all(len(json.dumps(thing.tree)) < 200 * MOST_NODES for thing in found)


def test_no_value_is_a_blank_node() -> None:
    text = '_:x <http://schema.org/about> _:y .\n_:x <http://schema.org/name> "x" .\n'
    text += "_:x <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Thing> .\n"
    (thing,) = things_of(PageStatements(URL, {"rdf": text}))
    assert thing.tree == {"@type": ["http://schema.org/Thing"], "name": "x"}


def test_names_of_objects_prototypes_are_names() -> None:
    text = "".join(
        f'<http://a.example/x> <http://schema.org/{name}> "{name}" .\n' for name in ("constructor", "__proto__")
    )
    text += "<http://a.example/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Thing> .\n"
    (thing,) = things_of(PageStatements(URL, {"rdf": text}))
    assert thing.tree["constructor"] == "constructor"


def test_the_language_decides_what_a_point_means() -> None:
    german = '<div lang="de" itemscope itemtype="https://schema.org/Offer"><b itemprop="name">x</b>'
    (offer,) = things(f'{german}<b itemprop="price">1.299</b></div>')
    assert offer.tree["price"] == 1299
    (offer,) = things(f'{german.replace("de", "en", 1)}<b itemprop="price">1.299</b></div>')
    assert offer.tree["price"] == 1.299
