"""How many relevant pages ``sundog`` finds live, compared with ``bfs`` on the same budget.

On the demo web with all its edge cases, and on real pages under their own host names. Requests overlap, so what is
chosen depends a little on timing: runs differ even with the same seed of the policy.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.common import print_table, with_spread
from benchmarks.live.runs import Done, Web, real_web, sundog
from benchmarks.live.server import Requests

DEMO = "demo web"
PAGES, ROUNDS = 20_000, 3
OF_REAL_PAGES = ("jsonld+microdata+rdfa>=10", 1_000, 1.3)  # objective, budget, least ratio
OF_DEMO_WEB = (
    ("any", 2_000, 1.5),
    ("type:schema:Recipe", 2_000, 1.5),
    ("type:schema:Event", 2_000, 1.5),
)


class Logged:
    """The demo web's own server, with the log in the form of ``live.server``."""

    def __init__(self, served: Any) -> None:
        self.address, self._served = served.connect_to, served

    def requests(self) -> Requests:
        pages, missed = Counter[str](), Counter[str]()
        for request in self._served.requests():
            (pages if request.status == 200 else missed)[f"{request.host} {request.target}"] += 1
        return Requests(pages, missed, 0)


def whole_demo_web(pages: int) -> Web:
    from sundog.demo_web import Web as Demo
    from sundog.demo_web import serving

    @contextmanager
    def serve(log: Path) -> Iterator[Logged]:
        with serving(pages=pages, log=log) as served:
            yield Logged(served)

    return Web(DEMO, serve, Demo(pages=pages).seeds, stay=False)


class Harvest(NamedTuple):
    relevant: int
    fetched: int
    repeated: int  # requests for a page that was requested before
    tracebacks: int


def harvest(web: Web, policy: str, objective: str, budget: int, seed: int, *settings: str) -> Harvest:
    """``settings`` are the policy's, as KEY=VALUE."""
    options = {"for": objective, "policy": policy, "seed": seed}
    if settings:
        options["set"] = " ".join(settings)
    done = sundog(web, budget=budget, **options)
    summary = json.loads(done.output)
    return Harvest(
        summary["relevant"], summary["fetched"], repeated_requests(done), done.errors.count("Traceback")
    )


def repeated_requests(done: Done) -> int:
    requests = done.requests.pages + done.requests.missed
    return requests.total() - len(requests)


def row_of(web: Web, objective: str, budget: int, least: float, rounds: int) -> tuple[str, ...]:
    runs = {
        policy: [harvest(web, policy, objective, budget, seed) for seed in range(rounds)]
        for policy in ("bfs", "sundog")
    }
    found = {policy: [run.relevant for run in each] for policy, each in runs.items()}
    both = runs["bfs"] + runs["sundog"]
    return (
        web.name,
        f"`{objective}`",
        f"{budget:,}",
        with_spread(found["bfs"], ".0f"),
        with_spread(found["sundog"], ".0f"),
        f"{median(found['sundog']) / median(found['bfs']):.2f}",
        f"≥ {least}",
        str(sum(run.repeated for run in both)) if web.name != DEMO else "",  # there, failed pages are retried
        str(sum(run.tracebacks for run in both)),
    )


def main(site: str | None = None, rounds: int | None = None) -> None:
    rounds = rounds or ROUNDS
    rows = [row_of(whole_demo_web(PAGES), *cell, rounds) for cell in OF_DEMO_WEB]
    if site:
        web = real_web(Path(site))
        rows.append(row_of(web, *OF_REAL_PAGES, rounds))
        everywhere = web._replace(name="real pages, `--stay web`", stay=False)  # most other hosts answer 404 here
        rows.append(row_of(everywhere, *OF_REAL_PAGES, rounds))
    columns = (
        "web", "objective", "budget", "`bfs`", "`sundog`", "ratio", "limit", "requested twice", "tracebacks",
    )  # fmt: skip
    print_table(f"Live harvest: relevant pages, {rounds} seeds", columns, rows)
