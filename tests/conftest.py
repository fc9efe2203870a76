"""Small worlds that many tests share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from sundog.worlds.load import load_world
from sundog.worlds.static import StaticWorld
from sundog.worlds.synthetic import generate, write

# A busy machine makes no test fail: neither examples nor their making have a time limit.
settings.register_profile("sundog", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sundog")


@pytest.fixture(scope="session")
def small_world_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("worlds") / "small"
    write(generate("web2014", pages=1500, hosts=60, seed=7), directory)
    return directory


@pytest.fixture(scope="session")
def small_world(small_world_directory: Path) -> StaticWorld:
    return load_world(small_world_directory)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20140311)
