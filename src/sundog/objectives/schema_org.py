"""schema.org's classes: a ``NewsArticle`` is an ``Article``, and both are a ``Thing``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sundog.rdf.namespaces import SCHEMA_ORG, with_http

_CLASSES = Path(__file__).with_name("schema_org.txt")  # one class a line, followed by its parents


@cache
def parents() -> Mapping[str, tuple[str, ...]]:
    """By class, all without the namespace."""
    lines = [line.split() for line in _CLASSES.read_text(encoding="ascii").splitlines() if line[0] != "#"]
    return {name: tuple(above) for name, *above in lines}


def with_subclasses(name: str) -> frozenset[str]:
    """
    >>> sorted(with_subclasses("HowTo"))
    ['HowTo', 'Recipe']
    """
    below: dict[str, list[str]] = {}
    for child, above in parents().items():
        for parent in above:
            below.setdefault(parent, []).append(child)
    found, waiting = {name}, [name]
    while waiting:
        for child in below.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return frozenset(found)


def with_superclasses(name: str) -> frozenset[str]:
    """
    >>> sorted(with_superclasses("Bakery"))
    ['Bakery', 'FoodEstablishment', 'LocalBusiness', 'Organization', 'Place', 'Thing']
    """
    found, waiting = {name}, [name]
    while waiting:
        new = set(parents().get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(found)


def class_name(iri: str) -> str:
    """The name of a class of schema.org, '' for others.

    >>> class_name("https://schema.org/Recipe"), class_name("http://a.example/Recipe")
    ('Recipe', '')
    """
    iri = with_http(iri)
    return iri.removeprefix(SCHEMA_ORG) if iri.startswith(SCHEMA_ORG) else ""
