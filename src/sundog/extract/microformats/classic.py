"""The classic microformats in the terms of microformats2: which classes are roots, and what their properties mean.

A classic class has a meaning only inside the root that defines it: ``title`` is a job title in an hCard and
nothing in an hCalendar event. Each table lists microformats2 properties; ``p-name=fn`` says that the classic
class differs from the name. Some properties are link relations instead of classes (``rel=tag``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

ROOTS = {
    "adr": "h-adr",
    "geo": "h-geo",
    "hentry": "h-entry",
    "hfeed": "h-feed",
    "hlisting": "h-listing",
    "hnews": "h-news",
    "hproduct": "h-product",
    "hrecipe": "h-recipe",
    "hresume": "h-resume",
    "hreview": "h-review",
    "hreview-aggregate": "h-review-aggregate",
    "vcard": "h-card",
    "vevent": "h-event",
}
LONGEST = 4_000  # characters of a class or rel attribute that is read; no author writes longer ones
ITEM = "item"  # a root too, but only where it is a property of the format around it

_ADDRESS = "p-post-office-box p-street-address p-extended-address p-locality p-region p-postal-code p-country-name"
_PLACE = "p-latitude p-longitude"

_CLASSES = {
    "h-adr": _ADDRESS,
    "h-card": f"""p-name=fn p-given-name p-family-name p-additional-name p-honorific-prefix p-honorific-suffix
        p-nickname p-sort-string p-org p-organization-name p-organization-unit p-job-title=title p-role p-agent
        p-adr p-label p-geo p-tel p-tz p-note p-category p-class p-key p-mailer u-email u-url u-uid u-photo u-logo
        u-sound dt-bday dt-rev {_ADDRESS} {_PLACE}""",
    "h-entry": f"""p-name=entry-title p-summary=entry-summary e-content=entry-content p-author p-category
        dt-published dt-updated dt-published=entry-date p-geo {_PLACE}""",
    "h-event": f"""p-name=summary dt-start=dtstart dt-end=dtend dt-duration=duration p-description u-url p-category
        p-location p-geo p-attendee p-contact p-organizer p-status u-uid u-attach {_PLACE}""",
    "h-feed": "p-name=site-title p-summary=site-description p-author p-category u-url u-photo",
    "h-geo": _PLACE,
    "h-item": "p-name=fn u-url u-photo",
    "h-listing": """p-name=summary e-description=description p-lister dt-listed=dtlisted dt-expired=dtexpired
        p-location p-price p-item u-url u-photo""",
    "h-news": f"p-entry p-source-org p-dateline p-geo {_PLACE} u-item-license u-principles",
    "h-product": """p-name=fn u-photo u-url p-brand p-category p-description u-identifier p-review p-price
        p-listing""",
    "h-recipe": """p-name=fn p-ingredient p-yield e-instructions dt-duration u-photo p-summary p-author
        dt-published p-nutrition p-category""",
    "h-resume": "p-summary p-contact p-education p-experience p-skill p-affiliation",
    "h-review": """p-name=summary p-name=fn p-item p-author=reviewer dt-reviewed=dtreviewed p-rating p-average
        p-best p-worst e-content=description u-url u-photo""",
    "h-review-aggregate": """p-name=summary p-name=fn p-item p-rating p-average p-best p-worst p-count p-votes
        u-url u-photo""",
}
_RELATIONS = {
    "h-card": "p-category=tag",
    "h-entry": "u-url=bookmark p-category=tag u-author=author",
    "h-event": "p-category=tag",
    "h-feed": "p-category=tag",
    "h-listing": "p-category=tag u-url=bookmark",
    "h-news": "u-item-license u-principles",
    "h-product": "p-category=tag",
    "h-recipe": "p-category=tag",
    "h-review": "p-category=tag u-url=bookmark",
    "h-review-aggregate": "p-category=tag u-url=bookmark",
}
# Used only where nothing better says the same: old themes mark the date and link the author besides.
_FALLBACKS = {"entry-date", "rel=author"}


class Property(NamedTuple):
    """A property class: ``prefix`` is p, u, dt or e and says how the value is read."""

    prefix: str
    name: str
    fallback: bool = False
    tag: bool = False  # from rel=tag: the value is the last segment of the link's path


def _table(words: str, kind: str = "") -> dict[str, Property]:
    table = {}
    for word in words.split():
        target, _, source = word.partition("=")
        prefix, _, name = target.partition("-")
        source = kind + (source or name)
        table[source] = Property(prefix, name, source in _FALLBACKS, source == "rel=tag")
    return table


PROPERTIES = {root: _table(words) | _table(_RELATIONS.get(root, ""), "rel=") for root, words in _CLASSES.items()}
WORDS = frozenset(ROOTS).union(*PROPERTIES.values())  # all classes that mean something in some format


@lru_cache(maxsize=8192)
def classic_properties(classes: str, rel: str, types: tuple[str, ...]) -> tuple[Property, ...]:
    """What an element with these classes and relations says about an item of these types; a name at most once.

    >>> [p.name for p in classic_properties("fn org", "", ("h-card",))]
    ['name', 'org']
    """
    sources = classes.split() + ["rel=" + word for word in rel.lower().split()]
    found: dict[str, Property] = {}
    for root in types:
        table = PROPERTIES.get(root, {})
        for source in sources:
            if source in table:
                found.setdefault(table[source].name, table[source])
    return tuple(found.values())
