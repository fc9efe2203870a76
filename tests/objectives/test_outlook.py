"""What is said of objectives that tell no pages apart."""

from __future__ import annotations

import pytest

from sundog.objectives.outlook import ENOUGH, Outlook


@pytest.mark.parametrize(("relevant", "said"), [(True, "all of the first 200"), (False, "none of the first 200")])
def test_it_is_said_from_the_two_hundredth_page_until_one_differs(relevant: bool, said: str) -> None:
    outlook = Outlook()
    for _ in range(ENOUGH - 1):
        outlook.observe(relevant)
    assert outlook.warning() is None
    outlook.observe(relevant)
    assert said in (outlook.warning() or "")
    outlook.observe(not relevant)
    assert outlook.warning() is None
