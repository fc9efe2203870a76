"""Inner kernels have no face for Python; here they get one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def exposed(kernel: Any) -> Callable[..., Any]:
    """The kernel as a function that tests may call."""

    @numba.njit
    def call(*arguments: Any) -> Any:
        return kernel(*arguments)

    function: Callable[..., Any] = call
    return function
