"""The warning about objectives that all pages meet, or none."""

from __future__ import annotations

import pytest

from sundog.objectives.outlook import ENOUGH, Outlook


@pytest.mark.parametrize(("relevant", "words"), [(True, "all of the first 200"), (False, "none of the first 200")])
def test_it_stands_from_the_two_hundredth_page_until_one_differs(relevant: bool, words: str) -> None:
    outlook = Outlook()
    for _ in range(ENOUGH - 1):
        outlook.observe(relevant)
    assert outlook.warning() is None
    outlook.observe(relevant)
    assert words in (outlook.warning() or "")
    outlook.observe(not relevant)
    assert outlook.warning() is None
