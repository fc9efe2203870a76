"""From values on a page to patterns that find them, there and on pages like it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example.expressions import Kind
from sundog.patterns.example.kinds import of_one_kind
from sundog.patterns.example.locators import TITLES
from sundog.patterns.example.next_page import next_page
from sundog.patterns.example.occurrences import Fit, Occurrence, occurrences, shown_at
from sundog.patterns.example.ranking import Choice, Finder, choices, relative_choices
from sundog.patterns.example.records import Records, records_around, records_with
from sundog.patterns.example.tree import Node, children, elements, plain, text_of, upwards
from sundog.patterns.field_types import Type, reads, reads_alike, type_of

MOST_VALUES = 40
SURE = 0.6  # a locator of a single value that is at least as good needs no list
POOR = 0.3  # records with such a score may well be something else
FIRM: frozenset[Kind] = frozenset({"itemprop", "label", "id", "tag"})
NAMES = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
MOST_PAIRED = 10  # occurrences of a value that are compared with those of another
ItemIs = Literal["page", "part", "either"]
_NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)=(.+)", re.DOTALL)


class WantedValue(NamedTuple):
    """A value on the page, and where it occurs. ``name``: what the user calls its field, empty if nothing.

    ``examples`` are further values of its kind, such as the same field of other cards; ``numbers`` are theirs, and
    its own, among the values that were given.
    """

    value: str
    name: str
    type: Type
    occurrences: Sequence[Occurrence]
    examples: Sequence[Node] = ()
    numbers: Sequence[int] = ()


class Field(NamedTuple):
    """``numbers``: the values that it was made of, by their order."""

    name: str
    type: Type
    value: str
    best: Choice
    others: list[Choice]
    numbers: Sequence[int] = ()


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
    return guess_values(page, values, engine)


def guess_values(
    page: Node, values: Sequence[WantedValue], engine: str = "xpath", item: ItemIs = "either"
) -> Guess:
    """``item``: whether an item is the page or one of its repeated parts; either, as the values suggest."""
    finder = Finder(page)
    values = [wanted._replace(numbers=(number,)) for number, wanted in enumerate(values)]
    grouped = values if item == "page" else _grouped(values)
    if item == "part" or len(grouped) < len(values):
        records = _records_around(grouped, finder, engine)
        if records is not None:
            return Guess(_record_fields(grouped, records, finder, engine), records, next_page(page))
        if item == "part":
            raise UsageError("no repeated part of the page has all of these values: take one of them away")
    found = [choices(wanted.occurrences, finder, wanted.type) for wanted in values]
    unsure = [wanted for wanted, each in zip(values, found, strict=True) if not each or each[0].score < SURE]
    if item == "either":
        records = _records(values if len(values) > 1 else unsure, finder, engine)
        is_poor = records.score < POOR if records else bool(unsure)
        if is_poor and not any(_is_firm(each) for each in found):  # they may be of several cards
            ordered = [*unsure, *(wanted for wanted in values if wanted not in unsure)]
            cards = _records_around(ordered, finder, engine)
            if cards and (records is None or cards.score > records.score):
                records = cards
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


def _grouped(values: Sequence[WantedValue]) -> list[WantedValue]:
    """Values of one kind are one field. One that has a name of its own is one of its own."""
    groups: list[WantedValue] = []
    for wanted in values:
        for at, group in enumerate(groups):
            if not wanted.name and (pair := _alike_pair(group, wanted)) is not None:
                first, other = pair
                examples, numbers = [*group.examples, other.node], [*group.numbers, *wanted.numbers]
                groups[at] = group._replace(occurrences=[first], examples=examples, numbers=numbers)
                break
        else:
            groups.append(wanted)
    return groups


def _alike_pair(group: WantedValue, wanted: WantedValue) -> tuple[Occurrence, Occurrence] | None:
    """Where a value of the group and this one stand alike."""
    for first in group.occurrences[:MOST_PAIRED]:
        for other in wanted.occurrences[:MOST_PAIRED]:
            is_plain = first.fit == other.fit == Fit.EXACT and first.piece is other.piece is None
            is_like = group.type == wanted.type or _is_name(first.node)
            if is_plain and is_like and first.attribute == other.attribute and of_one_kind(first.node, other.node):
                return first, other
    return None


def _is_name(node: Node) -> bool:
    """What leads to a thing, or heads it, may look like anything: a book called 1984. A fact is of its type."""
    return any(each.tag in NAMES for each in upwards(node))


def _records_around(values: Sequence[WantedValue], finder: Finder, engine: str) -> Records | None:
    groups = [
        [[each.node for each in wanted.occurrences], *([node] for node in wanted.examples)] for wanted in values
    ]
    return records_around(groups, finder, engine)


def _is_firm(found: Sequence[Choice]) -> bool:
    """Whether it is surely the only one of its page; a class may be that of a single card."""
    return bool(found) and found[0].score >= SURE and found[0].locator.kind in FIRM


def _is_labelled(found: Sequence[Choice]) -> bool:
    """Facts of a page, each with its label, are no list, though all are marked up alike."""
    return bool(found) and found[0].locator.kind == "pair"


def _records(values: Sequence[WantedValue], finder: Finder, engine: str) -> Records | None:
    return records_with([wanted.occurrences for wanted in values], finder, engine) if values else None


def _record_fields(values: Sequence[WantedValue], records: Records, finder: Finder, engine: str) -> list[Field]:
    def best_choices(wanted: WantedValue) -> list[Choice]:
        record = _record_with(wanted, records)
        inside = [occurrence for occurrence in wanted.occurrences if record in upwards(occurrence.node)]
        found = relative_choices(inside, finder, record, records.nodes, wanted.type)
        found = [_called_like_its_record(choice, records) for choice in found]
        found.sort(key=lambda choice: -_examples_found(choice, wanted, records, finder))  # stable
        return _sayable(found, wanted, engine)

    fields = _named([(wanted, best_choices(wanted)) for wanted in values])
    return [field._replace(type=_type_of_all(field)) for field in fields]


def _called_like_its_record(choice: Choice, records: Records) -> Choice:
    """A field that is the whole record has no better name, unless it is a heading."""
    is_title = any(node.tag in TITLES for node in upwards(records.one)[:2])
    name = "title" if is_title else records.locator.name
    return choice._replace(locator=choice.locator._replace(name=name)) if choice.xpath == "." else choice


def _record_with(wanted: WantedValue, records: Records) -> Node:
    known = set(records.nodes)
    around = [next((each for each in upwards(at.node) if each in known), None) for at in wanted.occurrences]
    return (
        records.one if records.one in around else next((each for each in around if each is not None), records.one)
    )


def _examples_found(choice: Choice, wanted: WantedValue, records: Records, finder: Finder) -> int:
    """How many of the other examples it gives, each in its own record."""
    known = set(records.nodes)
    found = 0
    for example in wanted.examples:
        record = next((above for above in upwards(example) if above in known), None)
        first = finder.select(record, choice.locator.xpath)[:1] if record is not None else []
        found += any(text_of(each) == text_of(example) and _is_around(each, example) for each in first)
    return found


def _is_around(node: Node, other: Node) -> bool:
    return node in upwards(other) or other in upwards(node)


def _type_of_all(field: Field) -> Type:
    """One value may look like a number that is none: a book called 1984."""
    texts = [text for text in field.best.matches if text]
    if field.type not in ("number", "date") or not texts:
        return field.type
    return field.type if sum(reads(text, field.type) for text in texts) > len(texts) / 2 else "text"


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
        fields.append(Field(name, wanted.type, wanted.value, best, others, wanted.numbers))
    return fields
