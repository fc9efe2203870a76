"""Cost per fetch at the scale of the Anthelion paper, and how it grows with the number of hosts."""

from __future__ import annotations

from benchmarks.common import FULL, TENTH, print_table, simulate, world

POLICIES = ("success-rate", "anthelion", "naive-bayes", "thompson", "thompson-best", "sundog")
LIMITS = {"thompson": 60, "thompson-best": 60}
REPEATS = 2


def main() -> None:
    rows = []
    for policy in POLICIES:
        small, large = (
            [simulate(world("web2014", **size), policy, budget=size["pages"] * 2 // 11)[0] for _ in range(REPEATS)]
            for size in (TENTH, FULL)
        )
        cost = min(run["us_per_fetch"] for run in large)
        spread = max(run["us_per_fetch"] for run in large)
        growth = cost / min(run["us_per_fetch"] for run in small)
        select = large[0]["select_us"]
        rows.append(
            (
                f"`{policy}`",
                f"{cost:.1f} – {spread:.1f}",
                f"≤ {LIMITS.get(policy, 20)}",
                f"{growth:.2f}×",
                f"{select['p50']:.1f} / {select['p99']:.1f}",
                f"{large[0]['peak_rss_mb'] / 1024:.2f} GB",
            )
        )
    columns = ("policy", "µs a fetch", "limit", "45,585 → 455,848 hosts", "select p50 / p99 µs", "peak RSS")
    print_table(f"Cost: 5.5 M pages, 455,848 hosts, budget 1 M, {REPEATS} runs each", columns, rows)
