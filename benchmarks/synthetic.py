"""``sundog`` against ``anthelion`` on every synthetic profile."""

from __future__ import annotations

from benchmarks.common import TENTH, mean, print_table, simulate, world

SEEDS = 3
POLICIES = ("bfs", "success-rate", "anthelion", "sundog", "oracle")


def main() -> None:
    rows = []
    for profile in ("web2014", "web2024", "adverse"):
        found: dict[str, list[float]] = {}
        for seed in range(1, SEEDS + 1):
            for run in simulate(world(profile, **TENTH, seed=seed), ",".join(POLICIES), budget=100_000):
                found.setdefault(run["policy"], []).append(run["harvest_rate"])
        rates = {policy: mean(found[policy]) for policy in POLICIES}
        rows.append(
            (profile, *(f"{rates[p]:.3f}" for p in POLICIES), f"{rates['sundog'] / rates['anthelion']:.2f}×")
        )
    columns = ("profile", *(f"`{policy}`" for policy in POLICIES), "sundog / anthelion")
    print_table(f"Synthetic webs: 550,000 pages, budget 100,000, {SEEDS} worlds each", columns, rows)
