"""The synthetic web: sizes, reachability, shares, URLs, determinism, files."""

import dataclasses
import re
from collections import defaultdict
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pyarrow.parquet as pq
import pytest

from sundog.worlds.synthetic import PROFILES, SyntheticWeb, generate, write

SYNTAXES = ["jsonld", "microdata", "rdfa", "microformats", "opengraph"]


@pytest.fixture(scope="module", params=list(PROFILES))
def web(request: pytest.FixtureRequest) -> SyntheticWeb:
    return generate(request.param, pages=20_000, hosts=1_600, seed=3)


@pytest.fixture(scope="module")
def web2014() -> SyntheticWeb:
    return generate("web2014", pages=60_000, hosts=5_000, seed=5)


def reached_from_root(web: SyntheticWeb) -> int:
    seen = np.zeros(web.pages, bool)
    seen[0] = True
    layer = np.array([0])
    while len(layer):
        spans = [web.link_targets[web.link_offsets[p] : web.link_offsets[p + 1]] for p in layer]
        found = np.unique(np.concatenate(spans))
        layer = found[~seen[found]]
        seen[layer] = True
    return int(seen.sum())


@pytest.mark.parametrize(("pages", "hosts"), [(1, 1), (2, 1), (200, 5), (300, 300), (5_000, 1), (7_001, 613)])
@pytest.mark.parametrize("profile", list(PROFILES))
def test_has_exactly_the_size_asked_for_and_every_page_is_reached(profile: str, pages: int, hosts: int) -> None:
    web = generate(profile, pages=pages, hosts=hosts, seed=1)
    assert web.pages == pages == len(web.url_offsets) - 1 == len(web.link_offsets) - 1
    assert len(np.unique(web.host_of)) == hosts
    assert all(len(web.counts[name]) == pages for name in SYNTAXES)
    assert reached_from_root(web) == pages


def test_it_is_shown_in_one_line() -> None:
    web = generate("web2014", pages=50, hosts=4, seed=1)
    assert repr(web) == f"SyntheticWeb(pages=50, hosts=4, links={len(web.link_targets)})"


def test_the_same_arguments_give_the_same_bytes() -> None:
    one, two, other = (generate("web2014", pages=4_000, hosts=300, seed=seed) for seed in (9, 9, 10))
    for field in dataclasses.fields(SyntheticWeb):
        if field.name != "counts":
            np.testing.assert_array_equal(getattr(one, field.name), getattr(two, field.name))
    for name in SYNTAXES:
        np.testing.assert_array_equal(one.counts[name], two.counts[name])
    assert one.url_bytes.tobytes() != other.url_bytes.tobytes()


def test_links_are_distinct_and_about_as_many_as_on_the_web(web: SyntheticWeb) -> None:
    source = np.repeat(np.arange(web.pages), np.diff(web.link_offsets))
    assert len(np.unique(source * web.pages + web.link_targets)) == len(source)
    assert not np.any(source == web.link_targets)
    assert 9 <= len(source) / web.pages <= 17
    assert 0.01 <= np.mean(np.diff(web.link_offsets) == 0) <= 0.12  # dead ends


def test_relevant_pages_are_as_many_as_the_profile_says(web2014: SyntheticWeb) -> None:
    assert web2014.relevant().mean() == pytest.approx(0.274, abs=0.01)
    assert (web2014.counts["microdata"] >= 5).mean() == pytest.approx(0.0325, abs=0.006)


def test_web2024_is_led_by_jsonld_and_half_relevant() -> None:
    web = generate("web2024", pages=60_000, hosts=5_000, seed=5)
    pages = {name: (web.counts[name] > 0).mean() for name in SYNTAXES}
    assert web.relevant().mean() == pytest.approx(0.47, abs=0.01)
    assert pages["jsonld"] > pages["microdata"] > pages["microformats"] > pages["rdfa"]
    hosts = np.bincount(web.host_of, web.relevant()) > 0
    assert hosts.mean() == pytest.approx(0.42, abs=0.06)


def explained(labels: np.ndarray, groups: np.ndarray) -> float:
    """Share of the labels' variance that lies between groups."""
    _, number = np.unique(groups, return_inverse=True)
    means = np.bincount(number, labels) / np.bincount(number)
    return float(np.var(means[number]) / np.var(labels))


def first_segments(web: SyntheticWeb) -> np.ndarray:
    return np.array([hash((h, urlsplit(web.url(p)).path.split("/")[1])) for p, h in enumerate(web.host_of)])


def test_host_explains_much_and_host_with_first_segment_more(web2014: SyntheticWeb) -> None:
    labels = web2014.relevant().astype(float)
    by_host = explained(labels, web2014.host_of)
    assert 0.5 <= by_host <= 0.92
    assert by_host + 0.05 <= explained(labels, first_segments(web2014)) <= 0.95


