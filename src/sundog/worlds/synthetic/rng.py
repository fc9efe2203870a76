"""Random numbers inside kernels: splitmix64, as a stream or as a hash of where we are.

Both are pure integer arithmetic, so the same seed gives the same web on every machine.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sundog._jit import njit

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0


@njit
def scramble(x: Any) -> Any:
    """The splitmix64 finaliser: a bijection of 64-bit integers."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@njit
def hashed(key: int, a: int, b: int) -> Any:
    """A 64-bit number that depends on nothing but its arguments."""
    x = scramble(np.uint64(key) + np.uint64(a) * _GAMMA)
    return scramble(x + np.uint64(b) * _GAMMA + _GAMMA)


@njit
def unit(x: Any) -> float:
    """A 64-bit number as a float in [0, 1)."""
    return np.float64(x >> _S11) * _UNIT


@njit
def chance(key: int, a: int, b: int) -> float:
    """A uniform float in [0, 1) that belongs to (key, a, b)."""
    return unit(hashed(key, a, b))


@njit
def pick(key: int, a: int, b: int, n: int) -> int:
    """A uniform integer in [0, n) that belongs to (key, a, b)."""
    return int(unit(hashed(key, a, b)) * n)


@njit
def draw(state: NDArray[np.uint64]) -> float:
    """The next uniform float of a stream; `state` has length one."""
    state[0] += _GAMMA
    return unit(scramble(state[0]))


@njit
def below(state: NDArray[np.uint64], n: int) -> int:
    """The next uniform integer in [0, n)."""
    return int(draw(state) * n)
