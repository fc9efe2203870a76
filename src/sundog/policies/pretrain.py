"""Static classifiers: learn from a sample file before the crawl begins.

The Anthelion authors' format: ``id<TAB>url<TAB>sem<TAB>semparent``, where ``sem`` says whether the
page is relevant and ``semparent`` whether the page that linked to it is; 1/0 or true/false. For Linked
Data two columns may follow: the URL of the page that linked to it, and the properties that did, separated
by spaces.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sundog.errors import SundogError
from sundog.frontier.arrays import Frontier, new_frontier
from sundog.frontier.catalog import Catalog

MOST_PROPERTIES = 3  # of a URI that are read
YES, NO = ("1", "true"), ("0", "false", "")


class Example(NamedTuple):
    url: str
    relevant: bool
    parent_relevant: bool
    referrer: str = ""
    properties: str = ""


def read_sample(path: Path) -> Iterator[Example]:
    """The file's examples; a malformed line is named by its number."""
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else open(path, encoding="utf-8") as file
        ):
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _example(line.rstrip("\r\n").split("\t"), path, number)
    except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise SundogError(f"{path} cannot be read: {error}") from None


def _example(fields: list[str], path: Path, number: int) -> Example:
    if not 4 <= len(fields) <= 6:
        raise SundogError(
            f"{path}, line {number}: has {len(fields)} columns; id, url, sem, semparent are expected"
        )
    return Example(fields[1], _flag(fields[2], path, number), _flag(fields[3], path, number), *fields[4:])


def _flag(text: str, path: Path, number: int) -> bool:
    if text.lower() not in YES + NO:
        raise SundogError(f"{path}, line {number}: '{text}' is neither 1 nor 0, true nor false")
    return text.lower() in YES


class Sample(NamedTuple):
    """A sample in the form in which kernels read candidates."""

    frontier: Frontier
    catalog: Catalog
    rows: Any  # int32: the candidates in the order of the file
    labels: Any  # float64
    referrers: Any  # int32: candidates that linked to them, -1 if unknown
    properties: Any  # int32[rows, MOST_PROPERTIES]: text ids, -1 for none


def sample_as_candidates(path: Path) -> Sample:
    examples = list(read_sample(path))
    if not examples:
        raise SundogError(f"{path} has no examples to learn from")
    catalog = Catalog()
    catalog.keep_tokens()
    rows = catalog.add([example.url for example in examples])
    referrers = catalog.add([example.referrer for example in examples])
    referrers[[not example.referrer for example in examples]] = -1
    lists = [[*example.properties.split()[:MOST_PROPERTIES], "", "", ""] for example in examples]
    columns = [catalog.text_ids([names[place] for names in lists]) for place in range(MOST_PROPERTIES)]
    frontier = new_frontier(catalog.size, 1, 1)
    parents = np.array([example.parent_relevant for example in examples])
    frontier.candidates["good_parents"][rows] = parents
    frontier.candidates["bad_parents"][rows] = ~parents
    labels = np.array([example.relevant for example in examples], float)
    return Sample(frontier, catalog, rows, labels, referrers, np.stack(columns, axis=1))
