"""Reading one hostile answer that is small: within the time that a page has."""

from __future__ import annotations

import time

import pytest

from sundog.engines.live.pages.reading import Reading, read
from tests.hostile.attacks import ATTACKS
from tests.hostile.corpus import SMALL, Answer

# Each of them once took many seconds, or more than a gigabyte.
ONCE_ENDLESS = """areas-around-text entities-in-other-scripts entity-used-often images-in-names itemprop-names
json-quotes jsonld-growing-terms jsonld-schema-org-in-a-row links-around-links long-prefix nested-formatting
nested-itemprops nested-properties nested-rel nested-triple-terms nested-xml opengraph-names property-names
rel-and-children xml-attributes xml-base-long xml-literal xml-namespaces xmlns xmlns-in-xml-literals
xmlns-nested""".split()
LONGEST = 10.0  # seconds of processor time: half a second on a quiet machine, and once without end


def reading_of(answer: Answer) -> tuple[Reading, float]:
    began = time.thread_time()
    found = read(
        answer.body,
        "http://a.example/page",
        answer.content_type,
        max_bytes=5_000_000,
        with_text=True,
        text_score=lambda text, language: 0.0,
    )
    return found, time.thread_time() - began


@pytest.mark.parametrize("name", ONCE_ENDLESS)
def test_a_small_answer_is_read_soon(name: str) -> None:
    found, seconds = reading_of(ATTACKS[name].build(SMALL))
    assert seconds < LONGEST
    assert (
        sum(len(term) for several in found.statements.values() for each in several for term in each) < 50_000_000
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("xml-namespaces", "an element has more than 1,000 attributes"),
        ("xml-attributes", "an element has more than 1,000 attributes"),
        ("nested-xml", "nested more than 500 deep"),
        ("nested-triple-terms", "nested more than 500 deep"),
        ("xmlns", "more than 1,000 prefixes are declared"),
        ("property-names", "too long for a page of its size"),
        ("jsonld-schema-org-in-a-row", "only the first 1,000 contexts of a list are applied"),
        ("xml-base-long", "only the first"),
    ],
)
def test_what_was_left_out_is_a_fault(name: str, reason: str) -> None:
    found, _ = reading_of(ATTACKS[name].build(SMALL))
    assert any(reason in fault for _, fault in found.faults), found.faults
