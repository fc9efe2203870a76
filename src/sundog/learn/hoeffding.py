"""river's Hoeffding tree: a learner in Python, with the same two functions as those that are kernels."""

from __future__ import annotations

from collections.abc import Sequence

from sundog.errors import SundogError

ATTRIBUTES = 64  # features share these: river looks at every attribute for every page


class HoeffdingTree:
    """An online decision tree over the indices of binary features."""

    def __init__(self) -> None:
        try:
            from river.tree import HoeffdingTreeClassifier
        except ImportError:
            raise SundogError(
                "the Hoeffding tree needs river: install it with  pip install 'sundog[hoeffding]'"
            ) from None
        self._tree = HoeffdingTreeClassifier(nominal_attributes=list(range(ATTRIBUTES)))

    def predict(self, features: Sequence[int]) -> float:
        return float(self._tree.predict_proba_one(_row(features)).get(True, 0.5))

    def learn(self, features: Sequence[int], label: bool) -> None:
        self._tree.learn_one(_row(features), label)


def _row(features: Sequence[int]) -> dict[int, bool]:
    """Absent features are False: river's tree cannot split on an attribute whose value is always the same."""
    row = dict.fromkeys(range(ATTRIBUTES), False)
    row.update((feature % ATTRIBUTES, True) for feature in features)
    return row
