"""Every world that a spec may name can be opened."""

from __future__ import annotations

from sundog.engines.live.worlds.registry import WORLDS
from sundog.spec.crawl import world_kinds


def test_what_a_spec_may_name_is_there() -> None:
    assert list(WORLDS) == list(world_kinds())
