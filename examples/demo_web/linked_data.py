"""Documents of Linked Data hosts: Turtle or JSON-LD, whose names lead to more of them."""

from __future__ import annotations

import json

from .dice import Dice
from .site import Item, Site

_PREFIXES = """@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""


def document(site: Site, item: Item, friends: list[Site]) -> str:
    dice = site.item_dice(item.number)
    me, kin = resource(site, item), [resource(site, dice.pick(site.items)) for _ in range(4)]
    others = [other for other in friends if other.plan.kind == "data"]
    see = [_elsewhere(dice.pick(others), dice)] if others else []
    if site.document(item).endswith("ttl"):
        return _turtle(site, item, me, kin, see)
    return json.dumps({
        "@context": {"@vocab": "http://purl.org/dc/terms/", "relation": {"@type": "@id"}, "seeAlso": {
            "@id": "http://www.w3.org/2000/01/rdf-schema#seeAlso", "@type": "@id"}},
        "@id": me, "@type": f"http://schema.org/{site.types['record']}", "title": item.title, "issued": item.day,
        "relation": kin, "seeAlso": see,
    })  # fmt: skip


def resource(site: Site, item: Item) -> str:
    """The name of the thing itself; who asks for it is sent to its page or its document."""
    return f"{site.root}/resource/{1000 + item.number}"


def _elsewhere(site: Site, dice: Dice) -> str:
    return resource(site, dice.pick(site.items))


def _turtle(site: Site, item: Item, me: str, kin: list[str], see: list[str]) -> str:
    lines = [
        f"<{me}> a schema:{site.types['record']} ;",
        f'  dct:title "{item.title}"@{site.plan.language.code} ;',
        f'  dct:issued "{item.day}" ;',
        f'  dct:creator [ a foaf:Person ; foaf:name "{site.authors[item.author]}" ] ;',
        f"  foaf:page <{site.root}{item.path}> ;",
        *[f"  rdfs:seeAlso <{other}> ;" for other in see],
        f"  dct:relation {', '.join(f'<{other}>' for other in kin)} .",
    ]
    return _PREFIXES + "\n".join(lines) + "\n"
