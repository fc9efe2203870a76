"""Kinds of synthetic worlds, each with its profiles. To add one: a module, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sundog.worlds.synthetic.changing import CHANGING, generate_changing
from sundog.worlds.synthetic.generate import generate
from sundog.worlds.synthetic.graph_profiles import GRAPHS
from sundog.worlds.synthetic.graphs import generate_graph
from sundog.worlds.synthetic.linked import generate_linked
from sundog.worlds.synthetic.linked.kinds import LINKED
from sundog.worlds.synthetic.profiles import PROFILES
from sundog.worlds.synthetic.web import SyntheticWeb


class SyntheticKind(NamedTuple):
    """``generate`` takes a profile, ``pages``, ``hosts`` (if there are any), ``seed`` and ``progress``."""

    profiles: Mapping[str, Any]
    generate: Callable[..., SyntheticWeb]
    usual_pages: int = 100_000
    pages_a_host: int | None = None  # None: its nodes have no hosts
    fewest_hosts: int = 1
    compiles: bool = False  # whether kernels must be compiled first

    def usual_hosts(self, pages: int) -> int | None:
        return self.pages_a_host and max(self.fewest_hosts, pages // self.pages_a_host)


KINDS = (
    SyntheticKind(PROFILES, generate, pages_a_host=12, compiles=True),
    SyntheticKind(LINKED, generate_linked, usual_pages=500_000, pages_a_host=50, fewest_hosts=10),
    SyntheticKind(GRAPHS, generate_graph),
    SyntheticKind(CHANGING, generate_changing, usual_pages=20_000, pages_a_host=40, compiles=True),
)
KIND_OF: Mapping[str, SyntheticKind] = {name: kind for kind in KINDS for name in kind.profiles}


def profile_summaries() -> dict[str, str]:
    """What each profile is like, in one line."""
    return {name: kind.profiles[name].summary for name, kind in KIND_OF.items()}
