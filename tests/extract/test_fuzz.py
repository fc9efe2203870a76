"""Mutations of golden pages and files of RDF: whatever the bytes, extraction ends, and what it prints is valid.

``python -m benchmarks mutations`` runs as many mutations as you like, also of real pages.
"""

from __future__ import annotations

import random
import time

from benchmarks.mutations import TYPES, Base, bases, check, drawn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BASES = bases()
SLOW = 8.0  # seconds for bytes that take milliseconds


def check_in_time(base: Base) -> None:
    start = time.thread_time()
    check(base)
    assert time.thread_time() - start < SLOW


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_mutations_of_pages_and_files(seed: int) -> None:
    check_in_time(drawn(random.Random(seed), BASES))


@settings(deadline=None, max_examples=100)
@given(body=st.binary(max_size=200), content_type=st.sampled_from(TYPES))
def test_any_bytes(body: bytes, content_type: str) -> None:
    check_in_time(Base(content_type, body))
