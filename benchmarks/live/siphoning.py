"""Coverage of a hidden database per query, by policy: the world ``form`` on a search site of this machine."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.engines.live.worlds.search_site import SearchSite, database
from tests.engines.live.worlds.specs import form_crawl

from sundog.policies.presets import POLICIES

QUERIES = (25, 50, 100, 200)
CANDIDATES = "bfs random sundog nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg hybrid opic ensemble".split()
DATABASES = (1, 2, 3)  # seeds
REWARDS = "SELECT value FROM log WHERE event = 'fetched' ORDER BY step"


def main() -> None:
    print("| policy |", " | ".join(f"{count} queries" for count in QUERIES), "| requests |")
    print("|---|" + "---|" * (len(QUERIES) + 1))
    for policy in CANDIDATES:
        if policy in POLICIES:
            runs = [_run(policy, seed) for seed in DATABASES]
            means = [sum(values) / len(runs) for values in zip(*runs, strict=True)]
            print(f"| `{policy}` |", " | ".join(f"{mean:.3f}" for mean in means[:-1]), f"| {means[-1]:.0f} |")


def _run(policy: str, seed: int) -> list[float]:
    """Shares of the database, then the number of requests."""
    with tempfile.TemporaryDirectory() as folder, SearchSite(database(seed=seed)) as site:
        shares = shares_found(site, Path(folder), QUERIES, policy=policy, seed=seed)
        return [*shares, float(len(site.log))]


def shares_found(site: SearchSite, folder: Path, queries: Sequence[int], **options: Any) -> list[float]:
    """Of the site's records, after so many queries."""
    rewards = form_crawl(site, folder / "crawl", budget=queries[-1], **options).column(REWARDS)
    return [sum(rewards[:count]) / len(site.records) for count in queries]
