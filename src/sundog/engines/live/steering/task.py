"""What the patterns of one page are given, wherever it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sundog.patterns.values import Surroundings


class Task(NamedTuple):
    """``names``: the patterns that are applied."""

    names: Sequence[str]
    surroundings: Surroundings
