"""The demo: make a small synthetic web, crawl it with three policies, and draw what they found.

Run it with ``make demo``; it leaves ``demo/web`` and ``demo/report.html``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SUNDOG = Path(sys.executable).parent / "sundog"
DEMO = Path(__file__).resolve().parent.parent / "demo"


def run(*arguments: str) -> None:
    print("$ sundog", *arguments, flush=True)
    subprocess.run([SUNDOG, *arguments], cwd=DEMO.parent, check=True)


def main() -> None:
    DEMO.mkdir(exist_ok=True)
    run("synth", "demo/web", "--profile", "web2014", "--pages", "60000", "--seed", "1")
    policies = "bfs,anthelion,sundog"
    run("simulate", "demo/web", "--policy", policies, "--budget", "10000", "--report", "demo/report.html")
    print(f"\nOpen {DEMO / 'report.html'} in a browser.")


if __name__ == "__main__":
    main()
