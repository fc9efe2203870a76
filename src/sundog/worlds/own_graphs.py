"""Graphs that a program holds already: edge lists of URLs in frames of any library, and networkx graphs.

No library of frames or graphs is imported: a frame is whatever has named columns, a graph whatever has ``nodes``
and ``edges``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote

import numpy as np

from sundog.arrow import pa
from sundog.errors import UsageError
from sundog.syntaxes import STORED
from sundog.worlds.scored import as_edges, check_link_scores, is_scored
from sundog.worlds.static import NO_SCORES, NO_STRINGS, NO_TEXTS, Pages, StaticWorld, Strings, in_page_order

ENDS = (("source", "target"), ("src", "dst"), ("from", "to"))
NODE_URL = "http://graph.example/"
NODE_TEXTS, LINK_TEXTS = ("url", "label", "score", "types", *STORED), ("anchor", "tag_path", "property", "score")
WORDS = {"": 0.0, "false": 0.0, "no": 0.0, "true": 1.0, "yes": 1.0}
Columns = dict[str, Sequence[Any]]


class Frame(Protocol):
    """Named columns: a frame of polars or pandas, a table of pyarrow, a dict of lists."""

    def __getitem__(self, name: str, /) -> Any: ...


class Graph(Protocol):
    """A graph as networkx has them."""

    nodes: Any
    edges: Any

    def is_directed(self) -> bool: ...


def world_of(graph: Frame | Graph, pages: Frame | None = None, name: str = "graph") -> StaticWorld:
    """A world of links between URLs or ids, and of what is known of its pages.

    Raises:
        UsageError: it is neither a frame nor a graph, or a column is missing or has a wrong value.
    """
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):
        if pages is not None:
            raise UsageError(
                "pages= is for links in a frame: a graph's nodes have attributes, such as label or score"
            )
        links, nodes = _links_of_graph(graph), _nodes_of_graph(graph)
    else:
        links = columns_of(graph, "the links")
        nodes = {} if pages is None else columns_of(pages, "the pages")
    return world_of_columns(links, nodes, name)


def columns_of(frame: Any, what: str) -> Columns:
    """A frame's columns as lists."""
    if hasattr(frame, "collect"):  # polars' lazy frames
        frame = frame.collect()
    names = getattr(frame, "column_names", None)  # pyarrow, where ``columns`` are their values
    if names is None:
        names = frame.keys() if isinstance(frame, Mapping) else getattr(frame, "columns", None)
    if names is None:
        raise UsageError(
            f"{what} are of type {type(frame).__name__}; a frame of polars, pandas or pyarrow, a dict of columns, "
            "or a networkx graph is expected"
        )
    columns = {str(name): _listed(frame[name]) for name in names}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"the columns of {what} have different lengths: {lengths}")
    return columns


