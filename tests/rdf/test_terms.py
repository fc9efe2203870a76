"""Terms as text: whatever goes in, strict parsers read what comes out."""

from __future__ import annotations

import math
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.rdf.namespaces import XSD
from sundog.rdf.terms import of_value


def parsed(term: str) -> Any:
    (triple,) = ox.parse(f"<http://s.example/> <http://p.example/> {term} .", ox.RdfFormat.N_TRIPLES)
    return triple.object


@given(st.text())
def test_texts_come_back(text: str) -> None:
    assert parsed(of_value(text)).value == text


def test_lone_surrogates_and_control_characters() -> None:
    assert parsed(of_value("a\ud800b\x00\x1f\x7f\u2028")).value == "a\ufffdb\x00\x1f\x7f\u2028"


@pytest.mark.parametrize(
    ("value", "text", "kind"),
    [
        (True, "true", "boolean"),
        (7, "7", "integer"),
        (0.5, "0.5", "double"),
        (1e300, "1e+300", "double"),
        (math.inf, "INF", "double"),
        (-math.inf, "-INF", "double"),
        (math.nan, "NaN", "double"),
    ],
)
def test_values(value: float, text: str, kind: str) -> None:
    assert parsed(of_value(value)) == ox.Literal(text, datatype=ox.NamedNode(f"{XSD}{kind}"))
