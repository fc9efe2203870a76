"""From values that somebody sees on a page to patterns that find them, there and on pages like it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example.paging import next_page
from sundog.patterns.example.ranking import Choice, Finder, choices, relative_choices
from sundog.patterns.example.records import Records, records_with
from sundog.patterns.example.sightings import Sighting, shown_at, sightings
from sundog.patterns.example.tree import Node, children, elements, plain, upwards
from sundog.patterns.example.types import Type, reads_alike, type_of

MOST_VALUES = 40
SURE = 0.6  # a way to a single value that is at least as good needs no list
_NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)=(.+)", re.DOTALL)


class Wish(NamedTuple):
    """A value that was seen, and where. ``name`` is what its field shall be called, if that was said."""

    value: str
    name: str
    type: Type
    places: Sequence[Sighting]


class Field(NamedTuple):
    name: str
    type: Type
    value: str
    best: Choice
    others: list[Choice]


class Guess(NamedTuple):
    """``records``: the repeated part that the fields are in; without it, an item is a page."""

    fields: list[Field]
    records: Records | None
    next_page: str


def guess(page: Node, words: Sequence[str], engine: str = "xpath") -> Guess:
    """The most robust patterns for these values, in ``xpath`` or ``css``; a value must be on the page."""
    if not words:
        raise UsageError("there is no value to look for: give some that you see on the page, e.g. 'Munich'")
    if len(words) > MOST_VALUES:
        raise UsageError(f"{len(words)} values are too many: give at most {MOST_VALUES}, one for each field")
    wishes = [_wish(page, word) for word in words]
    finder = Finder(page)
    found = [choices(wish.places, finder, wish.type) for wish in wishes]
    records = None
    if len(wishes) > 1 or not found[0] or found[0][0].score < SURE:
        records = records_with([wish.places for wish in wishes], finder, engine)
    if records:
        found = [
            relative_choices(_inside(wish.places, records.one), finder, records.one, records.nodes, wish.type)
            for wish in wishes
        ]
    found = [_sayable(each, wish, engine) for each, wish in zip(found, wishes, strict=True)]
    return Guess(_named(wishes, found), records, next_page(page))


def _wish(page: Node, word: str) -> Wish:
    """``population=1,356,594`` names its field, unless the page has just these characters."""
    named, places = _NAMED.fullmatch(word), sightings(page, word)
    name, value = (named[1], named[2]) if named and not places else ("", word)
    places = places or sightings(page, value)
    if not places:
        raise UsageError(f"'{value[:80]}' is not on the page{_nearest_text(page, value)}")
    kind = type_of(value, places[0].attribute)
    read_alike = [place for place in places if reads_alike(shown_at(place), value, kind)]
    return Wish(value, name, kind, read_alike) if read_alike else Wish(value, name, "text", places)


def _sayable(found: list[Choice], wish: Wish, engine: str) -> list[Choice]:
    """Those that the engine can say."""
    sayable = [choice for choice in found if engine == "xpath" or choice.css]
    if not sayable:
        fix = "leave out --engine css" if engine == "css" else "give it together with others of its row"
        raise UsageError(f"nothing reliable leads to '{wish.value[:80]}' in {engine}: {fix}")
    return sayable


def _nearest_text(page: Node, value: str) -> str:
    """Somebody may have copied it wrongly."""
    texts = {text for node in elements(page) if not children(node) and (text := plain(node.text))}
    close = difflib.get_close_matches(plain(value)[:200], [text[:200] for text in sorted(texts)][:5_000], n=1)
    return f"; did you mean '{close[0]}'?" if close else ": copy it as the page shows it"


def _inside(places: Sequence[Sighting], record: Node) -> list[Sighting]:
    return [place for place in places if record in upwards(place.node)]


def _named(wishes: Sequence[Wish], found: Sequence[list[Choice]]) -> list[Field]:
    """Fields by the names that were asked for, or that their ways suggest; no name twice."""
    taken: set[str] = set()
    fields = []
    for wish, choices_of_it in zip(wishes, found, strict=True):
        best, *others = choices_of_it
        name = base = wish.name or best.way.name
        number = 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        fields.append(Field(name, wish.type, wish.value, best, others))
    return fields
