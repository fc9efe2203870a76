"""The lab that judges variants of policies, on a tiny web in place of the development data."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from benchmarks import lab, policies, trials
from benchmarks.families import many_hosts
from benchmarks.families.parts import jittered, part_of
from benchmarks.families.single_sites import cells
from benchmarks.trials import Cell, Family, Row, Variant, estimate

from sundog import load_world, simulate
from sundog.policies.presets import POLICIES, find_policy
from sundog.worlds.static import StaticWorld
from sundog.worlds.synthetic import generate, write

PLUG_IN = find_policy("success-rate")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders named as those of real sites; the root of the web is the directory of its hosts."""
    directory = tmp_path_factory.mktemp("data")
    for name in ("sites", "sites-small"):
        write(generate("web2014", pages=4_000, hosts=12, seed=2), directory / name)
    return directory


@pytest.fixture(scope="module")
def world(data: Path) -> StaticWorld:
    return load_world(data / "sites")


def links(world: StaticWorld, page: int) -> list[str]:
    return [world.url(target) for target in world.links_of(page).targets.tolist()]


def test_a_part_has_the_links_among_its_pages_in_their_order(world: StaticWorld) -> None:
    rows = np.random.default_rng(1).permutation(world.size)[:500]
    part, inside = part_of(world, rows, "part"), {world.url(row) for row in rows.tolist()}
    for new, old in enumerate(rows.tolist()):
        assert part.url(new) == world.url(old)
        assert links(part, new) == [url for url in links(world, old) if url in inside]


def test_jitter_moves_links_within_their_page_and_not_far(world: StaticWorld) -> None:
    other = jittered(world, np.random.default_rng(1))
    pages = range(0, world.size, 50)
    assert all(Counter(links(other, page)) == Counter(links(world, page)) for page in pages)
    assert any(links(other, page) != links(world, page) for page in pages)
    assert all(links(other, page)[:1] == [] or links(other, page)[0] in links(world, page)[:6] for page in pages)


def test_a_half_has_half_of_the_hosts_and_the_directory(world: StaticWorld) -> None:
    half = many_hosts.half_of(world, 0)
    assert half.url(0) == world.url(0)
    assert half.hosts in (world.hosts // 2, world.hosts // 2 + 1)  # with or without that of the directory


def test_a_cell_counts_the_requests_until_half_is_found(data: Path) -> None:
    cell = next(iter(cells(data / "sites")))
    site, objective, budget, wanted = cell.measure.args  # type: ignore[attr-defined]
    run, found, requests = simulate(site, "bfs", budget=budget, objective=objective), 0, 0
    while 2 * found < wanted:
        found += run.trace.rewards[requests] > 0
        requests += 1
    assert cell.measure(Variant("bfs"), 0)[0] == requests / wanted


def test_errors_are_those_of_groups_not_of_cells() -> None:
    values, rng = np.repeat([1.0, 2.0, 3.0, 4.0], 10), np.random.default_rng(1)
    alike = estimate((values + rng.normal(0, 0.01, 40)).tolist(), np.repeat(list("abcd"), 10).tolist())
    assert alike.mean == pytest.approx(2.5, abs=0.01)
    assert alike.error == pytest.approx(np.std([1, 2, 3, 4], ddof=1) / 2, rel=0.1)


def test_a_variant_is_compared_with_the_default_cell_by_cell(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "RESULTS", tmp_path / "results.jsonl")
    monkeypatch.setattr(many_hosts, "WORLDS", {"a": {"sites-small": 2}})
    words = ["--data", str(data), "--only", "single", "many", "--repeats", "2"]
    lab.main([*words, "--save", str(tmp_path / "kept.jsonl")])
    own = capsys.readouterr().out
    assert own.count("+0.0%") == 2  # the default is no better than itself
    lab.main(["tests.test_lab:PLUG_IN", *words, "--against", str(tmp_path / "kept.jsonl")])
    other = capsys.readouterr().out
    assert POLICIES["success-rate"] is PLUG_IN
    before = [line.split("|")[2] for line in own.splitlines() if line.startswith(("| single", "| many"))]
    after = [line.split("|")[2] for line in other.splitlines() if line.startswith(("| single", "| many"))]
    assert before == after  # the kept figures
    assert "better" in other or "worse" in other or "± " in other


def test_the_matrix_goes_on_where_it_was_stopped(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures are measured once, and again when asked for; the best without foresight is bold."""
    measured: list[str] = []

    def measure(found: dict[str, float], variant: Variant, repeat: int) -> list[float]:
        measured.append(str(variant))
        return [found[variant.policy]]

    worlds = {"x": {"bfs": 0.25, "random": 0.5, "oracle": 1.0}, "y": {"bfs": 0.25, "random": 0.4, "oracle": 0.8}}
    cells = [Cell("webs", name, name, partial(measure, found)) for name, found in worlds.items()]
    family = Family("webs", (Row("share"),), lambda: cells)
    monkeypatch.setattr(trials, "RESULTS", tmp_path / "results.jsonl")
    monkeypatch.setattr(policies, "all_families", lambda *_, **__: [family])
    policies.main(policies=["bfs", "oracle"])
    assert "| webs: share | **.25** ±.00 | .90 ±.10 |" in capsys.readouterr().out
    policies.main(policies=["bfs", "random", "oracle"])
    assert "| webs: share | .25 ±.00 | **.45** ±.05 | .90 ±.10 |" in capsys.readouterr().out
    assert sorted(measured) == sorted(["bfs", "oracle", "random"] * 2)
    policies.main(policies=["bfs", "random"], again=["random"])
    assert sorted(measured) == sorted(["bfs", "oracle", "random", "random"] * 2)
