"""What a page says about its subject: a tree of fields, which templates lay out and markup annotates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from sundog.demo_web.dice import Dice
from sundog.demo_web.words import TOWNS, UNITS, Language, person

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


def json_ld(entity: Entity, types: dict[str, str]) -> dict[str, Any]:
    """The entity as JSON-LD has it, without context."""
    data: dict[str, Any] = {"@type": types.get(entity.thing, entity.thing)}
    for prop, shape, value, _ in entity.fields:
        match shape:
            case "entity":
                data[prop] = json_ld(value, types)
            case "time":
                data[prop] = value[0]
            case "link":
                data[prop] = {"@type": "Person", "name": value[1], "url": value[0]}
            case "list":
                data[prop] = list(value)
            case "long":
                data[prop] = value[0]
            case _:
                data[prop] = value
    return data


class Subject(NamedTuple):
    """What is known of an item before its page is written: enough for lists and links."""

    title: str
    day: str  # ISO 8601
    path: str
    author: str
    author_path: str
    image: str
    tags: tuple[str, ...]


Write = Callable[[Subject, Language, tuple[str, ...], Dice], list[Field]]


def entity_of(thing: str, subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> Entity:
    """``stock`` are the paragraphs of the site's language."""
    head = [Field("name", "title", subject.title), Field("image", "image", subject.image)]
    return Entity(thing, tuple(head + _WRITERS[thing](subject, language, stock, dice)))


def brief(thing: str, subject: Subject) -> Entity:
    """As a list mentions it."""
    date = "startDate" if thing == "event" else "datePublished"
    return Entity(thing, (Field("name", "title", subject.title), Field(date, "time", (subject.day, subject.day))))


def _byline(subject: Subject, language: Language) -> list[Field]:
    return [
        Field("author", "link", (subject.author_path, subject.author), language.labels["by"]),
        Field("datePublished", "time", (subject.day, subject.day)),
    ]


def _some(stock: tuple[str, ...], dice: Dice, low: int, high: int) -> tuple[str, ...]:
    start, count = dice.below(len(stock)), dice.between(low, high)
    return (stock + stock)[start : start + count]


def _recipe(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    labels, minutes = language.labels, dice.between(2, 24) * 5
    foods = tuple(
        f"{dice.between(1, 40) * 5} {dice.pick(UNITS)} {dice.pick(language.food)}"
        for _ in range(dice.between(4, 10))
    )
    return [
        *_byline(subject, language),
        Field("description", "short", dice.pick(stock)),
        Field("totalTime", "time", (f"PT{minutes}M", f"{minutes} min"), labels["time"]),
        Field("recipeYield", "short", str(dice.between(1, 8)), labels["serves"]),
        Field("recipeIngredient", "list", foods, labels["ingredients"]),
        Field("recipeInstructions", "long", _some(stock, dice, 2, 5), labels["method"]),
    ]


def _event(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    labels, hour = language.labels, dice.between(9, 20)
    begins, ends = f"{subject.day}T{hour:02}:00", f"{subject.day}T{hour + 2:02}:30"
    town, house = dice.pick(TOWNS), dice.pick(language.actor)
    place = Entity(
        "Place", (Field("name", "short", house), Field("address", "short", f"{town} {dice.between(1, 99)}"))
    )
    return [
        Field("startDate", "time", (begins, begins.replace("T", ", ")), labels["begins"]),
        Field("endDate", "time", (ends, ends.replace("T", ", ")), labels["ends"]),
        Field("location", "entity", place, labels["where"]),
        Field("description", "long", _some(stock, dice, 1, 4)),
    ]


def _product(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    labels, price = language.labels, f"{dice.between(3, 400)}.{dice.between(0, 9)}0"
    offer = Entity(
        "Offer", (Field("price", "short", price, labels["price"]), Field("priceCurrency", "meta", "EUR"))
    )
    rating = Entity(
        "AggregateRating",
        (
            Field("ratingValue", "short", f"{dice.between(20, 50) / 10}", labels["rating"]),
            Field("reviewCount", "short", str(dice.between(1, 300))),
        ),
    )
    return [
        Field("brand", "short", person(dice).partition(" ")[2], labels["brand"]),
        Field("sku", "meta", dice.hex(8)),
        Field("offers", "entity", offer),
        Field("aggregateRating", "entity", rating),
        Field("description", "long", _some(stock, dice, 1, 3)),
    ]


def _article(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    return [*_byline(subject, language), Field("articleBody", "long", _some(stock, dice, 4, 12))]


def _job(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    labels = language.labels
    employer = Entity("Organization", (Field("name", "short", dice.pick(language.actor)),))
    return [
        Field("datePosted", "time", (subject.day, subject.day)),
        Field("hiringOrganization", "entity", employer, labels["employer"]),
        Field("baseSalary", "short", f"{dice.between(20, 90)} 000 EUR", labels["salary"]),
        Field("jobLocation", "short", dice.pick(TOWNS), labels["where"]),
        Field("description", "long", _some(stock, dice, 2, 5)),
    ]


def _thread(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    posts = [Field("text", "long", _some(stock, dice, 1, 3), person(dice)) for _ in range(dice.between(1, 9))]
    return [*_byline(subject, language), *posts]


def _business(subject: Subject, language: Language, stock: tuple[str, ...], dice: Dice) -> list[Field]:
    labels = language.labels
    return [
        Field("telephone", "short", f"+49 {dice.between(100000, 999999)}", labels["phone"]),
        Field("address", "short", f"{dice.pick(TOWNS)} {dice.between(1, 99)}", labels["address"]),
        Field("description", "long", _some(stock, dice, 1, 4)),
    ]


_WRITERS: dict[str, Write] = {
    "recipe": _recipe,
    "event": _event,
    "product": _product,
    "article": _article,
    "post": _article,
    "topic": _article,
    "entry": _article,
    "record": _business,
    "job": _job,
    "thread": _thread,
    "business": _business,
}
