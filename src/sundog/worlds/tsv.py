"""Worlds as the Anthelion authors wrote them: index, network and labels, as .tsv or .tsv.gz."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from sundog._jit import njit
from sundog.errors import SundogError
from sundog.worlds.static import Links, Pages, RowsOfIds, StaticWorld, Strings, in_page_order

TAB, NEWLINE, RETURN, MINUS = 9, 10, 13, 45
MOST_DIGITS = 18  # of a number that fits into 64 bits
OK, BAD_NUMBER, NO_TAB, TOO_LARGE = 0, 1, 2, 3
LARGE_NUMBER = f"has a number with more than {MOST_DIGITS} digits"
PROBLEMS = {
    BAD_NUMBER: "is not a whole number followed by a tab or the line's end",
    NO_TAB: "has no tab between id and URL",
    TOO_LARGE: LARGE_NUMBER,
}


def find_file(directory: Path, name: str) -> Path | None:
    return next((path for path in (directory / name, directory / f"{name}.gz") if path.is_file()), None)


def load_tsv(directory: Path) -> StaticWorld:
    ids, urls = _load_index(_require(directory, "index.tsv"))
    labels = _load_labels(_require(directory, "labels.tsv"), ids)
    links = _load_network(_require(directory, "network.tsv"), ids)
    return StaticWorld(directory.name, Pages(ids, urls, {"label": labels}), links)


def _require(directory: Path, name: str) -> Path:
    path = find_file(directory, name)
    if path is None:
        raise SundogError(
            f"{directory / name} (or {name}.gz) is missing; a world of this kind has index, network and labels"
        )
    return path


def read_bytes(path: Path) -> Any:
    """The file's bytes, uncompressed, with a newline at their end."""
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise SundogError(f"{path} cannot be read: {error}") from None
    return np.frombuffer(data if data.endswith(b"\n") else data + b"\n", np.uint8)


@njit
def digits(data: Any, at: int) -> tuple[int, int]:
    """The whole number that begins at ``at``, and the index behind it, which is ``at`` if there is none."""
    value = 0
    while 48 <= data[at] <= 57:
        value = 10 * value + (data[at] - 48)
        at += 1
    return value, at


@njit
def _number(data: Any, at: int) -> tuple[int, int, int]:
    """The number at ``at``: its value, the index behind it, and OK or what is wrong."""
    negative = data[at] == MINUS
    first = at + negative
    value, at = digits(data, first)
    ends_line = data[at] == NEWLINE or (data[at] == RETURN and data[at + 1] == NEWLINE)
    if at == first or not (data[at] == TAB or ends_line):
        return 0, at, BAD_NUMBER
    return (-value if negative else value), at, (TOO_LARGE if at - first > MOST_DIGITS else OK)


@njit
def _blank_end(data: Any, at: int) -> int:
    """Behind the newline if only white space is left on the line, else -1."""
    while data[at] == TAB or data[at] == RETURN or data[at] == 32:
        at += 1
    return at + 1 if data[at] == NEWLINE else -1


@njit
def _parse_index(data: Any, ids: Any, starts: Any, ends: Any) -> tuple[int, int, int]:
    """Rows read, then the line and kind of the first problem."""
    at, line, rows = 0, 0, 0
    while at < len(data):
        line += 1
        blank = _blank_end(data, at)
        if blank > 0:
            at = blank
            continue
        ids[rows], at, problem = _number(data, at)
        if problem:
            return rows, line, problem
        if data[at] != TAB:
            return rows, line, NO_TAB
        starts[rows] = at + 1
        while data[at] != NEWLINE:
            at += 1
        ends[rows] = at - (data[at - 1] == RETURN)
        rows += 1
        at += 1
    return rows, line, OK


@njit
def _parse_network(data: Any, sources: Any, targets: Any) -> tuple[int, int, int]:
    at, line, links = 0, 0, 0
    while at < len(data):
        line += 1
        blank = _blank_end(data, at)
        if blank > 0:
            at = blank
            continue
        source, at, problem = _number(data, at)
        while problem == OK:
            blank = _blank_end(data, at)
            if blank > 0:
                at = blank
                break
            sources[links] = source
            targets[links], at, problem = _number(data, at + 1)
            links += 1
        if problem:
            return links, line, problem
    return links, line, OK


@njit
def _packed(data: Any, starts: Any, ends: Any) -> Any:
    """The URLs' bytes without what stands between them."""
    offsets = np.zeros(len(starts) + 1, np.int64)
    for i in range(len(starts)):
        offsets[i + 1] = offsets[i] + ends[i] - starts[i]
    blob = np.empty(offsets[-1], np.uint8)
    for i in range(len(starts)):
        blob[offsets[i] : offsets[i + 1]] = data[starts[i] : ends[i]]
    return blob, offsets


def _check(path: Path, line: int, problem: int) -> None:
    if problem:
        raise SundogError(f"{path}, line {line}: {PROBLEMS[problem]}")


def _load_index(path: Path) -> tuple[Any, Strings]:
    data = read_bytes(path)
    lines = int(np.count_nonzero(data == NEWLINE))
    ids, starts, ends = (np.empty(lines, np.int64) for _ in range(3))
    rows, line, problem = _parse_index(data, ids, starts, ends)
    _check(path, line, problem)
    return ids[:rows].copy(), Strings(*_packed(data, starts[:rows], ends[:rows]))


def _load_labels(path: Path, ids: Any) -> Any:
    data = read_bytes(path)
    wanted = np.empty(int(np.count_nonzero(data == NEWLINE)), np.int64)
    count, line, problem = _parse_labels(data, wanted)
    _check(path, line, problem)
    rows = RowsOfIds(ids)(wanted[:count])
    if not np.any(rows >= 0):
        raise SundogError(f"{path}: none of its {count} ids is a page of the index, so nothing is relevant")
    labels = np.zeros(len(ids), bool)
    labels[rows[rows >= 0]] = True
    return labels


@njit
def _parse_labels(data: Any, ids: Any) -> tuple[int, int, int]:
    at, line, rows = 0, 0, 0
    while at < len(data):
        line += 1
        blank = _blank_end(data, at)
        if blank > 0:
            at = blank
            continue
        ids[rows], at, problem = _number(data, at)
        if problem:
            return rows, line, problem
        rows += 1
        while data[at] != NEWLINE:  # further columns of the authors' files are not needed
            at += 1
        at += 1
    return rows, line, OK


def _load_network(path: Path, ids: Any) -> Links:
    data = read_bytes(path)
    most = int(np.count_nonzero(data == TAB))
    sources, targets = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
    links, line, problem = _parse_network(data, sources, targets)
    _check(path, line, problem)
    return in_page_order(sources[:links], targets[:links], ids)
