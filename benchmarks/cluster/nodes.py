"""A Ray cluster of several nodes on this machine, in a process of its own, whose nodes can be killed.

``python -m benchmarks.cluster.nodes NODES CPUS``: prints its address. For every line that it reads it kills one
node, with all processes that run there, starts another in its place, and prints how many it has killed.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.common import environment
from sundog.engines.cluster.ray_runtime import QUIET

# That a node is gone, which takes half a minute by Ray's defaults.
SOON = {"health_check_period_ms": 1_000, "health_check_timeout_ms": 2_000, "health_check_failure_threshold": 3}


def processes_of(node: Any) -> list[int]:
    """Of a node: what Ray has started for it, and what those have started."""
    first = [info.process.pid for infos in node.all_processes.values() for info in infos]
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with suppress(OSError):
                parent = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    found, waiting = set[int](), list(first)
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting += children.get(pid, [])
    return list(found)


def main(nodes: int, cpus: int) -> None:
    from ray.cluster_utils import Cluster

    logging.disable(logging.INFO)
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": SOON}
    )
    for _ in range(nodes):
        cluster.add_node(num_cpus=cpus)
    chance = random.Random(1)
    print(cluster.address, flush=True)
    for killed, _ in enumerate(sys.stdin, 1):
        node = chance.choice(sorted(cluster.worker_nodes, key=lambda node: str(node.unique_id)))
        for pid in processes_of(node):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        cluster.remove_node(node, allow_graceful=False)
        cluster.add_node(num_cpus=cpus)
        print(killed, flush=True)
    cluster.shutdown()


class Nodes:
    """The cluster as seen by others: ``address``, and ``kill`` for one node."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.address = self._line()

    def kill(self) -> None:
        assert self._process.stdin
        print(file=self._process.stdin, flush=True)
        self._line()

    def _line(self) -> str:
        assert self._process.stdout
        while line := self._process.stdout.readline():
            if line.strip().isdecimal() or line.count(":") == 1:
                return line.strip()
        sys.exit("the Ray cluster has ended")


@contextmanager
def cluster_of(nodes: int, cpus: int, more: dict[str, str]) -> Iterator[Nodes]:
    """``more``: of the environment of all that runs there."""
    command = [sys.executable, "-m", "benchmarks.cluster.nodes", str(nodes), str(cpus)]
    around = {**environment(), **QUIET, **more}
    with subprocess.Popen(
        command, env=around, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Nodes(process)
        finally:
            assert process.stdin
            process.stdin.close()
            process.wait(60)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