def test_on_the_adverse_web_nothing_explains_the_label() -> None:
    web = generate("adverse", pages=60_000, hosts=1_000, seed=5)
    labels, groups = web.relevant().astype(float), web.host_of
    by_chance = len(np.unique(groups)) / web.pages
    assert explained(labels, groups) == pytest.approx(by_chance, rel=0.3)
    source = np.repeat(np.arange(web.pages), np.diff(web.link_offsets))
    assert abs(np.corrcoef(labels[source], labels[web.link_targets])[0, 1]) < 0.02


def test_ids_tell_nothing(web2014: SyntheticWeb) -> None:
    labels, ids = web2014.relevant().astype(float), np.arange(web2014.pages)
    assert abs(np.corrcoef(ids, labels)[0, 1]) < 0.02
    assert abs(np.corrcoef(ids[1:], web2014.host_of[1:])[0, 1]) < 0.02


def test_urls_are_unique_and_parse_and_a_host_is_a_host_name(web: SyntheticWeb) -> None:
    urls = [web.url(page) for page in range(web.pages)]
    assert len(set(urls)) == len(urls)
    names = defaultdict(set)
    for url, host in zip(urls, web.host_of.tolist(), strict=True):
        parts = urlsplit(url)
        assert parts.scheme in ("http", "https")
        assert re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", parts.netloc), url
        assert re.fullmatch(r"[!-~]+", url), url
        names[parts.netloc].add(host)
    assert len(names) == len(np.unique(web.host_of))
    assert all(len(hosts) == 1 for hosts in names.values())


def test_no_token_of_a_path_gives_the_label_away(web2014: SyntheticWeb) -> None:
    pages, hits, hosts = defaultdict(int), defaultdict(int), defaultdict(set)
    for page, relevant in enumerate(web2014.relevant().tolist()):
        path = web2014.url(page).split("/", 3)[3]
        for token in set(re.findall(r"[A-Za-z0-9]{3,}", path)):
            pages[token] += 1
            hits[token] += relevant
            hosts[token].add(web2014.host_of[page])
    # a token of a few hosts has the label of those hosts, as on the Web
    common = [token for token, count in pages.items() if count >= 50 and len(hosts[token]) >= 5]
    assert len(common) > 500
    assert [token for token in common if hits[token] in (0, pages[token])] == []


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"pages": 3, "hosts": 5}, "pages = 3 is less than hosts = 5"),
        ({"pages": 3, "hosts": 0}, "at least one host"),
    ],
)
def test_impossible_sizes_are_named(sizes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        generate("web2014", seed=1, **sizes)


def test_wrong_profiles_are_named() -> None:
    with pytest.raises(ValueError, match="unknown profile 'web1999'"):
        generate("web1999", pages=10, hosts=2, seed=1)
    with pytest.raises(ValueError, match="relevant_share = 2"):
        dataclasses.replace(PROFILES["web2014"], relevant_share=2)


def test_files_hold_the_web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.worlds.synthetic.web.PAGE_ROWS", 1_000)
    monkeypatch.setattr("sundog.worlds.synthetic.web.LINK_PAGES", 700)
    web = generate("web2014", pages=3_000, hosts=200, seed=2)
    reported: list[str] = []
    write(web, tmp_path / "world", progress=reported.append)
    pages = pq.read_table(tmp_path / "world" / "pages.parquet")
    links = pq.read_table(tmp_path / "world" / "links.parquet")
    assert [(f.name, str(f.type)) for f in pages.schema][:3] == [
        ("id", "int64"),
        ("url", "string"),
        ("jsonld", "int32"),
    ]
    assert [(f.name, str(f.type)) for f in links.schema] == [("src", "int64"), ("dst", "int64")]
    assert pages["id"].to_pylist() == list(range(3_000))
    assert pages["url"].to_pylist() == [web.url(page) for page in range(3_000)]
    for name in SYNTAXES:
        np.testing.assert_array_equal(pages[name].to_numpy(), web.counts[name])
    np.testing.assert_array_equal(links["dst"].to_numpy(), web.link_targets)
    np.testing.assert_array_equal(np.bincount(links["src"].to_numpy(), minlength=3_000), np.diff(web.link_offsets))
    assert sorted(path.name for path in (tmp_path / "world").iterdir()) == ["links.parquet", "pages.parquet"]
    assert reported


def test_nothing_stays_behind_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web = generate("web2014", pages=300, hosts=20, seed=2)

    def broken(_: SyntheticWeb) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("sundog.worlds.synthetic.web._link_tables", broken)
    with pytest.raises(OSError, match="disk full"):
        write(web, tmp_path)
    monkeypatch.setattr("sundog.worlds.synthetic.web._link_tables", lambda web: iter([None]))
    with pytest.raises(AttributeError):
        write(web, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_generation_reports_its_progress() -> None:
    reported: list[str] = []
    generate("web2014", pages=200, hosts=5, seed=1, progress=reported.append)
    assert len(reported) >= 4
