"""What every policy chooses on three worlds, as hashes: a faster version must choose the same.

``python -m benchmarks.same_traces --save before.json``, then change the code, and
``python -m benchmarks.same_traces --against before.json`` names every crawl that differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.common import world
from sundog import load_world
from sundog.engines.runs import Run
from sundog.engines.simulate import simulate
from sundog.errors import SundogError
from sundog.policies.presets import POLICIES
from sundog.worlds.static import StaticWorld

WEB, DATA_WEB, GRAPH = ("web2014", 30_000, 2_500), ("linked-data", 10_000, 200), ("keyword", 10_000, None)
OBJECTIVES = {"web2014": ("any", "microdata>=10"), "linked-data": ("any",), "keyword": ("score",)}
BUDGET = 2_000
SETTINGS: dict[str, dict[str, float]] = {"success-rate": {"lambda": 0.2, "decay": 500}}  # beside the plain one


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_traces", description=__doc__)
    parser.add_argument("--policies", nargs="*", default=list(POLICIES), metavar="NAME", help="all by default")
    parser.add_argument("--save", metavar="FILE", help="keep the hashes of all crawls")
    parser.add_argument("--against", metavar="FILE", help="compare with hashes that were kept")
    given = parser.parse_args()
    found = dict(_crawls(given.policies))
    print(f"{len(found):,} crawls: {hashlib.sha256(json.dumps(found).encode()).hexdigest()}")
    if given.save:
        Path(given.save).write_text(json.dumps(found))
    if given.against:
        before = json.loads(Path(given.against).read_text())
        different = [name for name in found if before.get(name) != found[name]]
        print("\n".join([*different, f"{len(different):,} crawls differ"]))
        sys.exit(min(len(different), 1))


def _crawls(policies: list[str]) -> Iterator[tuple[str, str]]:
    """The name of each crawl and its hash, or the error of a policy that is not for such a world."""
    for profile, pages, hosts in (WEB, DATA_WEB, GRAPH):
        loaded = load_world(world(profile, pages=pages, hosts=hosts))
        for objective in OBJECTIVES[profile]:
            for policy in policies:
                for settings in ({}, *([SETTINGS[policy]] if policy in SETTINGS else [])):
                    name = f"{profile} {objective} {policy} {settings or ''}".rstrip()
                    yield name, _crawl(loaded, policy, objective, settings)


def _crawl(loaded: StaticWorld, policy: str, objective: str, settings: dict[str, float]) -> str:
    try:
        return digest(simulate(loaded, policy, budget=BUDGET, objective=objective, seed=3, **settings))  # type: ignore[arg-type]
    except SundogError as error:
        return str(error)


def digest(run: Run) -> str:
    """Of all that the crawl has chosen, expected and found; not of how long that took."""
    whole = hashlib.blake2b(f"{run.fetched} {run.relevant} {run.reward!r} {run.stopped}".encode(), digest_size=8)
    for part in (run.trace.pages, run.trace.rewards, run.trace.estimates, run.trace.hosts):
        whole.update(part.tobytes())
    return whole.hexdigest()


if __name__ == "__main__":
    main()
