"""The synthetic Web of Data: sizes, shares, who has links, what gives the label away, determinism, files."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from sundog import load_world, simulate
from sundog.policies.linked.rdf_hints import OTHER_EXTENSIONS, RDF_EXTENSIONS, by_content_type
from sundog.worlds.synthetic import LINKED, SyntheticWeb, generate_linked, write

PAGES, HOSTS = 30_000, 600


@pytest.fixture(scope="module")
def web() -> SyntheticWeb:
    return generate_linked("linked-data", pages=PAGES, hosts=HOSTS, seed=4)


def rdf_of(web: SyntheticWeb) -> np.ndarray:
    return np.asarray(web.counts["rdf"] > 0)


def types_of(web: SyntheticWeb) -> list[str]:
    assert web.content_types is not None
    return [web.content_types.names[code] for code in web.content_types.codes]


def extension(url: str) -> str:
    found = re.search(r"/[^/]*\.([a-z0-9]+)$", re.split("[?#]", url)[0].partition("//")[2])
    return found[1] if found else ""


def test_has_exactly_the_size_asked_for_and_uris_are_unique(web: SyntheticWeb) -> None:
    urls = [web.url(page) for page in range(PAGES)]
    assert len(set(urls)) == PAGES
    assert len(set(web.host_of.tolist())) == HOSTS
    assert len({url.split("/")[2] for url in urls}) == HOSTS


def test_three_of_ten_uris_lead_to_rdf(web: SyntheticWeb) -> None:
    assert 0.24 < rdf_of(web).mean() < 0.36


def test_hard_uris_are_as_rare_as_in_the_paper(web: SyntheticWeb) -> None:
    """The paper sets ε to the ratio of positive to negative hard URIs, .17."""
    rdf, types = rdf_of(web), types_of(web)
    ends = [extension(web.url(page)) for page in range(PAGES)]
    by_name = np.array([end in RDF_EXTENSIONS or end in OTHER_EXTENSIONS for end in ends])
    by_type = np.array([kind != "" and by_content_type(kind) != 0 for kind in types])
    hard = ~by_name & ~by_type
    assert 0.1 < (rdf & hard).sum() / (~rdf & hard).sum() < 0.3


def test_a_sixth_of_native_rdf_is_misdeclared() -> None:
    rates = []
    for seed in range(3):
        one = generate_linked("linked-data", pages=PAGES, hosts=3000, seed=seed)
        native = rdf_of(one) & (one.counts["rdfa"] + one.counts["jsonld"] == 0)
        wrong = np.array([by_content_type(kind) != 1 for kind in types_of(one)])
        rates.append(wrong[native].mean())
    assert 0.1 < np.mean(rates) < 0.25


def test_only_documents_with_rdf_have_links_and_every_uri_is_linked(web: SyntheticWeb) -> None:
    degree = np.diff(web.link_offsets)
    assert not degree[~rdf_of(web)].any()
    assert len(np.unique(web.link_targets)) > 0.99 * PAGES
    sources = np.repeat(np.arange(PAGES), degree)
    assert not np.any(sources == web.link_targets)


def test_dead_uris_lead_to_nothing(web: SyntheticWeb) -> None:
    assert web.statuses is not None
    dead = web.statuses == 404
    assert 0.05 < dead.mean() < 0.2
    assert not rdf_of(web)[dead].any()
    assert all(not kind for kind, gone in zip(types_of(web), dead, strict=True) if gone)


def test_a_host_explains_something_and_a_namespace_more(web: SyntheticWeb) -> None:
    rdf = rdf_of(web)
    namespaces = [re.sub(r"\d+", "0", web.url(page)).rpartition("/")[0] for page in range(PAGES)]

    def explained(groups: list[str] | list[int]) -> float:
        totals: dict[str | int, list[bool]] = defaultdict(list)
        for group, label in zip(groups, rdf.tolist(), strict=True):
            totals[group].append(label)
        between = sum(len(labels) * (np.mean(labels) - rdf.mean()) ** 2 for labels in totals.values())
        return float(between / len(rdf) / (rdf.mean() * (1 - rdf.mean())))

    assert 0.2 < explained(web.host_of.tolist()) < explained(namespaces) < 0.9


def test_no_word_of_a_path_and_no_property_gives_the_label_away(web: SyntheticWeb) -> None:
    """But for properties of images only, and the extensions of RDF, which are hints on purpose."""
    assert web.link_properties is not None
    rdf = rdf_of(web)
    by_word = defaultdict(set)
    for page in range(PAGES):
        url = web.url(page)
        if extension(url) in ("", "html", "htm", "xml"):
            for word in set(re.findall("[a-z]+", url.partition("//")[2].partition("/")[2])):
                by_word[word].add((int(web.host_of[page]), bool(rdf[page])))
    common = {word: seen for word, seen in by_word.items() if len({host for host, _ in seen}) > 20}
    assert {"item", "page", "node"} <= common.keys()
    assert {word for word, seen in common.items() if len({label for _, label in seen}) == 1} <= {"photo", "media"}
    links = np.bincount(web.link_properties.codes)
    shares = np.bincount(web.link_properties.codes, rdf[web.link_targets]) / np.maximum(1, links)
    for name, share in zip(web.link_properties.names, shares, strict=False):
        if name.endswith(("#seeAlso", "terms/relation")):
            assert 0.05 < share < 0.8


def test_the_same_arguments_give_the_same_bytes() -> None:
    one, other = (generate_linked("linked-data", pages=2000, hosts=50, seed=7) for _ in range(2))
    assert one.url_bytes.tobytes() == other.url_bytes.tobytes()
    assert one.link_targets.tobytes() == other.link_targets.tobytes()
    third = generate_linked("linked-data", pages=2000, hosts=50, seed=8)
    assert one.link_targets.tobytes() != third.link_targets.tobytes()


def test_files_hold_the_web(tmp_path: Path, web: SyntheticWeb) -> None:
    write(web, tmp_path)
    world = load_world(tmp_path)
    assert world.size == PAGES
    assert world.content_types is not None
    names = [world.content_types.names[code] if code >= 0 else "" for code in world.content_types.codes]
    assert names == types_of(web)
    assert web.link_properties is not None
    page = int(np.flatnonzero(rdf_of(web))[3])
    codes = web.link_properties.codes[web.link_offsets[page] : web.link_offsets[page + 1]]
    properties = [world.links.texts[path] for path in world.links_of(page).paths]
    assert properties == [web.link_properties.names[code] for code in codes]
    run = simulate(world, "bfs", budget=PAGES, objective="rdf")
    assert run.fetched > 0.9 * PAGES
    assert 0.2 < simulate(world, "bfs", budget=3000, objective="rdf").harvest_rate < 0.4


@pytest.mark.parametrize("sizes", [{"pages": 100, "hosts": 11}, {"pages": 50, "hosts": 5}])
def test_impossible_sizes_are_named(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="10 hosts or more"):
        generate_linked("linked-data", **sizes, seed=1)


def test_a_profile_can_be_changed_and_a_wrong_one_is_named() -> None:
    open_web = dataclasses.replace(LINKED["linked-data"], dead_hosts=0.0, dead_uris=0.0)
    assert (np.asarray(generate_linked(open_web, pages=1000, hosts=30, seed=1).statuses) == 200).all()
    with pytest.raises(ValueError, match="choose from linked-data"):
        generate_linked("linked", pages=1000, hosts=30, seed=1)
