"""A guess as a TOML spec that can be run, and as an explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sundog.patterns.example.expressions import Kind
from sundog.patterns.example.guess import Field, Guess
from sundog.patterns.example.links import LinkGuess
from sundog.patterns.example.records import Records
from sundog.toml_text import toml_value

REASONS: dict[Kind, str] = {
    "itemprop": "the page's author has named it",
    "label": "by the label beside it",
    "id": "by an id",
    "class": "by a class",
    "heading": "by the heading above it",
    "pair": "by the text before it",
    "column": "by the head of its column",
    "tag": "by its tag alone",
    "position": "by its position, which other pages may not share",
}
TELLING_KINDS = frozenset({"label", "itemprop", "column"})
MOST_SHOWN, LONGEST_SHOWN = 3, 40
OTHERS_SHOWN = 2


def spec_of(guess: Guess, seed: str, name: str, engine: str, links: Sequence[LinkGuess] = ()) -> str:
    """TOML. What is followed is what ``links`` say, and the next page of a list; without them, nothing is."""
    lines = [f"seeds = [{toml_value(seed)}]", 'extent = "host"']
    if engine != "xpath":
        lines += ["", "[patterns]", f"engine = {toml_value(engine)}"]
    lines += ["", "[[patterns.data]]", f"name = {toml_value(name)}"]
    if guess.records:
        locator = guess.records.locator
        lines.append(f"find = {toml_value(locator.css if engine == 'css' else locator.xpath)}")
    needed = _required_fields(guess)
    lines += [_field_line(field, engine, required=field in needed) for field in guess.fields]
    for inner in guess.lists:
        locator = inner.records.locator
        lines += ["", f"[patterns.data.fields.{inner.name}]", 'type = "list of item"']
        lines += [f"find = {toml_value(locator.css if engine == 'css' else locator.xpath)}"]
        lines += [_field_line(field, engine, required=False) for field in inner.fields]
    for link in links:
        lines += ["", "[[patterns.link]]", f"name = {toml_value(link.name)}", f"find = {toml_value(link.find)}"]
    if guess.next_page:
        lines += ["", "[[patterns.link]]", 'name = "next-page"', 'engine = "xpath"']
        lines += [f"find = {toml_value(guess.next_page)}"]
    elif not links:
        lines += ["", "[[patterns.link]]  # say which links lead to pages like this one", 'name = "more"']
        lines += ['engine = "xpath"', 'find = "//a"', "depth = 0  # none, for now"]
    return "\n".join(lines) + "\n"


def _required_fields(guess: Guess) -> list[Field]:
    """Fields without which an item is none: the first, and one that pages of another kind will not have."""
    telling = [field for field in guess.fields if field.best.locator.kind in TELLING_KINDS]
    if guess.records or guess.fields[0] in telling:
        return [guess.fields[0]]
    return [guess.fields[0], *telling[:1]]


def _field_line(field: Field, engine: str, *, required: bool) -> str:
    find = field.best.css if engine == "css" else field.best.xpath
    keys = [f"find = {toml_value(find)}"]
    if field.type != "text":
        keys.append(f"type = {toml_value(field.type)}")
    if required:
        keys.append("required = true")
    return f"fields.{field.name} = {{ {', '.join(keys)} }}"


def explained(guess: Guess, links: Sequence[LinkGuess] = ()) -> Iterator[str]:
    """Why these patterns, what else they match, and what could be taken instead."""
    if guess.records:
        yield _alike(guess.records)
    for field in guess.fields:
        yield from _why(field)
    for inner in guess.lists:
        yield f"{inner.name}: {_alike(inner.records)}"
        for field in inner.fields:
            yield from _why(field)
    for link in links:
        yield f"{link.name}: {link.find}"
        yield f"    {_matches(link.matches)}"
    names = [field.name for field in _required_fields(guess)]
    yield f"an item without {' and '.join(names)} is none: take out required where others may lack it"
    if guess.next_page:
        yield f"the list goes on: {guess.next_page}"


def _alike(records: Records) -> str:
    return f"{len(records.nodes)} parts of the page are alike: {records.locator.xpath}"


def _why(field: Field) -> Iterator[str]:
    best = field.best
    yield f"{field.name}: {REASONS[best.locator.kind]}: {best.xpath}"
    yield f"    {_matches(best.matches)}"
    for other in field.others[:OTHERS_SHOWN]:
        yield f"    or {REASONS[other.locator.kind]}: {other.xpath}"


def _matches(texts: tuple[str, ...]) -> str:
    """
    >>> _matches(("Munich",)), _matches(("a", "b", "c", "d"))
    ("matches 'Munich'", "matches 4: 'a', 'b', 'c' …")
    """
    shown = ", ".join(f"'{text[:LONGEST_SHOWN]}'" for text in texts[:MOST_SHOWN])
    more = " …" if len(texts) > MOST_SHOWN else ""
    return f"matches {shown}" if len(texts) == 1 else f"matches {len(texts)}: {shown}{more}"
