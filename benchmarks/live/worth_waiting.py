"""What waiting for a resting host is worth: ``python -m benchmarks worth_waiting``, some minutes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.common import print_table
from sundog import CrawlSpec, crawl
from sundog.demo_web.serving import serving
from sundog.spec import Following

BUDGET, DELAY = 600, 0.3
CASES = ((0.0, 0.5), (DELAY, 0.0), (DELAY, 0.5))  # delay, worth_waiting


def main() -> None:
    rows = []
    for seed in (1, 2):
        with serving(seed=seed, corners=False) as web, tempfile.TemporaryDirectory() as scratch:
            for number, (delay, share) in enumerate(CASES):
                spec = CrawlSpec(
                    seeds=tuple(web.seeds[:2]),
                    objective="type:schema:Recipe",
                    budget=BUDGET,
                    delay=delay,
                    connect_to=web.connect_to,
                    following=Following(worth_waiting=share),
                )
                found = crawl(spec, Path(scratch) / str(number))
                rows.append(
                    (str(seed), f"{delay:g}", f"{share:g}", str(found["relevant"]), f"{found['seconds']:.0f}")
                )
    print_table(
        f"Worth waiting: recipes of {BUDGET} pages",
        ("web", "delay s", "worth_waiting", "relevant", "seconds"),
        rows,
    )


if __name__ == "__main__":
    main()
