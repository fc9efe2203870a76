"""Tag paths in groups: each is a vector of hashed 2-grams, and belongs to the nearest centroid, if one is near.

As in SB-CLASSIFIER (Gauquier, Manolescu, Senellart: Efficient Crawling for Scalable Web Data Acquisition): the
vocabulary of 2-grams grows as they are met, the n-th of them goes to dimension ⌊(a·n mod 2ʷ)/2ʷ⁻ᵐ⌋ of 2ᵐ, and
a dimension is the mean of the term frequencies of all 2-grams that go there.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from sundog.frontier.arrays import longer

BITS, WORD, FACTOR = 12, 15, 766245317  # m, w and a
DIMENSIONS = 1 << BITS
MOST_GROUPS = 4096  # 64 MB; after that every path belongs to the nearest
BEGIN, END = "[SOS]", "[EOS]"


def dimension(number: int) -> int:
    return (number * FACTOR % (1 << WORD)) >> (WORD - BITS)


def bigrams(path: str) -> list[tuple[str, str]]:
    """
    >>> bigrams("ul li.new a")[:2]
    [('[SOS]', 'ul'), ('ul', 'li.new')]
    """
    steps = [BEGIN, *path.split(), END]
    return list(pairwise(steps))


class TagPathGroups:
    """
    >>> groups = TagPathGroups(0.75)
    >>> [groups.group_of(path) for path in ("ul li a", "ul li a", "nav a.next", "body ul li a")]
    [0, 0, 1, 2]
    """

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._numbers: dict[tuple[str, str], int] = {}
        self._loads = np.zeros(DIMENSIONS)  # 2-grams that go to each dimension
        self._centroids = np.zeros((16, DIMENSIONS), np.float32)
        self._squares = np.zeros(16)  # their squared lengths
        self._sizes: list[int] = []

    def __len__(self) -> int:
        return len(self._sizes)

    def group_of(self, path: str) -> int:
        """The group of a link with this path, which moves the group's centroid."""
        places, values = self._vector(path)
        group = self._nearest(places, values)
        if group < 0:
            group = len(self._sizes)
            self._sizes.append(0)
            self._centroids, self._squares = longer(self._centroids, group + 1), longer(self._squares, group + 1)
        size = self._sizes[group]
        self._centroids[group] *= size / (size + 1)
        self._centroids[group, places] += values / (size + 1)
        self._squares[group] = float(self._centroids[group] @ self._centroids[group])
        self._sizes[group] = size + 1
        return group

    def _vector(self, path: str) -> tuple[np.ndarray, np.ndarray]:
        """The dimensions that are not 0, and their values."""
        grams = bigrams(path)
        for gram in grams:
            if gram not in self._numbers:
                self._loads[dimension(len(self._numbers))] += 1
                self._numbers[gram] = len(self._numbers)
        sums = Counter[int]()
        for gram in grams:
            sums[dimension(self._numbers[gram])] += 1
        places = np.fromiter(sums.keys(), np.int64, len(sums))
        values = np.fromiter(sums.values(), float, len(sums)) / len(grams) / self._loads[places]
        return places, values

    def _nearest(self, places: np.ndarray, values: np.ndarray) -> int:
        count = len(self._sizes)
        if not count:
            return -1
        products = self._centroids[:count, places] @ values
        cosines = products / np.sqrt(self._squares[:count] * (values @ values))
        group = int(cosines.argmax())
        return group if cosines[group] >= self._similarity or count == MOST_GROUPS else -1
