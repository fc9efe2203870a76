"""``type:schema:Product``: items of a type, or of a type below it in schema.org."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from sundog.errors import nearest
from sundog.objectives import schema_org
from sundog.objectives.condition import Condition
from sundog.objectives.entities import subjects_of_types
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageTable, PageView
from sundog.objectives.tokens import Tokens
from sundog.rdf.namespaces import MICROFORMATS, OTHER_SPELLINGS, PREFIXES, SCHEMA_ORG

SPELLINGS = {name: (start, *OTHER_SPELLINGS.get(name, ())) for name, start in PREFIXES.items()}
_ROOT_CLASS = re.compile(r"h-[a-z0-9]+(?:-[a-z0-9]+)*")


class Types(Condition):
    form = "type:NAME"
    summary = "pages with an item of that type or, in schema.org, of one below it: schema:Product, an IRI, h-card"
    example = "type:schema:Product"

    def __init__(self, name: str, iris: frozenset[str]) -> None:
        self.name, self.iris = name, iris

    def __str__(self) -> str:
        return f"type:{self.name}"

    @classmethod
    def reads(cls, word: str) -> bool:
        return word.startswith("type:")

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        name = word.removeprefix("type:")
        return cls(name, _spellings(name, tokens))

    def rewards(self, table: PageTable) -> Any:
        return table.has_type(tuple(sorted(self.iris))).astype(float)

    def reward(self, page: PageView, memory: Memory) -> float:
        return 0.0 if self.iris.isdisjoint(page.types) else 1.0

    def subjects(self, page: PageView, memory: Memory) -> Collection[str]:
        return subjects_of_types(page, self.iris) if self.reward(page, memory) else ()


def _spellings(name: str, tokens: Tokens) -> frozenset[str]:
    """All names by which an item of the type may be marked.

    >>> from pathlib import Path
    >>> len(_spellings("schema:HowTo", Tokens("", Path())))  # HowTo and Recipe, with http and https
    4
    """
    if _ROOT_CLASS.fullmatch(name):
        return frozenset([name])
    if "://" in name:
        return _of_schema_org(schema_org.class_name(name)) or frozenset([name.removeprefix(MICROFORMATS)])
    prefix, colon, local = name.partition(":")
    if not colon or not prefix:
        example = f"type:schema:{name.strip(':') or 'Product'}"
        raise tokens.error(f"'{name}' is no type: a prefix and a name are expected, e.g. {example}")
    if prefix not in PREFIXES:
        hint = nearest(prefix, PREFIXES) or "; a full IRI needs none"
        raise tokens.error(f"unknown prefix '{prefix}'{hint}")
    if not local:
        raise tokens.error(f"a name is expected after '{prefix}:', e.g. type:schema:Product")
    if prefix == "schema":
        _check_known(local, tokens)
        return _of_schema_org(local)
    return frozenset((base + local).removeprefix(MICROFORMATS) for base in SPELLINGS[prefix])


def _of_schema_org(local: str) -> frozenset[str]:
    names = schema_org.with_subclasses(local) if local else ()
    return frozenset(base + name for name in names for base in SPELLINGS["schema"])


def _check_known(local: str, tokens: Tokens) -> None:
    known = schema_org.parents()
    if local not in known:
        hint = nearest(local, known) or f"; if you mean it, write type:{SCHEMA_ORG}{local}"
        raise tokens.error(f"schema.org has no type '{local}'{hint}")
