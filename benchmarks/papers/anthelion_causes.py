"""Why figures on a generated web are not the paper's: one parameter of the generator is changed at a time.

``python -m benchmarks.papers.anthelion_causes``: what static classifiers find, by what they have learned from.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.common import print_table
from benchmarks.papers.pure_bandit import TIES, pure_bandit
from benchmarks.papers.told import Web, kept
from sundog import load_world, simulate
from sundog.engines.sample import of_world, write_sample
from sundog.engines.simulate import rewards_of
from sundog.worlds.synthetic import write
from sundog.worlds.synthetic.generate import generate
from sundog.worlds.synthetic.profiles import WEB2014

POLICIES: list[tuple[str, str, dict[str, Any]]] = [
    ("classifier", "naive-bayes", {}),
    ("Thompson", "thompson", {}),
    ("success rate", "success-rate", {}),
    ("its decaying λ = .5", "success-rate", {"lambda": 0.5, "decay": 0}),
    ("success rate · best", "success-best", {}),
    ("`sundog`", "sundog", {}),
]
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("as it is", {}),
    ("no hosts that only the directory leads to (`listed_share` 0)", {"listed_share": 0.0}),
    ("small hosts have markup as often (`size_slope` 0)", {"size_slope": 0.0}),
    ("home pages have it as often (`bare_home` .05)", {"bare_home": 0.05}),
    ("links between hosts lead to home pages (`deep_link_share` 0)", {"deep_link_share": 0.0}),
    ("sites grown of many parts (`one_frame_pages` 20)", {"one_frame_pages": 20.0}),
    ("most sections without it (`section_cover` .3)", {"section_cover": 0.3}),
    ("noisy pages (`page_noise` .3)", {"page_noise": 0.3}),
    ("URLs tell more (`software_signal` 1)", {"software_signal": 1.0}),
    ("sites link to their like (`likeness` .6)", {"likeness": 0.6}),
    ("few links to other hosts (`off_host_share` .2)", {"off_host_share": 0.2}),
]
COLUMNS = ("what is changed", *(name for name, *_ in POLICIES), *(f"bandit alone, ties: {ties}" for ties in TIES))
PAGES, HOSTS, BUDGET, DECAY = 30_000, 2_500, 5_500, 55


def rows() -> list[tuple[str, ...]]:
    found = []
    for name, change in CHANGES:
        figures = kept(["causes", change, PAGES, BUDGET], lambda change=change: measured(change))  # type: ignore[misc]
        found.append((name, *(f"{figure:.3f}" for figure in figures)))
    return found


def measured(change: dict[str, Any], seeds: int = 2) -> list[float]:
    """Means over webs of several seeds."""
    totals = [0.0] * (len(POLICIES) + len(TIES))
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory(prefix="sundog-bench-") as folder:
            write(generate(replace(WEB2014, **change), pages=PAGES, hosts=HOSTS, seed=seed), Path(folder))
            web = load_world(folder)
        rewards = rewards_of(web, "any")
        figures = [
            simulate(
                web, policy, budget=BUDGET, **({**values, "decay": DECAY} if "decay" in values else values)
            ).harvest_rate
            for _, policy, values in POLICIES
        ]
        figures += [pure_bandit(web, rewards, BUDGET, seed, ties) for ties in TIES]
        totals = [total + figure / seeds for total, figure in zip(totals, figures, strict=True)]
    return totals


TEACHERS = {
    "another web of the same kind (`web2014`)": "web2014",
    "a web of ten years later (`web2024`)": "web2024",
    "a web in which pages are relevant by chance (`adverse`)": "adverse",
}


def static_rows() -> list[tuple[str, str]]:
    """What a static classifier finds by what it has learned from; then the same one online, and BFS."""
    rows = [
        (name, kept(["static causes", profile, PAGES, BUDGET], lambda profile=profile: _static(profile)))  # type: ignore[misc]
        for name, profile in TEACHERS.items()
    ]
    for name, policy in (("nothing, but it learns online", "naive-bayes"), ("BFS", "bfs")):
        rows.append((name, kept(["online", policy, PAGES, BUDGET], lambda policy=policy: _mean(policy))))  # type: ignore[misc]
    return [(name, f"{share:.3f}") for name, share in rows]


RICH: list[tuple[str, str, dict[str, Any]]] = [
    ("BFS", "bfs", {}),
    ("online classification", "best-score", {}),
    ("absolute good · best", "good-best", {}),
    ("success rate · best, λ = .1", "success-best", {"lambda": 0.1}),
    ("success rate, λ = .2", "success-rate", {"lambda": 0.2}),
]
RICH_CHANGES: list[tuple[str, int, int, dict[str, Any]]] = [  # pages, hosts and what else is changed
    ("30,000 pages", 30_000, 2_500, {}),
    ("100,000 pages", 100_000, 8_300, {}),
    ("300,000 pages", 300_000, 25_000, {}),
    ("1,000,000 pages", 1_000_000, 83_000, {}),
    ("100,000, noisy pages (`page_noise` .3)", 100_000, 8_300, {"page_noise": 0.3}),
    ("100,000, sites grown of many parts (`one_frame_pages` 20)", 100_000, 8_300, {"one_frame_pages": 20.0}),
    ("100,000, small hosts have markup as often (`size_slope` 0)", 100_000, 8_300, {"size_slope": 0.0}),
    (
        "100,000, no hosts that only the directory leads to (`listed_share` 0)",
        100_000,
        8_300,
        {"listed_share": 0.0},
    ),
    ("100,000, URLs tell more (`software_signal` 1)", 100_000, 8_300, {"software_signal": 1.0}),
]


def rich_rows() -> list[tuple[str, ...]]:
    """Section 5.3 by the size of the web, and by other changes of the generator."""
    rows = []
    for name, *web in RICH_CHANGES:
        figures = kept(["rich", *web], lambda web=web: _rich(*web))  # type: ignore[misc]
        rows.append((name, *(f"{figure:.3f}" for figure in figures)))
    return rows


def _rich(pages: int, hosts: int, change: dict[str, Any]) -> list[float]:
    budget = pages * 2 // 11  # the same share as in the paper
    with tempfile.TemporaryDirectory(prefix="sundog-bench-") as folder:
        write(generate(replace(WEB2014, **change), pages=pages, hosts=hosts, seed=1), Path(folder))
        web = load_world(folder)
        return [
            simulate(web, policy, budget=budget, objective="microdata>=5", **values).relevant / budget
            for _, policy, values in RICH
        ]


def _static(profile: str) -> float:
    with tempfile.TemporaryDirectory(prefix="sundog-bench-") as folder:
        sample = Path(folder) / "sample.tsv"
        write_sample(of_world(Web(profile, PAGES, HOSTS, 99).world, "any", most=BUDGET), sample)
        return _mean("naive-bayes", pretrain=sample, frozen=True)


def _mean(policy: str, **values: Any) -> float:
    webs = [Web("web2014", PAGES, HOSTS, seed).world for seed in (1, 2)]
    return sum(simulate(web, policy, budget=BUDGET, **values).harvest_rate for web in webs) / len(webs)


if __name__ == "__main__":
    print_table("What static classifiers have learned from", ("learned from", "relevant share"), static_rows())
