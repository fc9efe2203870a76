"""Freshness that policies of revisits keep, as a share of what the optimum keeps, which is told the true rates.

Five kinds of worlds that change, three seeds, budgets of .1, .3 and 1 visits per page and day. The figures are
means over the 14 days after the first 14, in which a policy may learn. Then hints: all sitemaps honest, all lying.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.common import print_table, with_spread
from sundog.engines.live.rounds.known_pages import SOURCES, KnownPages, Learned
from sundog.engines.live.rounds.order import RevisitOrder
from sundog.engines.rounds import simulate_rounds
from sundog.revisits.hints import HintTrust
from sundog.revisits.policies import REVISIT_POLICIES, Known
from sundog.worlds.changing import ChangingWorld, load_changing
from sundog.worlds.synthetic.changing import CHANGING, ChangingProfile, generate_changing
from sundog.worlds.synthetic.web import write

PAGES, HOSTS, SEEDS, LEARNED, ROUNDS = 3000, 75, (1, 2, 3), 14, 28
BUDGETS = (0.1, 0.3, 1.0)
BASELINES = ("uniform", "proportional", "nutch", "stormcrawler")


def world_of(profile: ChangingProfile, seed: int) -> ChangingWorld:
    with tempfile.TemporaryDirectory(prefix="sundog-bench-") as directory:
        write(generate_changing(profile, pages=PAGES, hosts=HOSTS, seed=seed), Path(directory) / profile.name)
        return load_changing(Path(directory) / profile.name)


def freshness(world: ChangingWorld, policy: str, share: float) -> float:
    return simulate_rounds(world, policy, rounds=ROUNDS, budget=int(share * world.size)).mean(
        "fresh_pages", LEARNED
    )


def main() -> None:
    policies = ("told-rates", "sundog", "without-hints", *BASELINES)
    rows, above = [], 0
    for name, profile in CHANGING.items():
        worlds = [world_of(profile, seed) for seed in SEEDS]
        for share in BUDGETS:
            best = [freshness(world, "optimum", share) for world in worlds]
            found = {policy: [freshness(world, policy, share) for world in worlds] for policy in policies}
            above += sum(
                found["sundog"][i] > max(found[policy][i] for policy in BASELINES) for i in range(len(worlds))
            )
            shares = [mean(a / b for a, b in zip(found[policy], best, strict=True)) for policy in policies]
            least = min(a / b for a, b in zip(found["sundog"], best, strict=True))
            rows.append(
                (name, f"{share:g}", f"{mean(best):.3f}", *(f"{one:.3f}" for one in shares), f"{least:.3f}")
            )
    columns = ("world", "visits", "`optimum`", *(f"`{policy}`" for policy in policies), "`sundog`, worst seed")
    print_table("Freshness of the optimum, and shares of it", columns, rows)
    cells = len(CHANGING) * len(BUDGETS) * len(SEEDS)
    print(f"`sundog` is above every baseline in {above} of {cells} cells.\n")
    hints()
    cost()
    round_cost()


def hints() -> None:
    """Honest sitemaps against a policy that is told to believe them; lying ones against one that has no hints."""
    usual, rows = CHANGING["changing-sitemaps"], []
    for title, lying, other in (("honest", 0.0, "told-hints"), ("lying", 1.0, "without-hints")):
        profile = replace(usual, sitemap_share=1.0, lying_share=lying)
        worlds = [world_of(profile, seed) for seed in SEEDS]
        for share in BUDGETS:
            ours, theirs, deaf = (
                mean(freshness(world, policy, share) for world in worlds)
                for policy in ("sundog", other, "without-hints")
            )
            row = (f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.3f}", f"{deaf:.3f}")
            rows.append((title, f"{share:g}", *row))
    print_table(
        "Hints", ("sitemaps", "visits", "`sundog`", "told whom to believe", "share of it", "`without-hints`"), rows
    )


def cost() -> None:
    """Of choosing and learning, per visit, where a million pages are known and a tenth is visited a day."""
    pages = np.arange(1_000_000)
    known = Known(pages // 100, pages // 1000, np.ones(len(pages)), np.ones(len(pages)), len(pages) / 10)
    silent, draw, rows = np.zeros(len(pages), bool), np.random.default_rng(0), []
    for name in ("sundog", "uniform"):
        policy, spent = REVISIT_POLICIES[name](known), []
        for day in range(1, 7):
            begun = time.perf_counter()
            chosen = policy.choose(float(day), len(pages) // 10, silent)
            policy.learn(chosen, float(day), draw.random(len(chosen)) < 0.3, silent)
            spent.append((time.perf_counter() - begun) * 1e6 / len(chosen))
        rows.append((f"`{name}`", with_spread(spent[1:], ".1f")))
    print_table("A million pages: µs per visit", ("policy", "median of 5 rounds (range)"), rows)


def round_cost() -> None:
    """Of a live round in which a million pages are known, without what is fetched and stored: processor time."""
    session: Any = SimpleNamespace(
        chooser=SimpleNamespace(scores_are_worths=True), asleep_for_good=(), asleep_for_a_time=()
    )
    draw, page, steps, rows = np.random.default_rng(0), np.arange(1_000_000), 110_000, []
    nothing, never = np.zeros(len(page)), np.zeros(len(page), bool)
    own = draw.choice([0.0, 3600.0, np.nan], (len(page), SOURCES - 1))
    changed, less = ((draw.random(steps) < share).tolist() for share in (0.3, 0.02))
    for hosts in (1_000, 100_000):
        of = page // (len(page) // hosts)
        pages = KnownPages(page, page // 100, of, nothing + 1, *[nothing] * 3, nothing + np.nan, own, never, {})
        begun = time.process_time()
        order = RevisitOrder(pages, Learned(pages), session, HintTrust(SOURCES), age=1.0)
        ready = time.process_time()
        for was_changed, has_less in zip(changed, less, strict=True):
            revisit = order.instead_of(None, 0.0)
            assert revisit is not None
            order.learn(revisit.candidate, was_changed)
            if has_less:
                order.has_less(revisit.candidate)
        spent = (time.process_time() - ready) * 1e6 / steps
        rows.append((f"{hosts:,}", f"{ready - begun:.1f}", f"{spent:.1f}"))
    columns = ("hosts", "s to begin", f"µs a step, of {steps:,}")
    print_table("A live round with a million known pages", columns, rows)
