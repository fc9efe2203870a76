"""Edge lists as the Stanford collection (SNAP) has them: ``FromNodeId ToNodeId [score]`` a line, # comments.

A file ``scores.tsv`` beside the edges gives nodes a score: ``NODE SCORE`` a line. Nodes are numbers; their pages
get the URLs http://graph.example/NODE, in the order of the numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sundog._jit import njit
from sundog.arrow import pa, pc
from sundog.errors import SundogError
from sundog.worlds.own_graphs import NODE_URL
from sundog.worlds.parquet import strings_of
from sundog.worlds.scored import as_edges
from sundog.worlds.static import (
    MOST_ROOM,
    NO_SCORES,
    Pages,
    RowsOfIds,
    StaticWorld,
    first_bad_score,
    in_page_order,
)
from sundog.worlds.tsv import LARGE_NUMBER, MOST_DIGITS, NEWLINE, RETURN, digits, find_file, read_bytes

SCORES = "scores.tsv"
HASH = 35
OK, BAD_NODE, TOO_LARGE, TOO_MANY = 0, 1, 2, 3
PROBLEMS = {
    BAD_NODE: "does not begin with {} from 0 on",
    TOO_LARGE: LARGE_NUMBER,
    TOO_MANY: "has more than {} and a score",
}


def edge_list_in(path: Path) -> Path | None:
    """The edge list that ``path`` is, or that it holds as its only ``*.txt`` or ``*.txt.gz``."""
    if path.is_file():
        return path if path.name.endswith((".txt", ".txt.gz")) else None
    found = sorted([*path.glob("*.txt"), *path.glob("*.txt.gz")])
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise SundogError(f"'{path}' holds several edge lists ({names}); name the file that you mean")
    return found[0] if found else None


def load_snap(edges: Path) -> StaticWorld:
    ends, link_scores = _read(edges, nodes=2)
    beside = find_file(edges.parent, SCORES)
    scored, scores = _read(beside, nodes=1) if beside else (np.empty((1, 0), np.int64), NO_SCORES)
    ids = _distinct(np.concatenate([ends.ravel(), scored[0]]))
    columns = {"score": _node_scores(ids, scored[0], scores, beside)} if beside else {}
    links = in_page_order(ends[0], ends[1], ids, scores=link_scores)
    return StaticWorld(_name(edges), Pages(ids, _urls(ids), columns), as_edges(links))


def _name(edges: Path) -> str:
    return edges.name.removesuffix(".gz").removesuffix(".txt")


def _urls(ids: Any) -> Any:
    numbers = pa.array(ids).cast(pa.large_string())
    begin, nothing_between = pa.scalar(NODE_URL, numbers.type), pa.scalar("", numbers.type)
    return strings_of(pc.binary_join_element_wise(begin, numbers, nothing_between))


def _distinct(ids: Any) -> Any:
    """All ids in order; by flags if the largest is not too large, which is quicker than sorting."""
    if len(ids) and ids.max() < MOST_ROOM * len(ids):
        met = np.zeros(int(ids.max()) + 1, bool)
        met[ids] = True
        return np.flatnonzero(met)
    return np.unique(ids)


def _node_scores(ids: Any, scored: Any, scores: Any, path: Path) -> Any:
    if len(scores) != len(scored):
        raise SundogError(f"{path} has no scores: its lines are NODE SCORE")
    rows = RowsOfIds(ids)(scored)
    values = np.zeros(len(ids))
    values[rows] = scores
    times = np.bincount(rows, minlength=len(ids))
    if len(times) and times.max() > 1:
        raise SundogError(f"{path}: node {ids[times.argmax()]} has two scores")
    return values


# -- reading lines ------------------------------------------------------------------------------------


def _read(path: Path, *, nodes: int) -> tuple[Any, Any]:
    """The numbers of all lines, ``nodes`` rows of them, and the scores if there are any."""
    data = read_bytes(path)
    lines = int(np.count_nonzero(data == NEWLINE))
    numbers, spans = np.empty((nodes, lines), np.int64), np.empty((2, lines), np.int64)
    count, line, problem = _parse(data, numbers, spans)
    if problem:
        what = "a node's number" if nodes == 1 else "two node numbers"
        raise SundogError(f"{path}, line {line}: {PROBLEMS[problem].format(what)}")
    numbers, spans = numbers[:, :count], spans[:, :count]
    has_score = spans[1] > spans[0]
    if not has_score.any():
        return numbers, NO_SCORES
    scores = _scores(data, spans)
    row = first_bad_score(scores)
    if row >= 0:
        text = bytes(data[spans[0, row] : spans[1, row]]).decode("utf-8", "replace")
        score_problem = f"has the score '{text}'" if text else "has no score, though others have"
        line = _parse(data, np.empty((nodes, row + 1), np.int64), np.empty((2, row + 1), np.int64))[1]
        raise SundogError(f"{path}, line {line}: {score_problem}; scores are numbers from 0 on")
    return numbers, scores


def _scores(data: Any, spans: Any) -> Any:
    """The texts between ``spans`` as numbers; nan where that cannot be."""
    offsets = np.concatenate([[0], np.cumsum(spans[1] - spans[0])])
    texts = np.empty(int(offsets[-1]), np.uint8)
    _pack(data, spans, offsets, texts)
    column = pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(texts))
    try:
        return np.asarray(column.cast(pa.float64()))
    except pa.ArrowException:
        return np.array([_number(text) for text in column.cast(pa.large_binary()).to_pylist()])


def _number(text: bytes) -> float:
    try:
        return float(text) if b"_" not in text else np.nan
    except ValueError:
        return np.nan


@njit
def _pack(data: Any, spans: Any, offsets: Any, texts: Any) -> None:
    for row in range(spans.shape[1]):
        for i in range(spans[1, row] - spans[0, row]):
            texts[offsets[row] + i] = data[spans[0, row] + i]


@njit
def _after_blanks(data: Any, at: int) -> int:
    while data[at] == 32 or data[at] == 9 or data[at] == RETURN:
        at += 1
    return at


@njit
def _node(data: Any, at: int) -> tuple[int, int, int]:
    """The node's number at ``at``, the index behind it, and OK or what is wrong."""
    first = at
    value, at = digits(data, first)
    if at == first or data[at] > 32:
        return 0, at, BAD_NODE
    return value, at, TOO_LARGE if at - first > MOST_DIGITS else OK


@njit
def _parse(data: Any, numbers: Any, spans: Any) -> tuple[int, int, int]:
    """Rows read, the number of the last line, and OK or what is wrong with it; ends when the arrays are full."""
    at, line, rows = 0, 0, 0
    while at < len(data) and rows < numbers.shape[1]:
        line += 1
        at = _after_blanks(data, at)
        if data[at] != NEWLINE and data[at] != HASH:
            for node in range(numbers.shape[0]):
                numbers[node, rows], at, problem = _node(data, at)
                if problem:
                    return rows, line, problem
                at = _after_blanks(data, at)
            spans[0, rows] = at
            while data[at] > 32 and data[at] != HASH:
                at += 1
            spans[1, rows] = at
            at = _after_blanks(data, at)
            if data[at] != NEWLINE and data[at] != HASH:
                return rows, line, TOO_MANY
            rows += 1
        while data[at] != NEWLINE:
            at += 1
        at += 1
    return rows, line, OK
