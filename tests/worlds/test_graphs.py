"""Synthetic scored graphs: sizes, sparsity, who links to whom, determinism, files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from sundog import load_world, simulate
from sundog.worlds.synthetic import GRAPHS, GraphProfile, SyntheticWeb, generate_graph, write

PAGES = 20_000


@pytest.fixture(scope="module", params=list(GRAPHS))
def profile(request: pytest.FixtureRequest) -> GraphProfile:
    return GRAPHS[request.param]


@pytest.fixture(scope="module")
def graph(profile: GraphProfile) -> SyntheticWeb:
    return generate_graph(profile, pages=PAGES, seed=3)


def sources_of(graph: SyntheticWeb) -> np.ndarray:
    return np.repeat(np.arange(graph.pages), np.diff(graph.link_offsets))


def scores_of(graph: SyntheticWeb) -> tuple[np.ndarray, np.ndarray]:
    assert graph.scores is not None
    assert graph.link_scores is not None
    return graph.scores, graph.link_scores


def test_has_the_size_and_the_sparsity_of_its_data_set(profile: GraphProfile, graph: SyntheticWeb) -> None:
    scores, link_scores = scores_of(graph)
    scored = round(profile.scored_share * PAGES)
    assert graph.pages == PAGES
    assert len(graph.link_targets) == pytest.approx(profile.links_per_node * PAGES, rel=1e-4)
    assert np.count_nonzero(scores) == scored
    assert np.count_nonzero(link_scores) == round(profile.scored_links * scored)


def test_links_are_a_set_of_pairs(graph: SyntheticWeb) -> None:
    sources = sources_of(graph)
    assert not np.any(sources == graph.link_targets)
    assert len(set(zip(sources.tolist(), graph.link_targets.tolist(), strict=True))) == len(sources)


def test_scores_are_smoothed_counts_and_a_links_words_stand_on_its_page(graph: SyntheticWeb) -> None:
    scores, link_scores = scores_of(graph)
    for some in (scores, link_scores):
        counts = np.exp(some[some > 0] - 1)
        assert np.allclose(counts, counts.round())
        assert counts.min() == 1
    assert np.all(link_scores <= scores[sources_of(graph)])


def test_degrees_are_heavy_tailed(graph: SyntheticWeb) -> None:
    incoming = np.bincount(graph.link_targets, minlength=PAGES)
    assert incoming.max() > 100 * incoming.mean() / 3
    assert np.median(incoming) < incoming.mean()
    assert np.diff(graph.link_offsets).argmax() == 0  # where a crawl begins unless it has another start


def test_rich_friends_make_you_richer(graph: SyntheticWeb) -> None:
    """The richer a page, the richer on average the pages that it links to."""
    scores, _ = scores_of(graph)
    own, target = scores[sources_of(graph)], scores[graph.link_targets]
    poor, some, rich = (target[part].mean() for part in (own == 0, (own > 0) & (own < 2), own >= 2))
    assert poor < some < rich


def test_links_with_words_around_them_lead_to_richer_pages(graph: SyntheticWeb) -> None:
    scores, link_scores = scores_of(graph)
    own, target = scores[sources_of(graph)], scores[graph.link_targets]
    of_scored = own > 0
    assert target[link_scores > 1].mean() > target[link_scores == 1].mean() > target[of_scored].mean()


def test_ids_tell_nothing(graph: SyntheticWeb) -> None:
    scores, _ = scores_of(graph)
    assert abs(np.corrcoef(np.arange(PAGES), scores)[0, 1]) < 0.03


def test_the_same_arguments_give_the_same_bytes() -> None:
    one, two, other = (generate_graph("keyword", pages=3_000, seed=seed) for seed in (9, 9, 10))
    for field in dataclasses.fields(SyntheticWeb):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(two, field.name))
    assert one.link_targets.tobytes() != other.link_targets.tobytes()


@pytest.mark.parametrize("pages", [2, 3, 31, 33, 200])
def test_small_graphs(pages: int) -> None:
    graph = generate_graph("keyword-france", pages=pages, seed=1)
    scores, _ = scores_of(graph)
    assert len(scores) == pages
    assert scores.max() > 0


def test_files_hold_the_graph(tmp_path: Path) -> None:
    graph = generate_graph("mentions-happy", pages=1_000, seed=2)
    write(graph, tmp_path / "g")
    world = load_world(tmp_path / "g")
    scores, link_scores = scores_of(graph)
    np.testing.assert_array_equal(world.pages.score(), scores)
    np.testing.assert_array_equal(world.links.targets, graph.link_targets)
    np.testing.assert_array_equal(world.links.scores, link_scores)
    assert (world.links.loops, world.links.merged, world.hosts) == (0, 0, 1)
    assert simulate(world, "oracle", budget=50, objective="score", start="random:5").reward > 50


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="unknown profile 'keywort'"):
        generate_graph("keywort", pages=100, seed=0)
    with pytest.raises(ValueError, match="pages = 1"):
        generate_graph("keyword", pages=1, seed=0)
    with pytest.raises(ValueError, match=r"locality = 1.5 is not in"):
        dataclasses.replace(GRAPHS["keyword"], locality=1.5)
    with pytest.raises(ValueError, match="more than 1 together"):
        dataclasses.replace(GRAPHS["keyword"], topic_share=0.9, size_share=0.2)
