"""A small web for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines.live.webs import SmallWeb


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as running:
        yield running
