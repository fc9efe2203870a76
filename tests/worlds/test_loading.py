"""Static worlds from both formats, and everything that can be wrong with their files."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sundog import SundogError, load_world, simulate
from sundog.errors import UsageError
from sundog.objectives import parse_objective

URLS = ["http://a.example/", "http://a.example/1", "http://b.example/x", "http://c.example/ü"]
IDS = [70, 3, 12, 5]
LINKS = [(70, 3), (70, 12), (12, 5), (3, 70)]


def write_parquet(directory: Path, pages: dict[str, Any], links: dict[str, Any] | None = None) -> Path:
    directory.mkdir(exist_ok=True)
    if links is None:
        links = {"src": [a for a, _ in LINKS], "dst": [b for _, b in LINKS]}
    pq.write_table(pa.table(pages), directory / "pages.parquet")
    pq.write_table(pa.table(links), directory / "links.parquet")
    return directory


def write_tsv(directory: Path, *, packed: bool = False, **texts: str) -> Path:
    directory.mkdir(exist_ok=True)
    files = {
        "index": "".join(f"{page}\t{url}\n" for page, url in zip(IDS, URLS, strict=True)),
        "network": "70\t3\t12\n12\t5\n3\t70\n",
        "labels": "3\n5\n",
        **texts,
    }
    for name, text in files.items():
        path = directory / f"{name}.tsv{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return directory


def good_pages(**more: Any) -> dict[str, Any]:
    return {"id": IDS, "url": URLS, "microdata": [0, 2, 0, 1], **more}


def links_of(world: Any) -> list[list[int]]:
    return [world.pages.ids[world.links_of(row).targets].tolist() for row in range(world.size)]


def rewards(world: Any, objective: str) -> list[float]:
    return np.asarray(parse_objective(objective).rewards(world.pages), float).tolist()


# --- Parquet


def test_parquet_ids_may_be_unordered_and_have_gaps(tmp_path: Path) -> None:
    world = load_world(write_parquet(tmp_path / "w", good_pages()))
    assert world.name == "w"
    assert (world.size, world.hosts) == (4, 3)
    assert world.pages.ids.tolist() == IDS
    assert [world.url(row) for row in range(4)] == URLS
    assert [world.host_name(host) for host in range(3)] == ["a.example", "b.example", "c.example"]
    assert links_of(world) == [[3, 12], [70], [5], []]
    assert world.row_of("12") == world.row_of("http://b.example/x") == 2
    assert rewards(world, "any") == [0, 1, 0, 1]


def test_a_property_is_the_path_of_a_link_that_has_no_tag_path(tmp_path: Path) -> None:
    knows = "http://xmlns.com/foaf/0.1/knows"
    links = {
        "src": [70, 70, 70],
        "dst": [3, 12, 5],
        "tag_path": ["a", None, None],
        "property": [knows, knows, None],
    }
    world = load_world(write_parquet(tmp_path / "w", good_pages(), links))
    paths = world.links_of(0).paths
    assert [world.links.texts[path] if path >= 0 else None for path in paths] == ["a", knows, None]
    assert world.links_of(0).anchors.tolist() == [-1, -1, -1]


def test_links_keep_the_order_of_the_page_and_their_texts(tmp_path: Path) -> None:
    links = {
        "src": [12, 70, 12, 70],
        "dst": [5, 12, 3, 3],
        "anchor": ["five", None, "three", "three"],
        "tag_path": ["p a", "li a", "p a", None],
    }
    world = load_world(write_parquet(tmp_path / "w", good_pages(), links))
    assert links_of(world) == [[12, 3], [], [5, 3], []]

    def words(ids: Any) -> list[str | None]:
        return [world.links.texts[i] if i >= 0 else None for i in ids]

    batch = world.links_of(2)
    assert (words(batch.anchors), words(batch.paths)) == (["five", "three"], ["p a", "p a"])
    batch = world.links_of(0)
    assert (words(batch.anchors), words(batch.paths)) == ([None, "three"], ["li a", None])


@pytest.mark.parametrize("ids", [IDS, [0, 1, 2, 3]])
def test_links_to_or_from_unknown_ids_are_dropped_and_counted(tmp_path: Path, ids: list[int]) -> None:
    links = {"src": [ids[0], ids[0], 99, ids[0], -1], "dst": [99, ids[1], ids[1], 2**40, ids[0]]}
    world = load_world(write_parquet(tmp_path / "w", good_pages(id=ids), links))
    assert world.links.dropped == 4
    assert links_of(world) == [[ids[1]], [], [], []]


def test_a_world_without_links_is_a_world(tmp_path: Path) -> None:
    none = pa.array([], pa.int64())
    world = load_world(write_parquet(tmp_path / "w", good_pages(), {"src": none, "dst": none}))
    assert links_of(world) == [[], [], [], []]
    assert simulate(world, "bfs", budget=2).stopped == "frontier empty"


def test_missing_urls_do_no_harm(tmp_path: Path) -> None:
    world = load_world(write_parquet(tmp_path / "w", good_pages(url=pa.array([None] * 4, pa.string()))))
    assert world.url(0) == ""
    assert simulate(world, "sundog", budget=4).fetched == 4


def test_types_in_any_spelling_of_their_namespace(tmp_path: Path) -> None:
    types = [["http://schema.org/Recipe"], None, ["https://schema.org/Recipe", "http://x.example/T"], []]
    world = load_world(write_parquet(tmp_path / "w", good_pages(types=types)))
    assert rewards(world, "type:schema:Recipe") == [1, 0, 1, 0]
    assert rewards(world, "type:http://x.example/T") == [0, 0, 1, 0]
    assert rewards(world, "type:schema:Product") == [0, 0, 0, 0]


def test_scores_are_graded_rewards(tmp_path: Path) -> None:
    world = load_world(write_parquet(tmp_path / "w", good_pages(score=[0.5, 0.0, 2.5, None])))
    assert rewards(world, "score") == [0.5, 0, 2.5, 0]
    assert simulate(world, "sundog", budget=4, objective="score").reward == 3.0


@pytest.mark.parametrize("score", [-1.0, float("nan"), float("inf")])
def test_a_bad_score_is_named_by_its_row_once_scores_are_wanted(tmp_path: Path, score: float) -> None:
    world = load_world(write_parquet(tmp_path / "w", good_pages(score=[0.5, 0.0, score, None])))
    assert rewards(world, "any") == [0, 1, 0, 1]
    with pytest.raises(SundogError, match=r"row 2 \(id 12, http://b.example/x\) has the score"):
        simulate(world, "bfs", budget=1, objective="score")


def test_a_world_without_scores_says_so(tmp_path: Path) -> None:
    world = load_world(write_parquet(tmp_path / "w", good_pages()))
    with pytest.raises(UsageError, match="pages have no score"):
        simulate(world, "bfs", budget=1, objective="score")


def test_in_a_scored_graph_loops_vanish_and_duplicates_keep_the_largest_score(tmp_path: Path) -> None:
    links = {
        "src": [70, 70, 70, 70, 12, 12, 12],
        "dst": [3, 12, 3, 70, 5, 12, 5],
        "score": [1.0, 0.0, 2.5, 9.0, 3.0, 1.0, None],
        "anchor": ["a", "b", "c", "d", "e", "f", "g"],
    }
    world = load_world(write_parquet(tmp_path / "w", good_pages(), links))
    assert links_of(world) == [[3, 12], [], [5], []]
    assert (world.links.loops, world.links.merged) == (2, 2)
    first = world.links_of(0)
    assert first.scores.tolist() == [2.5, 0.0]
    assert [world.links.texts[i] for i in first.anchors] == ["a", "b"]
    assert world.links_of(2).scores.tolist() == [3.0]


@pytest.mark.parametrize("texts", [{}, {"anchor": ["a", "b", "c"]}])
def test_links_of_pages_with_anchors_are_no_edges(tmp_path: Path, texts: dict[str, Any]) -> None:
    links = {"src": [70, 70, 70], "dst": [3, 3, 70], **texts}
    world = load_world(write_parquet(tmp_path / "w", good_pages(score=[1.0] * 4), links))
    assert links_of(world)[0] == ([3, 3, 70] if texts else [3])


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ({"url": URLS}, "no column 'id'; it has url"),
        ({"id": IDS}, "no column 'url'; it has id"),
        (good_pages(id=[1, 2, 1, 3]), "page id 1 occurs twice"),
        (good_pages(id=["a", "b", "c", "d"]), "column 'id' is not numeric"),
        (good_pages(microdata=["many"] * 4), "column 'microdata' is not numeric"),
        (good_pages(url=[[1], [2], [3], [4]]), "column 'url' is not text"),
        (good_pages(types=["a", "b", "c", "d"]), "column 'types' is not a list of strings"),
        ({"id": pa.array([], pa.int64()), "url": pa.array([], pa.string())}, "'w' has no pages"),
    ],
)
def test_broken_pages_are_refused_in_one_sentence(tmp_path: Path, pages: dict[str, Any], message: str) -> None:
    directory = write_parquet(tmp_path / "w", pages)
    with pytest.raises(SundogError, match=message) as caught:
        load_world(directory)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"src": [70]}, "no column 'dst'"),
        ({"src": [70], "dst": ["x"]}, "column 'dst' is not numeric"),
        ({"src": [70], "dst": [3], "anchor": [[1]]}, "column 'anchor' is not text"),
        ({"src": [70, 3], "dst": [3, 12], "score": [1.0, float("nan")]}, r"row 1 \(the link from 3 to 12\)"),
        ({"src": [70, 3], "dst": [3, 12], "score": [-0.5, 0.0]}, "row 0 .* its score is -0.5"),
        ({"src": [70], "dst": [3], "score": [float("inf")]}, "its score is inf"),
    ],
)
def test_broken_links_are_refused_in_one_sentence(tmp_path: Path, links: dict[str, Any], message: str) -> None:
    directory = write_parquet(tmp_path / "w", good_pages(), links)
    with pytest.raises(SundogError, match=message) as caught:
        load_world(directory)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["pages.parquet", "links.parquet"])
def test_a_missing_parquet_file_is_named(tmp_path: Path, name: str) -> None:
    directory = write_parquet(tmp_path / "w", good_pages())
    (directory / name).unlink()
    with pytest.raises(SundogError, match=f"{name} is missing"):
        load_world(directory)


@pytest.mark.parametrize("content", [b"", b"id,url\n1,http://a.example/\n", b"PAR1 and nothing more"])
def test_a_file_that_is_not_parquet_is_named(tmp_path: Path, content: bytes) -> None:
    directory = write_parquet(tmp_path / "w", good_pages())
    (directory / "pages.parquet").write_bytes(content)
    with pytest.raises(SundogError, match=r"pages.parquet cannot be read as Parquet") as caught:
        load_world(directory)
    assert "\n" not in str(caught.value)


# --- TSV


@pytest.mark.parametrize("packed", [False, True])
def test_tsv_plain_and_packed(tmp_path: Path, packed: bool) -> None:
    world = load_world(write_tsv(tmp_path / "w", packed=packed))
    assert world.pages.ids.tolist() == IDS
    assert [world.url(row) for row in range(4)] == URLS
    assert links_of(world) == [[3, 12], [70], [5], []]
    assert rewards(world, "any") == [0, 1, 0, 1]


def test_tsv_of_other_systems(tmp_path: Path) -> None:
    directory = write_tsv(
        tmp_path / "w",
        index="1\thttp://a.example/\r\n\r\n2\thttp://a.example/b\r\n",
        network="1\t2\t\r\n\n2\t1",
        labels="2\tmicrodata\t7\r\n",
    )
    world = load_world(directory)
    assert [world.url(row) for row in range(2)] == ["http://a.example/", "http://a.example/b"]
    assert links_of(world) == [[2], [1]]
    assert rewards(world, "any") == [0, 1]


def test_tsv_links_to_unknown_ids_are_dropped_and_counted(tmp_path: Path) -> None:
    world = load_world(write_tsv(tmp_path / "w", network="70\t3\t404\n404\t3\n"))
    assert world.links.dropped == 2
    assert links_of(world) == [[3], [], [], []]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"index": "1\thttp://a/\nx\thttp://b/\n"}, r"index.tsv, line 2: is not a whole number"),
        ({"index": "1\thttp://a/\n\n2 http://b/\n"}, r"index.tsv, line 3: is not a whole number"),
        ({"index": "1\thttp://a/\n2\n"}, r"index.tsv, line 2: has no tab"),
        ({"index": f"{'9' * 19}\thttp://a/\n"}, r"index.tsv, line 1: has a number with more than 18 digits"),
        ({"index": "7\thttp://a/\n7\thttp://b/\n", "labels": "7\n"}, "page id 7 occurs twice"),
        ({"index": ""}, "nothing is relevant|no pages"),
        ({"network": "70\t3\n12\tfive\n"}, r"network.tsv, line 2: is not a whole number"),
        ({"network": "70\t3\t\t12\n"}, r"network.tsv, line 1: is not a whole number"),
        ({"network": "70\r3\r12\r5\r3\r70\r12\r5"}, r"network.tsv, line 1: is not a whole number"),
        ({"labels": "3\n-\n"}, r"labels.tsv, line 2: is not a whole number"),
        ({"labels": "404\n405\n"}, r"labels.tsv: none of its 2 ids is a page"),
        ({"labels": ""}, r"labels.tsv: none of its 0 ids is a page"),
    ],
)
def test_malformed_lines_are_named_by_number(tmp_path: Path, texts: dict[str, str], message: str) -> None:
    with pytest.raises(SundogError, match=message) as caught:
        load_world(write_tsv(tmp_path / "w", **texts))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["network", "labels"])
def test_a_missing_tsv_file_is_named(tmp_path: Path, name: str) -> None:
    directory = write_tsv(tmp_path / "w")
    (directory / f"{name}.tsv").unlink()
    with pytest.raises(SundogError, match=rf"{name}.tsv \(or {name}.tsv.gz\) is missing"):
        load_world(directory)


@pytest.mark.parametrize(
    "content", [b"not gzip", gzip.compress(b"1\thttp://a/\n" * 99, mtime=0)[:-12], b"\x1f\x8b\x08\x00" * 9]
)
def test_a_damaged_gz_file_is_named(tmp_path: Path, content: bytes) -> None:
    directory = write_tsv(tmp_path / "w", packed=True)
    (directory / "network.tsv.gz").write_bytes(content)
    with pytest.raises(SundogError, match=r"network.tsv.gz cannot be read"):
        load_world(directory)


# --- either


def test_what_is_no_world_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SundogError, match="is not a directory"):
        load_world(tmp_path / "nowhere")
    with pytest.raises(SundogError, match="is no world"):
        load_world(tmp_path)


@pytest.mark.parametrize("start", ["404", "--3", "9" * 30, "http://a.example/nope", "²"])
def test_a_start_that_is_no_page_is_refused(tmp_path: Path, start: str) -> None:
    world = load_world(write_parquet(tmp_path / "w", good_pages()))
    with pytest.raises(UsageError, match="neither the id nor the URL"):
        world.row_of(start)


@pytest.mark.parametrize("policy", ["bfs", "anthelion", "sundog"])
def test_both_formats_of_a_world_give_the_same_crawl(tmp_path: Path, small_world: Any, policy: str) -> None:
    ids = small_world.pages.ids.tolist()
    relevant = np.flatnonzero(small_world.pages.has_markup()).tolist()
    directory = write_tsv(
        tmp_path / "w",
        packed=True,
        index="".join(f"{page}\t{small_world.url(row)}\n" for row, page in enumerate(ids)),
        network="".join(
            "\t".join(map(str, [a, *bs])) + "\n" for a, bs in zip(ids, links_of(small_world), strict=True)
        ),
        labels="".join(f"{ids[row]}\n" for row in relevant),
    )
    one, two = (simulate(world, policy, budget=300, seed=4) for world in (small_world, load_world(directory)))
    assert one.trace.pages.tolist() == two.trace.pages.tolist()
    assert one.relevant == two.relevant
