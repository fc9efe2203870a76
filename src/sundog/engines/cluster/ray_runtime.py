"""Ray, as far as shards need it: started here or found elsewhere, with its errors as one sentence each."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sundog.engines.cluster.messages import Setup
from sundog.errors import SundogError, UsageError, cause_of
from sundog.spec.cluster import Cluster
from sundog.spec.crawl import parse_address

SECONDS_TO_REACH = 10.0  # a cluster
MEMORY_OF_A_SHARD = 315_000_000  # bytes, when it begins
OBJECT_STORE = 100_000_000  # bytes: messages are small
# Of the Ray that is started here. It writes what shards print to files, and nobody reads its statistics.
QUIET = {
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_enable_worker_prestart": "0",
    "RAY_prestart_worker_first_driver": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # an order that does not reach a shard is given again
    "RAY_worker_niceness": "0",  # it would let everything else on the machine go before its shards
}


def load_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise SundogError("shards run on Ray, which is not installed: pip install 'sundog[cluster]'") from None
    return ray


@contextmanager
def ray_running(address: str | None, shards: int, cluster: Cluster) -> Iterator[Any]:
    """With room for so many shards. A Ray that runs already, as in tests, is used and left running."""
    ray = load_ray()
    if ray.is_initialized():
        yield ray
        return
    if address is None:
        check_memory(shards)
    else:
        check_reachable(address)
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("ray").setLevel(logging.ERROR)  # it would praise itself on standard error
    common: dict[str, Any] = {"log_to_driver": False, "logging_level": "error", "configure_logging": False}
    try:
        if address is None:
            ray.init(
                address="local",  # also if another one runs on this machine
                num_cpus=max(1, round(shards * cluster.cpus + 0.5)),
                resources=dict(cluster.resources) and {name: shards * n for name, n in cluster.resources.items()},
                object_store_memory=OBJECT_STORE,
                include_dashboard=False,
                **common,
            )
        else:
            ray.init(address=address, **common)
    except Exception as error:
        if address == "auto" and isinstance(error, ConnectionError):
            raise SundogError("no Ray runs on this machine: give --ray HOST:PORT of the cluster's head") from None
        where = f"the Ray cluster {address} cannot be reached" if address else "Ray cannot be started"
        raise SundogError(f"{where}: {first_line(error)}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def check_reachable(address: str) -> None:
    """Ray itself would try for minutes, and then say it in many lines."""
    if "://" in address:
        raise UsageError(f"--ray {address}: run the command on a node of the cluster, and give --ray auto")
    if address == "auto":
        return
    place = parse_address(address, "--ray")
    try:
        socket.create_connection(place or ("", 0), timeout=SECONDS_TO_REACH).close()
    except OSError as error:
        raise SundogError(f"the Ray cluster {address} cannot be reached: {cause_of(error)}") from None


def check_memory(shards: int) -> None:
    """Of this machine, before it is filled with processes."""
    needed, has = shards * MEMORY_OF_A_SHARD, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > has:
        raise SundogError(
            f"{shards:,} shards need at least {needed / 1e9:.0f} GB of memory, and this machine has "
            f"{has / 1e9:.0f} GB: use fewer shards, or a cluster (--ray)"
        )


def first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def check_room(ray: Any, shards: int, cluster: Cluster) -> None:
    has = ray.cluster_resources()
    needs = {"CPU": cluster.cpus, "memory": cluster.memory, **cluster.resources}
    for name, each in needs.items():
        if each * shards > has.get(name, 0.0):
            what = "CPUs" if name == "CPU" else name
            raise SundogError(
                f"{shards} shards need {each * shards:g} {what}, and the cluster has {has.get(name, 0.0):g}: "
                f"use fewer shards, or lower cluster.{'cpus' if name == 'CPU' else name} in the spec"
            )


def new_actor(ray: Any, setup: Setup, cluster: Cluster) -> Any:
    """One that Ray restarts as often as it dies, elsewhere if its node is lost; nothing is sent to it twice."""
    from sundog.engines.cluster.actor import ShardActor

    options: dict[str, Any] = {
        "num_cpus": cluster.cpus,
        "max_restarts": -1,
        "max_task_retries": 0,
        "max_concurrency": 1_000 + setup.shards,
        "scheduling_strategy": "SPREAD" if cluster.placement == "spread" else "DEFAULT",
    }
    if cluster.memory:
        options["memory"] = cluster.memory
    if cluster.resources:
        options["resources"] = dict(cluster.resources)
    if cluster.environment:
        options["runtime_env"] = dict(cluster.environment)
    return ray.remote(ShardActor).options(**options).remote(setup)
