"""Graphs in memory and edge lists of URLs as worlds, with the real libraries; and what can be wrong with them."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sundog import SundogError, UsageError, load_world, simulate
from sundog.worlds.static import StaticWorld

A, B, C, D = "http://a.example/", "http://a.example/b", "http://c.example/", "http://c.example/d?x=1,2"
LINKS: dict[str, list[Any]] = {
    "source": [A, A, C, B],
    "target": [C, B, D, D],
    "label": [None, True, True, False],
    "anchor": ["see", "b", None, "d"],
}
FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "dict": lambda columns: columns,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "pandas": pd.DataFrame,
    "pyarrow": pa.table,
}


def links_of(world: StaticWorld) -> set[tuple[str, str]]:
    return {(world.url(row), world.url(to)) for row in range(world.size) for to in world.links_of(row).targets}


def relevant_in(world: StaticWorld) -> set[str]:
    return {world.url(row) for row in range(world.size) if world.pages.has_markup()[row]}


@pytest.mark.parametrize("made_by", FRAMES)
def test_an_edge_list_with_labels_in_any_frame(made_by: str) -> None:
    frame = FRAMES[made_by](LINKS)
    world = load_world(frame)
    assert links_of(world) == {(A, C), (A, B), (C, D), (B, D)}
    assert relevant_in(world) == {B, D}
    assert world.url(0) == A
    assert [world.links.texts[code] if code >= 0 else None for code in world.links.anchors] == [
        "see",
        "b",
        None,
        "d",
    ]
    run = simulate(frame, "bfs", budget=4)
    assert (run.fetched, run.relevant) == (4, 2)


@pytest.mark.parametrize("made_by", FRAMES)
def test_pages_in_a_frame_of_their_own(made_by: str) -> None:
    links = FRAMES[made_by]({"src": [7, 7, 9], "dst": [9, 8, 404]})
    pages = FRAMES[made_by](
        {"id": [7, 8, 9], "url": [A, B, C], "microdata": [0, 3, None], "score": [0.0, None, 2.5]}
    )
    world = load_world(links, pages)
    assert links_of(world) == {(A, C), (A, B)}
    assert world.links.dropped == 1
    assert simulate(world, "bfs", budget=3, objective="score").reward == 2.5
    assert simulate(world, "bfs", budget=3, objective="microdata>=3").relevant == 1


def test_types_of_pages() -> None:
    pages = {"url": [A, B], "types": [None, ["http://schema.org/Person"]]}
    run = simulate(load_world({"from": [A], "to": [B]}, pages), "bfs", budget=2, objective="type:schema:Person")
    assert run.relevant == 1


def test_a_networkx_graph() -> None:
    graph = nx.DiGraph()
    graph.add_node(A)
    graph.add_node("shop 1", label=True)
    graph.add_node(3, url=C, label=1)
    graph.add_edge(A, "shop 1", anchor="shop")
    graph.add_edge("shop 1", 3)
    world = load_world(graph)
    shop = "http://graph.example/shop%201"
    assert links_of(world) == {(A, shop), (shop, C)}
    assert relevant_in(world) == {shop, C}
    assert simulate(graph, "bfs", budget=3).relevant == 2


def test_links_of_an_undirected_graph_go_both_ways() -> None:
    graph = nx.path_graph(4)
    nx.set_node_attributes(graph, {0: 1.5, 3: 1.0}, "score")
    run = simulate(graph, "bfs", budget=4, objective="score", start="http://graph.example/2")
    assert (run.fetched, run.reward) == (4, 2.5)
    world = load_world(nx.karate_club_graph())
    assert (world.size, len(world.links.targets)) == (34, 156)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "tsv.gz"])
def test_an_edge_list_in_a_file(tmp_path: Path, ending: str) -> None:
    comma = "\t" if "tsv" in ending else ","
    quoted = f'"{D}"'
    rows = [("source", "target", "label"), (A, B, "yes"), (A, C, ""), (), (C, quoted, "1"), (B, quoted, "false")]
    content = ("\ufeff" + "\r\n".join(comma.join(row) for row in rows)).encode()
    path = tmp_path / f"edges.{ending}"
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    world = load_world(path)
    assert world.name == "edges"
    assert links_of(world) == {(A, C), (A, B), (C, D), (B, D)}
    assert relevant_in(world) == {B, D}


def test_a_directory_of_links_and_pages(tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text(f"source,target\n{A},{B}\n{A},{C}\n")
    (tmp_path / "pages.csv").write_text(f"url,score\n{A},\n{B},0.5\n{C},2\n")
    assert simulate(tmp_path, "bfs", budget=3, objective="score").reward == 2.5


def test_the_command_line_says_which_objective_to_use(tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text(f"source,target\n{A},{B}\n")
    (tmp_path / "pages.csv").write_text(f"url,score\n{A},\n{B},0.5\n")
    command = [sys.executable, "-m", "sundog", "simulate", str(tmp_path), "--policy", "bfs", "--budget", "2"]
    failed = subprocess.run(command, capture_output=True, text=True)
    assert failed.returncode != 0
    assert "use --for score" in failed.stderr
    done = subprocess.run([*command, "--for", "score"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("columns", "hint"),
    [({"score": [0, 1]}, "--for score"), ({"label": [0, 1]}, "--for any"), ({}, "--for score")],
)
def test_missing_counts_say_what_to_use_instead(columns: dict[str, list[int]], hint: str) -> None:
    world = load_world({"source": [A], "target": [B]}, {"url": [A, B], **columns})
    with pytest.raises(UsageError, match=hint):
        simulate(world, "bfs", budget=1, objective="microdata")


WRONG: dict[str, tuple[Any, Any, str]] = {
    "no columns": (7, None, "of type int; a frame of polars"),
    "pairs": ([(A, B)], None, "of type list"),
    "no target": ({"source": [A], "url": [B]}, None, "source and target.*there are: source, url"),
    "lengths": ({"source": [A], "target": []}, None, "different lengths"),
    "empty": ({"source": [A, ""], "target": [B, B]}, None, "'source' of the links is empty in row 1"),
    "nan": (pd.DataFrame({"source": [A, None], "target": [B, B]}), None, "empty in row 1"),
    "label": (
        {"source": [A], "target": [B], "label": ["maybe"]},
        None,
        "'label' of the links has 'maybe' in row 0",
    ),
    "number": ({"source": [A], "target": [B], "score": [1e300]}, None, "'score' of the links has 1e\\+300"),
    "link score": ({"source": [A], "target": [B], "score": [-1]}, None, "numbers from 0 on"),
    "no url": ({"source": [A], "target": [B]}, {"id": [1]}, "need the column url; there are: id"),
    "twice": ({"source": [A], "target": [B]}, {"url": [A, B, A]}, "twice; a page has one row"),
    "graph": (nx.path_graph(2), {"url": [A]}, "pages= is for links in a frame"),
    "path": ("somewhere", {"url": [A]}, "pages= is for links in a frame"),
    "unhashable": ({"source": [[A]], "target": [B]}, None, "'source' of the links has .* in row 0"),
    "no links": ({"source": [], "target": []}, None, "has no pages"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_in_one_sentence(name: str) -> None:
    links, pages, message = WRONG[name]
    with pytest.raises(SundogError, match=message):
        load_world(links, pages)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"source,target\n{A}\n".encode(), "line 2: 1 values, but the header names 2"),
        (b"a,a\n1,2\n", "same name"),
        (b"", "there are: none"),
        (b"source,target\n\xff,x\n", "cannot be read"),
        (b'source,target\n"a,b\n', "cannot be read"),
        (b"source,target\n" + b"x" * 200_000 + b",y\n", "cannot be read"),
        (f"source,target,label\n{A},{B},perhaps\n".encode(), "'label' of the links has 'perhaps' in row 0"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "edges.csv").write_bytes(content)
    with pytest.raises(SundogError, match=message) as caught:
        load_world(tmp_path / "edges.csv")
    assert "edges.csv" in str(caught.value)


def test_none_of_the_libraries_is_needed() -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['pyarrow', 'polars', 'pandas', 'networkx']))\n"
        "from sundog import simulate\n"
        "links = {'source': [1, 1], 'target': [2, 3], 'label': [0, 1]}\n"
        "print(simulate(links, 'bfs', budget=3).relevant)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("1\n", 0), done.stderr
