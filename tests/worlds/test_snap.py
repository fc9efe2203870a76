"""Edge lists of the Stanford collection: numbers, scores, and everything that can be wrong with a line."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog import SundogError, load_world, simulate
from sundog.errors import UsageError
from sundog.worlds.static import StaticWorld

EDGES = "# Directed graph: x\n# FromNodeId\tToNodeId\n30\t7 # seven\n30\t10\n7\t30\n10\t99\n"


def edges_of(world: StaticWorld) -> list[tuple[int, int]]:
    ids = world.pages.ids
    return [(int(ids[row]), int(ids[to])) for row in range(world.size) for to in world.links_of(row).targets]


@pytest.mark.parametrize("name", ["graph.txt", "graph.txt.gz"])
@pytest.mark.parametrize("by_directory", [False, True])
def test_an_edge_list_is_a_world(tmp_path: Path, name: str, by_directory: bool) -> None:
    content = EDGES.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    world = load_world(tmp_path if by_directory else tmp_path / name)
    assert world.name == "graph"
    assert world.pages.ids.tolist() == [7, 10, 30, 99]
    assert world.url(2) == "http://graph.example/30"
    assert edges_of(world) == [(7, 30), (10, 99), (30, 7), (30, 10)]
    assert not len(world.links.scores)
    with pytest.raises(UsageError, match="pages have no score"):
        simulate(world, "bfs", budget=1, objective="score")


def test_scores_of_nodes_and_links(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("1 2 0.5\r\n1   3\t1e-3 # near\n2 1 2\n1 2 3.25\n2 2 1\n\n")
    (tmp_path / "scores.tsv").write_text("# node score\n3\t1.7\n8 2\n")
    world = load_world(tmp_path)
    assert world.pages.ids.tolist() == [1, 2, 3, 8]
    assert world.pages.score().tolist() == [0, 0, 1.7, 2]
    assert edges_of(world) == [(1, 2), (1, 3), (2, 1)]
    assert world.links.scores.tolist() == [3.25, 0.001, 2]
    assert (world.links.loops, world.links.merged) == (1, 1)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ("1 2\n3\n", "line 2: does not begin with two node numbers"),
        ("# c\n\n1 x\n", "line 3: does not begin with two node numbers"),
        ("-1 2\n", "line 1: does not begin with two node numbers"),
        ("1 2.5\n", "line 1: does not begin with two node numbers"),
        ("1 1234567890123456789\n", "line 1: has a number with more than 18 digits"),
        ("1 2 3 4\n", "line 1: has more than two node numbers and a score"),
        ("1 2 0.5\n# c\n1 3 nan\n", "line 3: has the score 'nan'"),
        ("1 2 0.5\n1 3 -2\n", "line 2: has the score '-2'"),
        ("1 2 0.5\n1 3 inf\n", "line 2: has the score 'inf'"),
        ("1 2 0.5\n1 3 much\n", "line 2: has the score 'much'"),
        ("1 2 0.5\n1 3 ü\n", "line 2: has the score 'ü'"),
        ("1 2 0.5\n\n1 3\n", "line 3: has no score, though others have"),
        ("# nothing\n", "has no pages"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, edges: str, message: str) -> None:
    (tmp_path / "g.txt").write_text(edges, encoding="utf-8")
    with pytest.raises(SundogError, match=message) as caught:
        load_world(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ("1 2 3\n", "line 1: has more than a node's number and a score"),
        ("1\n", "has no scores"),
        ("1 2\n2 -3\n", "line 2: has the score '-3'"),
        ("1 2\n1 3\n", "node 1 has two scores"),
    ],
)
def test_a_malformed_score_is_named(tmp_path: Path, scores: str, message: str) -> None:
    (tmp_path / "g.txt").write_text("1 2\n")
    (tmp_path / "scores.tsv").write_text(scores)
    with pytest.raises(SundogError, match=message):
        load_world(tmp_path)


def test_several_edge_lists_are_refused(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt.gz"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(SundogError, match=r"several edge lists \(a.txt, b.txt.gz\)"):
        load_world(tmp_path)


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(b"1 2\n")
    with pytest.raises(SundogError, match="cannot be read"):
        load_world(tmp_path)


@settings(deadline=None)  # the first one compiles kernels
@given(
    st.lists(
        st.tuples(st.integers(0, 30) | st.integers(0, 10**17), st.integers(0, 30), st.floats(0, 1e9)), min_size=1
    )
)
def test_reads_as_the_obvious_program_does(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[int, int, float]]
) -> None:
    path = tmp_path_factory.mktemp("snap") / "g.txt"
    path.write_text("".join(f"{source}\t{target}\t{score!r}\n" for source, target, score in lines))
    best: dict[tuple[int, int], float] = {}
    for source, target, score in lines:
        if source != target:
            best[source, target] = max(score, best.get((source, target), 0.0))
    world = load_world(path)
    scores = [world.links_of(row).scores for row in range(world.size)]
    found = dict(zip(edges_of(world), np.concatenate(scores).tolist(), strict=True))
    assert found == best
    assert world.links.loops == sum(source == target for source, target, _ in lines)
