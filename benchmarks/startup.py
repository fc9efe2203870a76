"""How long a user waits: help, the first run with its compilation, later runs."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.common import SUNDOG, environment, print_table, world


def seconds(command: list[object], cache: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(
        list(map(str, command)), check=True, capture_output=True, env=environment(XDG_CACHE_HOME=str(cache))
    )
    return time.perf_counter() - begun


def main() -> None:
    small = world("web2014", pages=2000, hosts=100)
    run = [*SUNDOG, "simulate", small, "--budget", 500, "--policy", "bfs,anthelion,sundog"]
    with tempfile.TemporaryDirectory() as cache:
        first = seconds(run, Path(cache))
        later = min(seconds(run, Path(cache)) for _ in range(3))
        help_ = min(seconds([*SUNDOG, "--help"], Path(cache)) for _ in range(5))
    rows = [
        ("`sundog --help`", f"{help_:.2f} s", "< .4 s"),
        ("first `simulate`, kernels compiled", f"{first:.1f} s ({first - later:.1f} s compiling)", "< 15 s"),
        ("later `simulate`, three policies", f"{later:.2f} s", "< 3 s"),
    ]
    print_table("Start", ("command", "measured", "limit"), rows)
