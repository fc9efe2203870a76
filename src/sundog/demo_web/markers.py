"""Entities as HTML, with markup in any syntax: one template, and a marker that annotates its elements."""

from __future__ import annotations

from sundog.demo_web.entities import Entity, Field
from sundog.demo_web.kinds import THINGS
from sundog.demo_web.themes import Theme


def entity_html(entity: Entity, theme: Theme, marker: Marker) -> str:
    """The entity as the main matter of a page."""
    fields = fields_html(entity, theme, marker)
    return f"<div{marker.item(entity.thing, f'{theme.css}-{entity.thing}')}>{fields}</div>"


def fields_html(entity: Entity, theme: Theme, marker: Marker) -> str:
    return "".join([_field_html(entity.thing, field, theme, marker) for field in entity.fields])


def _field_html(thing: str, field: Field, theme: Theme, marker: Marker) -> str:
    prop, shape, value, label = field
    css = f"{theme.css}-{prop}"
    match shape:
        case "title":
            return f"<h1{marker.value(thing, prop, css)}>{value}</h1>"
        case "image":
            return f'<img{marker.value(thing, prop, css)} src="{value}" alt="">'
        case "time":
            machine, people = value
            shown = f'<time{marker.value(thing, prop, css)} datetime="{machine}">{people}</time>'
        case "link":
            shown = f'<a{marker.value(thing, prop, css)} href="{value[0]}">{value[1]}</a>'
        case "list":
            attributes = marker.value(thing, prop, css)
            items = "".join([f"<li{attributes}>{each}</li>" for each in value])
            return f"<h3>{label}</h3><ul>{items}</ul>"
        case "long":
            text = "</p><p>".join(value)
            shown = f"<div{marker.value(thing, prop, css)}><p>{text}</p></div>"
        case "entity":
            shown = f"<div{marker.item(value.thing, css, prop)}>{fields_html(value, theme, marker)}</div>"
        case "meta":
            return f'<meta{marker.value(thing, prop, css)} content="{value}">' if marker.hidden else ""
        case _:
            shown = f"<span{marker.value(thing, prop, css)}>{value}</span>"
    return theme.labelled.format(label=label, value=shown) if label else shown


class Marker:
    """No markup: CSS classes only. Also for JSON-LD, which is apart from the text.

    Each method gives the attributes of an element: its CSS class, and whatever the syntax adds.
    """

    hidden = False  # whether fields that readers do not see are written too

    def __init__(self, types: dict[str, str]) -> None:
        """``types`` are the site's schema.org types by thing."""
        self.types = types

    def item(self, thing: str, css: str, prop: str = "", about: str = "") -> str:
        """The element around an entity, which may be a property of another, and have a page of its own."""
        return f' class="{css}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        """The element whose text, time, link or picture is a property of a thing."""
        return f' class="{css}"'


class Microdata(Marker):
    hidden = True

    def item(self, thing: str, css: str, prop: str = "", about: str = "") -> str:
        of = f' itemprop="{prop}"' if prop else ""
        return f' class="{css}"{of} itemscope itemtype="https://schema.org/{self.types.get(thing, thing)}"'

    def value(self, thing: str, prop: str, css: str) -> str:
        return f' class="{css}" itemprop="{prop}"'


class Rdfa(Marker):
    hidden = True

    def item(self, thing: str, css: str, prop: str = "", about: str = "") -> str:
        of = f' property="{prop}"' if prop else ' vocab="http://schema.org/"'
        of += f' resource="{about}"' if about else ""  # what is in a link is said of its target
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

    def item(self, thing: str, css: str, prop: str = "", about: str = "") -> str:
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
    def item(self, thing: str, css: str, prop: str = "", about: str = "") -> str:
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
