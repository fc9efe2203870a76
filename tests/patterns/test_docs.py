"""Every key, type, function and engine of patterns is in the documentation."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from sundog.patterns.crawl_view import FUNCTIONS, VARIABLES
from sundog.patterns.definitions import (
    FIELD_KEYS,
    FIELD_TYPES,
    LANGUAGES,
    RESULT_FORMATS,
    DataPattern,
    LinkPattern,
    Patterns,
    ResultPattern,
    StopPattern,
)
from sundog.spec.crawl import parse_spec

TEXT = (Path(__file__).parents[2] / "docs" / "patterns.md").read_text(encoding="utf-8")
TABLES = {
    "[patterns]": Patterns,
    "[[patterns.data]]": DataPattern,
    "[[patterns.link]]": LinkPattern,
    "[[patterns.stop]]": StopPattern,
    "[patterns.result]": ResultPattern,
}


def section(heading: str) -> str:
    return TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("name", TABLES)
def test_every_key_has_a_row(name: str) -> None:
    keys = [each.name for each in fields(TABLES[name]) if each.name not in ("data", "link", "stop", "result")]
    assert [key for key in keys if f"\n| `{key}` |" not in section(f"`{name}`")] == []


def test_everything_else_is_there() -> None:
    assert [key for key in FIELD_KEYS if f"\n| `{key}` |" not in section("Fields")] == []
    assert [kind for kind in FIELD_TYPES if f"`{kind}`" not in section("Fields")] == []
    assert [name for name in FUNCTIONS if f"`crawl:{name}(" not in section("What a pattern sees")] == []
    assert [name for name in VARIABLES if f"`${name}`" not in section("What a pattern sees")] == []
    assert [name for name in LANGUAGES if f"\n### `{name}`\n" not in section("Engines")] == []
    assert [name for name in RESULT_FORMATS if f"`{name}`" not in section("`[patterns.result]`")] == []


def test_the_example_can_be_read() -> None:
    spec = parse_spec(TEXT.partition("```toml\n")[2].partition("```")[0])
    assert [each.name for each in spec.patterns.data] == ["city"]
