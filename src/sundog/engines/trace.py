"""A crawl fetch by fetch, simulated or live: what reports are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Trace:
    """What happened at each fetch, in the order of the choices."""

    pages: Any  # int32: the page
    rewards: Any  # float64
    estimates: Any  # float64: what the estimator had said of it
    select_ns: Any  # int64: how long the choice took
    hosts: Any  # int32: hosts known by then
