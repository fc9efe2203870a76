"""What the benchmarks share: commands and worlds, the cost of processes, Markdown tables."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "bench-data"
SUNDOG = [sys.executable, "-c", "from sundog.cli import main; main()"]  # the command, also where none is installed
FULL = {"pages": 5_500_000, "hosts": 455_848}
TENTH = {"pages": 550_000, "hosts": 45_585}


def machine() -> str:
    return f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"


def environment(**more: str) -> dict[str, str]:
    """Of a child process: it imports from where this process does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **more}


def world(profile: str, *, pages: int, hosts: int | None = None, seed: int = 1) -> Path:
    """The synthetic world of this kind, generated unless it is there; graphs have no hosts."""
    from sundog.worlds.parquet import LINKS

    directory = DATA / "-".join(str(part) for part in (profile, pages, hosts, seed) if part is not None)
    if not (directory / LINKS).exists():
        sizes = ["--pages", str(pages), "--seed", str(seed), *(["--hosts", str(hosts)] if hosts else [])]
        command = [*SUNDOG, "synth", str(directory), "--profile", profile, *sizes]
        subprocess.run(command, check=True, capture_output=True)
    return directory


def simulate(directory: Path | str, policies: str, *, budget: int, **options: Any) -> list[dict[str, Any]]:
    """The runs of ``sundog simulate --json``, in a separate process."""
    command = [*SUNDOG, "simulate", str(directory), "--policy", policies, "--budget", str(budget), "--json"]
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            command += [f"--{name.rstrip('_')}", str(one)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    runs: list[dict[str, Any]] = json.loads(done.stdout)["runs"]
    return runs


class ProcessCost(NamedTuple):
    cpu: float  # seconds, user and system
    megabytes: float  # resident


def process_cost(pid: int) -> ProcessCost:
    """Of a running process, by Linux. OSError if it has ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return ProcessCost(cpu, int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20)


@contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sundog-bench-") as directory:
        yield Path(directory)


def with_spread(values: Sequence[float], form: str) -> str:
    """
    >>> with_spread([3.0, 1.0, 2.0], ".1f")
    '2.0 (1.0 – 3.0)'
    """
    spread = f" ({min(values):{form}} – {max(values):{form}})" if len(values) > 1 else ""
    return f"{statistics.median(values):{form}}{spread}"


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, open_end: bool = False
) -> None:
    """``open_end``: more rows follow, as they are measured."""
    print(f"### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print_row(row)
    if not open_end:
        print(flush=True)


def print_row(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)
