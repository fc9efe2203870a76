"""One table of namespaces: objectives, queries and specs know the same prefixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.objectives import PageView, parse_objective
from sundog.rdf.namespaces import PREFIXES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("prefix", [name for name in PREFIXES if name not in ("schema", "mf")])
def test_objectives_know_every_prefix_of_queries(prefix: str) -> None:
    page = PageView("http://a.example/", {}, [f"{PREFIXES[prefix]}Agent"], {})
    assert parse_objective(f"type:{prefix}:Agent").judge()(page).reward == 1.0


@pytest.mark.parametrize("word", ["type:h-card", "type:mf:h-card", "type:http://microformats.org/profile/h-card"])
def test_microformats_by_any_name(word: str) -> None:
    page = PageView("http://a.example/", {}, ["h-card"], {})
    assert parse_objective(word).judge()(page).reward == 1.0


def test_the_docs_name_every_prefix() -> None:
    queries = (DOCS / "results.md").read_text(encoding="utf-8")
    objectives = (DOCS / "objectives.md").read_text(encoding="utf-8")
    for name, start in PREFIXES.items():
        assert f"`{name}`" in queries
        assert f"| `{name}` | `{start}`" in objectives
