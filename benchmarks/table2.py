"""The Anthelion paper's table 2 on synthetic webs of its time, five seeds, beside the paper's figures."""

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
FIVE_WORLDS = {"random", "bfs", "naive-bayes", "success-rate", "anthelion", "sundog"}  # of those without settings


def main() -> None:
    rows = []
    for policy, paper, settings in ROWS:
        seeds = range(1, SEEDS + 1 if policy in FIVE_WORLDS and not settings else 2)
        rates = [_rate(policy, settings, seed) for seed in seeds]
        name = " ".join([f"`{policy}`", *settings])
        spread = f"{min(rates):.3f} – {max(rates):.3f}" if len(rates) > 1 else ""
        rows.append((name, f"{paper or '–'}", f"{mean(rates):.3f}", spread))
    print_table(
        f"Table 2: relevant share of 1 M fetched pages, `web2014`, {SEEDS} webs and seeds or one",
        ("policy", "paper", "here", "spread"),
        rows,
    )


def _rate(policy: str, settings: list[str], seed: int) -> float:
    """One run; web and policy have the same seed."""
    directory = world("web2014", **FULL, seed=seed)
    rate: float = simulate(directory, policy, budget=BUDGET, seed=seed, set=settings)[0]["harvest_rate"]
    return rate
