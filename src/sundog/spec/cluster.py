"""The table ``[cluster]``: what Ray is told about the shards of a crawl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Settings of a crawl with ``--shards``; one in a single process ignores them."""

    split: frozenset[str] = frozenset()  # registered domains that are too large for one shard: they go by host
    cpus: float = 1.0  # that Ray reserves for a shard
    memory: int = 0  # bytes that it reserves; 0: none
    resources: Mapping[str, Any] = field(default_factory=dict)  # others, by the names that nodes have given them
    placement: Literal["spread", "pack"] = "spread"  # over the nodes of a cluster
    environment: Mapping[str, Any] = field(default_factory=dict)  # Ray's runtime_env
