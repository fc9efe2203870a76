"""Query languages, each in a module that is loaded when a pattern uses it. To add one: a module, and a line."""

from __future__ import annotations

from importlib import import_module

from sundog.patterns.engines.base import Engine

MODULES = {
    "xpath": "xpath",
    "css": "css",
    "xpath3": "saxon",
    "xquery": "saxon",
    "sparql": "sparql",
}
HARMLESS = {"xpath": "//a", "css": "a", "xpath3": "//a", "xquery": "//a", "sparql": "SELECT ?a { ?a ?b ?c }"}


def make_engine(name: str) -> Engine:
    """``engine`` in the module makes it, given the name."""
    module = import_module(f"sundog.patterns.engines.{MODULES[name]}")
    engine: Engine = module.engine(name)
    return engine
