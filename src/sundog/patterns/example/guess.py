"""From values on a page to patterns that find them, there and on pages like it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example.links import next_page
from sundog.patterns.example.occurrences import Occurrence, occurrences, shown_at
from sundog.patterns.example.ranking import Choice, Finder, choices, relative_choices
from sundog.patterns.example.records import Records, records_with
from sundog.patterns.example.tree import Node, children, elements, plain, upwards
from sundog.patterns.field_types import Type, reads_alike, type_of

MOST_VALUES = 40
SURE = 0.6  # a locator of a single value that is at least as good needs no list
_NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)=(.+)", re.DOTALL)


class WantedValue(NamedTuple):
    """A value on the page, and where it occurs. ``name``: what the user calls its field, empty if nothing."""

    value: str
    name: str
    type: Type
    occurrences: Sequence[Occurrence]


class Field(NamedTuple):
    name: str
    type: Type
    value: str
    best: Choice
    others: list[Choice]


class ListField(NamedTuple):
    """A part of the page that is repeated within an item, such as the rows of a table of prices."""

    name: str
    records: Records
    fields: list[Field]


class Guess(NamedTuple):
    """``records``: the repeated part that the fields are in; without it, an item is a page."""

    fields: list[Field]
    records: Records | None
    next_page: str
    lists: Sequence[ListField] = ()


def guess(page: Node, words: Sequence[str], engine: str = "xpath", url: str = "") -> Guess:
    """The most robust patterns for these values, in ``xpath`` or ``css``; a value must be on the page.

    ``url`` is the page's, for values that are URLs.
    """
    if not words:
        raise UsageError("there is no value to look for: give some that you see on the page, e.g. 'Munich'")
    if len(words) > MOST_VALUES:
        raise UsageError(f"{len(words)} values are too many: give at most {MOST_VALUES}, one for each field")
    values = [_wanted_value(page, word, url) for word in words]
    finder = Finder(page)
    found = [choices(wanted.occurrences, finder, wanted.type) for wanted in values]
    unsure = [wanted for wanted, each in zip(values, found, strict=True) if not each or each[0].score < SURE]
    records = _records(values if len(values) > 1 else unsure, finder, engine)
    if records:
        return Guess(_record_fields(values, records, finder, engine), records, next_page(page))
    unsure = [
        wanted for wanted, each in zip(values, found, strict=True) if wanted in unsure and not _is_labelled(each)
    ]
    inner = _records(unsure, finder, engine) if len(unsure) < len(values) else None
    rest = [pair for pair in zip(values, found, strict=True) if inner is None or pair[0] not in unsure]
    fields = _named([(wanted, _sayable(each, wanted, engine)) for wanted, each in rest])
    lists = [] if inner is None else [_list_field(unsure, inner, finder, engine, [field.name for field in fields])]
    return Guess(fields, None, next_page(page), lists)


def _is_labelled(found: Sequence[Choice]) -> bool:
    """Facts of a page, each with its label, are no list, though all are marked up alike."""
    return bool(found) and found[0].locator.kind == "pair"


def _records(values: Sequence[WantedValue], finder: Finder, engine: str) -> Records | None:
    return records_with([wanted.occurrences for wanted in values], finder, engine) if values else None


def _record_fields(values: Sequence[WantedValue], records: Records, finder: Finder, engine: str) -> list[Field]:
    def best_choices(wanted: WantedValue) -> list[Choice]:
        inside = [occurrence for occurrence in wanted.occurrences if records.one in upwards(occurrence.node)]
        return _sayable(relative_choices(inside, finder, records.one, records.nodes, wanted.type), wanted, engine)

    return _named([(wanted, best_choices(wanted)) for wanted in values])


def _list_field(
    values: Sequence[WantedValue], records: Records, finder: Finder, engine: str, taken: Sequence[str]
) -> ListField:
    name = records.locator.name if records.locator.name not in taken else f"{records.locator.name}_list"
    return ListField(name, records, _record_fields(values, records, finder, engine))


def _wanted_value(page: Node, word: str, url: str) -> WantedValue:
    """``population=1,356,594`` names its field, unless the page has just these characters."""
    named, seen = _NAMED.fullmatch(word), occurrences(page, word, url)
    name, value = (named[1], named[2]) if named and not seen else ("", word)
    seen = seen or occurrences(page, value, url)
    if not seen:
        raise UsageError(f"'{value[:80]}' is not on the page{_nearest_text(page, value)}")
    kind = type_of(value, seen[0].attribute)
    read_alike = [occurrence for occurrence in seen if reads_alike(shown_at(occurrence), value, kind)]
    return WantedValue(value, name, kind, read_alike) if read_alike else WantedValue(value, name, "text", seen)


def _sayable(found: list[Choice], wanted: WantedValue, engine: str) -> list[Choice]:
    """Those that the engine can say; the name may be that of a better one."""
    sayable = [choice for choice in found if engine == "xpath" or choice.css]
    if not sayable:
        fix = "leave out --engine css" if engine == "css" else "give it together with others of its row"
        raise UsageError(f"nothing reliable leads to '{wanted.value[:80]}' in {engine}: {fix}")
    best, *others = sayable
    return [best._replace(locator=best.locator._replace(name=found[0].locator.name)), *others]


def _nearest_text(page: Node, value: str) -> str:
    """A hint, for a value may have been copied wrongly."""
    texts = {text for node in elements(page) if not children(node) and (text := plain(node.text))}
    close = difflib.get_close_matches(plain(value)[:200], [text[:200] for text in sorted(texts)][:5_000], n=1)
    return f"; did you mean '{close[0]}'?" if close else ": copy it as the page shows it"


def _named(found: Sequence[tuple[WantedValue, list[Choice]]]) -> list[Field]:
    """Fields by the names that were asked for, or that their locators suggest; no name twice."""
    taken: set[str] = set()
    fields = []
    for wanted, (best, *others) in found:
        name = base = wanted.name or best.locator.name
        number = 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        fields.append(Field(name, wanted.type, wanted.value, best, others))
    return fields
