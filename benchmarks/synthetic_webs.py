"""Harvest and cost per fetch on synthetic webs: the Anthelion paper's table 2, all profiles, the paper's scale."""

from __future__ import annotations

from statistics import mean

from benchmarks.common import FULL, TENTH, print_table, simulate, world

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
PROFILE_SEEDS = 3
PROFILE_POLICIES = ("bfs", "success-rate", "anthelion", "sundog", "oracle")
SCALE_POLICIES = ("success-rate", "anthelion", "naive-bayes", "thompson", "thompson-best", "sundog")
LIMITS = {"thompson": 60, "thompson-best": 60}  # µs per fetch; 20 for the others
SCALE_REPEATS = 2


def table2() -> None:
    """The Anthelion paper's table 2 on webs of its time, five seeds, with the paper's figures."""
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


def profiles() -> None:
    """``sundog`` against ``anthelion`` on every profile."""
    rows = []
    for profile in ("web2014", "web2024", "adverse"):
        found: dict[str, list[float]] = {}
        for seed in range(1, PROFILE_SEEDS + 1):
            for run in simulate(world(profile, **TENTH, seed=seed), ",".join(PROFILE_POLICIES), budget=100_000):
                found.setdefault(run["policy"], []).append(run["harvest_rate"])
        rates = {policy: mean(found[policy]) for policy in PROFILE_POLICIES}
        rows.append(
            (
                profile,
                *(f"{rates[p]:.3f}" for p in PROFILE_POLICIES),
                f"{rates['sundog'] / rates['anthelion']:.2f}×",
            )
        )
    columns = ("profile", *(f"`{policy}`" for policy in PROFILE_POLICIES), "sundog / anthelion")
    print_table(f"Synthetic webs: 550,000 pages, budget 100,000, {PROFILE_SEEDS} worlds each", columns, rows)


def scale() -> None:
    """Cost per fetch at the scale of the Anthelion paper, and how it grows with the number of hosts."""
    rows = []
    for policy in SCALE_POLICIES:
        small, large = (
            [
                simulate(world("web2014", **size), policy, budget=size["pages"] * 2 // 11)[0]
                for _ in range(SCALE_REPEATS)
            ]
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
    columns = ("policy", "µs per fetch", "limit", "45,585 → 455,848 hosts", "select p50 / p99 µs", "peak RSS")
    print_table(f"Cost: 5.5 M pages, 455,848 hosts, budget 1 M, {SCALE_REPEATS} runs each", columns, rows)
