"""Hashes of texts, in kernels and beside them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.urls import tokens
from tests.kernels import exposed

hash_bytes, index_below = exposed(tokens.hash_bytes), exposed(tokens.index_below)


@settings(deadline=None)
@given(st.text(max_size=30))
def test_python_and_kernels_hash_alike(text: str) -> None:
    blob = np.frombuffer(text.encode(), np.uint8)
    assert int(hash_bytes(blob, 0, len(blob))) == tokens.fnv_hash(text)


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(1, 1 << 26))
def test_an_index_is_below_its_bound(key: int, bound: int) -> None:
    assert 0 <= index_below(np.uint64(key), bound) < bound
