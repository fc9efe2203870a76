"""What a page says about its subject: a tree of fields, which templates lay out and markup annotates."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Shape = Literal["title", "image", "time", "short", "list", "long", "link", "entity", "meta"]


class Field(NamedTuple):
    """One property. The value's type depends on the shape:

    title, short, meta, image: text; time: (machine's form, people's form); link: (path, text); list, long: texts.
    """

    prop: str
    shape: Shape
    value: Any
    label: str = ""


class Entity(NamedTuple):
    """``thing`` is a name in ``kinds.THINGS``, or a schema.org type that no item has alone (Offer, Rating, …)."""

    thing: str
    fields: tuple[Field, ...]


def linked_data(entity: Entity, types: dict[str, str]) -> dict[str, Any]:
    """The entity as JSON-LD has it, without context."""
    said: dict[str, Any] = {"@type": types.get(entity.thing, entity.thing)}
    for prop, shape, value, _ in entity.fields:
        match shape:
            case "entity":
                said[prop] = linked_data(value, types)
            case "time":
                said[prop] = value[0]
            case "link":
                said[prop] = {"@type": "Person", "name": value[1], "url": value[0]}
            case "list":
                said[prop] = list(value)
            case "long":
                said[prop] = value[0]
            case _:
                said[prop] = value
    return said