def _listed(column: Any) -> Sequence[Any]:
    """Values of Python, whichever library holds them."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            values: list[Any] = getattr(column, method)()
            return values
    return list(column)


# -- graphs of networkx -------------------------------------------------------------------------------


def _links_of_graph(graph: Any) -> Columns:
    edges = list(graph.edges(data=True))
    if not graph.is_directed():
        edges += [(target, source, facts) for source, target, facts in edges if source != target]
    ends = {"source": [edge[0] for edge in edges], "target": [edge[1] for edge in edges]}
    return {**ends, **_attributes([edge[2] for edge in edges], LINK_TEXTS)}


def _nodes_of_graph(graph: Any) -> Columns:
    nodes = list(graph.nodes(data=True))
    names = [node for node, _ in nodes]
    columns: Columns = _attributes([facts for _, facts in nodes], NODE_TEXTS)
    urls = columns.get("url", [None] * len(nodes))
    columns["url"] = [_url(name) if _is_none(url) else url for name, url in zip(names, urls, strict=True)]
    return {**columns, "id": names}


def _attributes(facts: Sequence[Mapping[str, Any]], names: Iterable[str]) -> Columns:
    """Those that any of them has; None where one has not."""
    return {name: [one.get(name) for one in facts] for name in names if any(name in one for one in facts)}


# -- from columns to a world --------------------------------------------------------------------------


def world_of_columns(links: Columns, nodes: Columns, name: str) -> StaticWorld:
    """``nodes`` are all pages, or empty: then those that links name are, in the order of their occurrence."""
    source, target = _ends(links)
    for column in (source, target):
        _check_named(links[column], f"column '{column}' of the links")
    if nodes:
        keys = _keys(nodes)
        urls = [str(url) for url in nodes["url"]]
    else:
        keys = list(dict.fromkeys(end for both in zip(links[source], links[target], strict=True) for end in both))
        urls = [_url(key) for key in keys]
    row_of = {key: row for row, key in enumerate(keys)}
    sources, targets = (
        np.array([row_of.get(end, -1) for end in links[end_name]], np.int64) for end_name in (source, target)
    )
    columns = _facts(nodes)
    if "label" in links and "label" not in columns:
        columns["label"] = _labels_of_targets(links["label"], targets, len(keys))
    types = (
        pa.array([one or [] for one in nodes["types"]], pa.list_(pa.large_string())) if "types" in nodes else None
    )
    table = Pages(np.arange(len(keys)), strings(urls), columns, types)
    found = _links(links, sources, targets, table.ids)
    return StaticWorld(name, table, as_edges(found) if is_scored(table, found) else found)


def _ends(links: Columns) -> tuple[str, str]:
    for source, target in ENDS:
        if source in links and target in links:
            return source, target
    names = ", ".join(links) or "none"
    raise UsageError(
        f"the links need the columns source and target (or src and dst, from and to); there are: {names}"
    )


def _keys(nodes: Columns) -> list[Hashable]:
    """What links call pages: their ids, or else their URLs."""
    if "url" not in nodes:
        raise UsageError(f"the pages need the column url; there are: {', '.join(nodes)}")
    _check_named(nodes["url"], "column 'url' of the pages")
    key = "id" if "id" in nodes else "url"
    keys = list(nodes[key])
    _check_named(keys, f"column '{key}' of the pages")
    if len(set(keys)) < len(keys):
        seen: set[Hashable] = set()
        twice = next(one for one in keys if one in seen or seen.add(one))  # type: ignore[func-returns-value]
        raise UsageError(f"column '{key}' of the pages has {twice!r} twice; a page has one row")
    return keys


def _check_named(values: Sequence[Any], where: str) -> None:
    for row, value in enumerate(values):
        if _is_none(value) or value == "":
            raise UsageError(f"{where} is empty in row {row}")
        if not isinstance(value, Hashable):
            raise UsageError(f"{where} has {value!r} in row {row}; a URL or another name is expected")


def _is_none(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _url(node: Hashable) -> str:
    """The name, if it is a URL; otherwise one that is made of it, as for numbered nodes."""
    text = str(node)
    return text if "://" in text else NODE_URL + quote(text)


def _facts(nodes: Columns) -> dict[str, Any]:
    """Labels, scores and counts."""
    facts: dict[str, Any] = {}
    if "label" in nodes:
        facts["label"] = _numbers(nodes["label"], "column 'label' of the pages") != 0
    if "score" in nodes:
        facts["score"] = _numbers(nodes["score"], "column 'score' of the pages")
    for name in STORED:
        if name in nodes:
            facts[name] = _numbers(nodes[name], f"column '{name}' of the pages").astype(np.int32)
    return facts


def _labels_of_targets(values: Sequence[Any], targets: Any, pages: int) -> Any:
    """A link's label is that of the page it leads to; one of several links to it is enough."""
    labels = np.zeros(pages, bool)
    hit = (_numbers(values, "column 'label' of the links") != 0) & (targets >= 0)
    labels[targets[hit]] = True
    return labels


def _numbers(values: Sequence[Any], where: str) -> Any:
    """Numbers, truth values or texts of such; an empty one is 0."""
    found = np.zeros(len(values))
    for row, value in enumerate(values):
        if not _is_none(value):
            found[row] = _number(value, where, row)
    return found


def _number(value: Any, where: str, row: int) -> float:
    word = value.strip().lower() if isinstance(value, str) else None
    if word is not None and word in WORDS:
        return WORDS[word]
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not abs(number) < 2**31:
        raise UsageError(f"{where} has {value!r} in row {row}; a number, true or false is expected")
    return number


def _links(links: Columns, sources: Any, targets: Any, ids: Any) -> Any:
    scores = _numbers(links["score"], "column 'score' of the links") if "score" in links else NO_SCORES
    check_link_scores(scores, sources, targets, "the links")
    codes: dict[str, int] = {}
    anchors = _codes(links.get("anchor"), len(sources), codes)
    paths = _codes(links.get("tag_path"), len(sources), codes)
    properties = _codes(links.get("property"), len(sources), codes)
    if not codes:
        return in_page_order(sources, targets, ids, NO_TEXTS, NO_TEXTS, NO_STRINGS, scores)
    paths = np.where(paths >= 0, paths, properties)
    return in_page_order(sources, targets, ids, anchors, paths, strings(list(codes)), scores)


def _codes(texts: Sequence[Any] | None, rows: int, codes: dict[str, int]) -> Any:
    """Each text's number in ``codes``, which grows; -1 for none."""
    if texts is None:
        return np.full(rows, -1, np.int32)
    found = (-1 if _is_none(text) else codes.setdefault(str(text), len(codes)) for text in texts)
    return np.fromiter(found, np.int32, rows)


def strings(texts: Sequence[str]) -> Strings:
    """The texts in one array of bytes."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(one) for one in encoded], out=offsets[1:])
    return Strings(np.frombuffer(b"".join(encoded), np.uint8), offsets)
