"""What all choosers have in common."""

from __future__ import annotations

from sundog import Decision
from sundog.policies import chooser


def test_the_cells_of_parts_are_the_fields_of_a_decision() -> None:
    cells = {
        "score": chooser.SCORE,
        "estimate": chooser.ESTIMATE,
        "classifier_part": chooser.CLASSIFIER_PART,
        "host_part": chooser.HOST_PART,
        "group_part": chooser.GROUP_PART,
        "exploration": chooser.EXPLORATION,
        "propensity": chooser.PROPENSITY,
    }
    first = Decision._fields.index("score")
    assert tuple(cells) == Decision._fields[first : first + chooser.PARTS]
    assert list(cells.values()) == list(range(chooser.PARTS))
