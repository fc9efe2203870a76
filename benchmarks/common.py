"""What the benchmarks share: worlds that are made once, runs in processes of their own, Markdown tables."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "bench-data"
SUNDOG = Path(sys.executable).parent / "sundog"
FULL = {"pages": 5_500_000, "hosts": 455_848}
TENTH = {"pages": 550_000, "hosts": 45_585}


def machine() -> str:
    return f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"


def world(profile: str, *, pages: int, hosts: int | None = None, seed: int = 1) -> Path:
    """The synthetic world of this kind, made if it is not there yet; graphs have no hosts."""
    directory = DATA / "-".join(str(part) for part in (profile, pages, hosts, seed) if part is not None)
    if not (directory / "links.parquet").exists():
        sizes = ["--pages", str(pages), "--seed", str(seed), *(["--hosts", str(hosts)] if hosts else [])]
        subprocess.run([SUNDOG, "synth", directory, "--profile", profile, *sizes], check=True, capture_output=True)
    return directory


def simulate(directory: Path | str, policies: str, *, budget: int, **options: Any) -> list[dict[str, Any]]:
    """The runs of ``sundog simulate --json`` in a process of its own."""
    command = [SUNDOG, "simulate", directory, "--policy", policies, "--budget", str(budget), "--json"]
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            command += [f"--{name.rstrip('_')}", str(one)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    runs: list[dict[str, Any]] = json.loads(done.stdout)["runs"]
    return runs


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values)


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    print(f"### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print(flush=True)
