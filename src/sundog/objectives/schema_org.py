"""schema.org's classes: a ``NewsArticle`` is an ``Article``, and both are a ``Thing``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

HTTP, HTTPS = "http://schema.org/", "https://schema.org/"
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


def local_name(iri: str) -> str:
    """The name of a class or property of schema.org, '' for others.

    >>> local_name("https://schema.org/Recipe"), local_name("http://a.example/Recipe")
    ('Recipe', '')
    """
    for namespace in (HTTP, HTTPS):
        if iri.startswith(namespace):
            return iri.removeprefix(namespace)
    return ""
