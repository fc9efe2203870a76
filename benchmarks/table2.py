"""The Anthelion paper's table 2 on the synthetic web of its time, five seeds, beside the paper's figures."""

from __future__ import annotations

from benchmarks.common import FULL, mean, print_table, simulate, world

SEEDS = 5
BUDGET = 1_000_000
ROWS = [
    ("random", 0.159, []),
    ("bfs", 0.291, []),
    ("naive-bayes", 0.534, []),
    ("thompson", 0.452, []),
    ("thompson-best", 0.562, []),
    ("negative-bad", 0.300, []),
    ("good-best", 0.589, []),
    ("success-rate", 0.628, []),
    ("success-best", 0.550, []),
    ("success-rate", 0.628, ["lambda=0.1"]),
    ("success-rate", 0.600, ["lambda=0.2"]),
    ("success-rate", 0.662, ["lambda=0.2", "decay=10000"]),
    ("anthelion", 0.673, []),
    ("sundog", None, []),
]
ONE_SEED = {
    "bfs",
    "naive-bayes",
    "negative-bad",
    "good-best",
    "success-best",
    "sundog",
}  # nothing in them is random


def main() -> None:
    directory, rows = world("web2014", **FULL), []
    for policy, paper, settings in ROWS:
        random = policy not in ONE_SEED and not (policy == "success-rate" and not settings)
        runs = simulate(directory, policy, budget=BUDGET, repeat=SEEDS if random else 1, set=settings)
        rates = [run["harvest_rate"] for run in runs]
        name = " ".join([f"`{policy}`", *settings])
        rows.append((name, f"{paper or '–'}", f"{mean(rates):.3f}", f"{min(rates):.3f} – {max(rates):.3f}"))
    print_table(
        "Table 2: relevant share of 1 M fetched pages, `web2014`", ("policy", "paper", "here", "spread"), rows
    )
