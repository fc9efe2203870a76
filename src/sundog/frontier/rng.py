"""A splitmix64 generator whose whole state is one array cell, so that kernels can draw from it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog._jit import inner


def new_rng(seed: int) -> Any:
    """The generator's state for ``seed``; different seeds give unrelated streams."""
    return np.array([np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]], dtype=np.uint64)


@inner
def next_u64(rng: Any) -> Any:
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def uniform(rng: Any) -> float:
    """Uniform in the open interval (0, 1): never 0, so that its logarithm is finite."""
    return (np.float64(next_u64(rng) >> np.uint64(11)) + 0.5) * 2.0**-53


@inner
def below(rng: Any, n: int) -> int:
    """A uniform integer in [0, n)."""
    return min(n - 1, int(uniform(rng) * n))


@inner
def exponential(rng: Any) -> float:
    return -math.log(uniform(rng))
