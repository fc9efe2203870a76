"""One Ray for all tests of a module, with room for several of them at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sundog.engines.cluster.ray_runtime import ray_running
from sundog.spec.cluster import Cluster


@pytest.fixture(scope="module")  # its processes end before other tests begin
def ray() -> Iterator[object]:
    with ray_running(None, 12, Cluster()) as running:
        yield running
