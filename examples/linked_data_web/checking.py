"""Whether a crawl has collected every triple of every document, and each of them once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from pyoxigraph import CanonicalizationAlgorithm, Dataset, DefaultGraph, Quad, RdfFormat, parse

from .forms import Triple, lines
from .web import LinkedDataWeb


class Difference(NamedTuple):
    """Documents with other triples than they have, and lines that are there twice."""

    documents: list[str]
    lines_twice: int
    triples: int  # that should be there


def canonical(text: bytes) -> frozenset[str]:
    """Triples with the labels that the standard gives to blank nodes, whatever their own were."""
    quads = (
        Quad(quad.subject, quad.predicate, quad.object, DefaultGraph()) for quad in parse(text, RdfFormat.N_QUADS)
    )
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return frozenset(str(quad) for quad in dataset)


def collected(export: Path) -> dict[str, list[str]]:
    """The lines of an export by their graphs."""
    found: dict[str, list[str]] = {}
    with export.open(encoding="utf-8") as file:
        for line in file:
            graph = line.rstrip(" .\n").rpartition(" ")[2]
            found.setdefault(graph.strip("<>"), []).append(line)
    return found


def compare(web: LinkedDataWeb, export: Path) -> Difference:
    """``export`` is what ``sundog export --format nquads`` has written."""
    expected, found = web.documents, collected(export)
    differ = [url for url in {**expected, **found} if not _same(expected.get(url, []), found.get(url, []))]
    twice = sum(count - 1 for lines in found.values() for count in Counter(lines).values())
    return Difference(differ, twice, sum(map(len, expected.values())))


def _same(expected: list[Triple], found: list[str]) -> bool:
    return canonical(lines(expected)) == canonical("".join(found).encode())
