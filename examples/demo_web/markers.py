"""How a syntax annotates the elements of a template. One template, any syntax.

Each method gives the attributes of an element: its CSS class, and whatever the syntax adds.
"""

from __future__ import annotations

from .kinds import THINGS


class Marker:
    """No markup: CSS classes only. JSON-LD is so too, for it stands apart from the text."""

    hidden = False  # whether fields that nobody sees are written too

    def __init__(self, types: dict[str, str]) -> None:
        """``types`` are the site's schema.org types by thing."""
        self.types = types

    def item(self, thing: str, css: str, prop: str = "") -> str:
        """The element around an entity, which may be a property of another."""
        return f' class="{css}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        """The element whose text, time, link or picture is a property of a thing."""
        return f' class="{css}"'


class Microdata(Marker):
    hidden = True

    def item(self, thing: str, css: str, prop: str = "") -> str:
        of = f' itemprop="{prop}"' if prop else ""
        return f' class="{css}"{of} itemscope itemtype="https://schema.org/{self.types.get(thing, thing)}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        return f' class="{css}" itemprop="{prop}"'


class Rdfa(Marker):
    hidden = True

    def item(self, thing: str, css: str, prop: str = "") -> str:
        of = f' property="{prop}"' if prop else ' vocab="http://schema.org/"'
        return f' class="{css}"{of} typeof="{self.types.get(thing, thing)}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        return f' class="{css}" property="{prop}"'


_MF2 = {
    "name": "p-name",
    "image": "u-photo",
    "author": "p-author h-card",
    "datePublished": "dt-published",
    "datePosted": "dt-published",
    "description": "p-summary",
    "totalTime": "dt-duration",
    "recipeYield": "p-yield",
    "recipeIngredient": "p-ingredient",
    "recipeInstructions": "e-instructions",
    "startDate": "dt-start",
    "endDate": "dt-end",
    "location": "p-location",
    "articleBody": "e-content",
    "text": "e-content",
    "brand": "p-brand",
    "price": "p-price",
    "telephone": "p-tel",
    "address": "p-adr",
    "jobTitle": "p-job-title",
}


class Microformats(Marker):
    """microformats2. Entities that they have no word for are part of what is around them."""

    def item(self, thing: str, css: str, prop: str = "") -> str:
        of = _MF2.get(prop, "")
        root = THINGS[thing].microformat if thing in THINGS else ""
        return f' class="{" ".join(word for word in (css, of, root) if word)}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        word = _MF2.get(prop)
        return f' class="{css} {word}"' if word else f' class="{css}"'


_CLASSIC = {
    "description": "summary",
    "image": "photo",
    "datePublished": "published",
    "totalTime": "duration",
    "recipeYield": "yield",
    "recipeIngredient": "ingredient",
    "recipeInstructions": "instructions",
    "startDate": "dtstart",
    "endDate": "dtend",
    "location": "location",
    "articleBody": "entry-content",
    "text": "entry-content",
    "brand": "brand",
    "price": "price",
    "telephone": "tel",
    "address": "adr",
    "jobTitle": "title",
}
_NAMES = {"hentry": "entry-title", "vevent": "summary"}


class ClassicMicroformats(Marker):
    def item(self, thing: str, css: str, prop: str = "") -> str:
        of = _CLASSIC.get(prop, "")
        root = THINGS[thing].classic if thing in THINGS else ""
        return f' class="{" ".join(word for word in (css, of, root) if word)}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        if prop == "name":
            word = _NAMES.get(THINGS[thing].classic, "fn") if thing in THINGS else ""
        elif prop == "description" and thing == "event":
            word = "description"
        else:
            word = _CLASSIC.get(prop, "")
        return f' class="{css} {word}"' if word else f' class="{css}"'


MARKERS: dict[str, type[Marker]] = {
    "": Marker,
    "jsonld": Marker,
    "microdata": Microdata,
    "rdfa": Rdfa,
    "mf2": Microformats,
    "classic": ClassicMicroformats,
}
