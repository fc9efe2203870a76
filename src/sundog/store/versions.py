"""Versions of pages: whether two say the same, and what is known of a page before it is visited again.

Two versions are the same if their statements are, up to the names of blank nodes and the order of lines: those say
nothing. Blank nodes are told apart by what is said of them, and of those next to them, a few steps far.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from sundog.store.database import GONE
from sundog.store.events import Validators
from sundog.store.reader import CrawlReader
from sundog.store.statements import BLANK_OR_STRING

STEPS = 3  # how far around a blank node is looked
LATEST_OF = """SELECT o.step, l.event, l.value, o.trouble, o.content_hash, o.final_url FROM outcomes o
  JOIN log l ON l.step = o.step WHERE o.candidate = ? ORDER BY o.step DESC LIMIT 1"""
LAST_VISITS = """SELECT result = 'failed' AND (status = 404 OR reason GLOB 'redirect-known*'
    OR reason GLOB 'redirect-elsewhere*') FROM revisits
  WHERE candidate = ? ORDER BY step DESC LIMIT ?"""
ITEMS_OF = "SELECT pattern, item FROM found_items WHERE step = ? ORDER BY id"
VALIDATORS_OF = "SELECT etag, last_modified, text_hash FROM validators WHERE candidate = ?"
LINKS_OF = """SELECT json_extract(link.value, '$[0]') FROM log l, json_each(l.data) link WHERE l.step IN
    (SELECT step FROM outcomes WHERE candidate = ?1 UNION SELECT step FROM revisits WHERE candidate = ?1)
    AND l.event IN ('fetched', 'revisited') ORDER BY l.step"""
REDIRECTS_OF = "SELECT url FROM hops WHERE step = ?"


class Version(NamedTuple):
    """What a page said last. ``is_there``: it came and has not gone since."""

    step: int
    is_there: bool
    reward: float
    content_hash: bytes | None
    final_url: str | None


def latest_version(reader: CrawlReader, candidate: int) -> Version:
    step, event, reward, trouble, content_hash, final_url = reader.connection.execute(
        LATEST_OF, (candidate,)
    ).fetchone()
    is_there = event in ("fetched", "revisited") and trouble != GONE
    return Version(step, is_there, reward or 0.0, content_hash, final_url)


def validators_of(reader: CrawlReader, candidate: int) -> Validators:
    row = reader.connection.execute(VALIDATORS_OF, (candidate,)).fetchone()
    return Validators(*row) if row else Validators()


def redirects_of(reader: CrawlReader, version: Version) -> set[str]:
    """Where redirects have led when it came."""
    urls = {url for (url,) in reader.connection.execute(REDIRECTS_OF, (version.step,))}
    return urls | {version.final_url} if version.final_url else urls


def links_of(reader: CrawlReader, candidate: int) -> list[int]:
    """Where a page has linked to, in all its versions."""
    return [target for (target,) in reader.connection.execute(LINKS_OF, (candidate,))]


def times_missing(reader: CrawlReader, candidate: int, most: int) -> int:
    """How often in a row it was not found the last times (404), or was another page that is known."""
    found = [bool(was) for (was,) in reader.connection.execute(LAST_VISITS, (candidate, most))]
    return found.index(False) if False in found else len(found)


def items_of(reader: CrawlReader, step: int) -> dict[str, list[Any]]:
    """What data patterns found, by pattern."""
    found: dict[str, list[Any]] = defaultdict(list)
    for pattern, item in reader.connection.execute(ITEMS_OF, (step,)):
        found[pattern].append(orjson.loads(item))
    return dict(found)


def same_statements(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """N-Triples by syntax.

    >>> same_statements({"jsonld": '_:a <p:> "1" .\\n'}, {"jsonld": '_:b <p:> "1" .\\n'})
    True
    >>> same_statements({"jsonld": '_:a <p:> "1" .\\n'}, {"rdfa": '_:a <p:> "1" .\\n'})
    False
    """
    before = {name: text for name, text in before.items() if text}
    after = {name: text for name, text in after.items() if text}
    if before == after:
        return True
    return before.keys() == after.keys() and all(_digest(before[name]) == _digest(after[name]) for name in before)


def _digest(text: str) -> bytes:
    """The same for texts that only differ in the order of lines and in the labels of blank nodes."""
    lines = list(dict.fromkeys(line for line in text.split("\n") if line))
    parts = [_split(line) for line in lines]
    colours: dict[str, str] = {label: "" for _, labels in parts for label in labels}
    for _ in range(STEPS if colours else 0):
        said: dict[str, list[str]] = defaultdict(list)
        for pattern, labels in parts:
            for label in dict.fromkeys(labels):
                names = [f"=self{colours[label]}" if each == label else colours[each] for each in labels]
                said[label].append(_filled(pattern, names))
        colours = {label: _hash(sorted(texts)).hex() for label, texts in said.items()}
    return _hash(sorted(_filled(pattern, [colours[label] for label in labels]) for pattern, labels in parts))


def _split(line: str) -> tuple[list[str], list[str]]:
    """What stands between the blank nodes of a line, and their labels."""
    between, labels, end = [], [], 0
    for found in BLANK_OR_STRING.finditer(f" {line}"):
        if found[0][0] != '"':
            between.append(f" {line}"[end : found.start()])
            labels.append(found[0])
            end = found.end()
    return [*between, f" {line}"[end:]], labels


def _filled(between: list[str], names: list[str]) -> str:
    return between[0] + "".join(f"_:{name}{rest}" for name, rest in zip(names, between[1:], strict=True))


def _hash(texts: list[str]) -> bytes:
    return hashlib.blake2b("\n".join(texts).encode("utf-8", "replace"), digest_size=16).digest()
