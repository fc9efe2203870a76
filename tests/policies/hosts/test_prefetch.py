"""A row that is prefetched is neither read nor changed, and may be any."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sundog._jit import njit
from sundog.policies.hosts.prefetch_links import prefetch


@njit
def _ask(array: Any, row: int) -> None:
    prefetch(array, row)


@pytest.mark.parametrize("array", [np.arange(8), np.arange(8, dtype=np.int32).reshape(4, 2), np.zeros(0)])
@pytest.mark.parametrize("row", [0, 3, -1, 10**12])
def test_any_row_may_be_prefetched(array: Any, row: int) -> None:
    before = array.copy()
    _ask(array, row)
    np.testing.assert_array_equal(array, before)
