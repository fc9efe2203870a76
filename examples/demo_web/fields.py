"""Entities as HTML: each field in the element that its shape asks for, annotated by a marker."""

from __future__ import annotations

from .entities import Entity, Field
from .markers import Marker
from .themes import Theme


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
