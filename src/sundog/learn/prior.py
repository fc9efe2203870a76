"""What earlier crawls have learned of features, as the weights that the models of new hosts begin with.

A crawl's classifier has learned over all its hosts which words of URLs and anchors, which tag paths and which
places of links go with what is wanted. On another site the same weights say which of its pages to try first. They
are halved, for what holds over hosts holds within one of them less; where they are wrong, the host's own pages
outweigh them in time.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sundog.learn.model import Model

SHARE = 0.5
LEAST = 1e-4  # smaller weights say nothing
SQUARES, WEIGHTS = 1, 2  # rows of a table of FTRL


class Prior(NamedTuple):
    features: Any  # int32, rising
    weights: Any  # float32

    def dense(self, width: int) -> Any:
        weights = np.zeros(width, np.float32)
        weights[self.features] = self.weights
        return weights

    def packed(self) -> bytes:
        """For a log."""
        columns = self.features.astype("<i4").tobytes() + self.weights.astype("<f4").tobytes()
        return zlib.compress(struct.pack("<I", len(self.features)) + columns, 6)

    @classmethod
    def unpacked(cls, packed: bytes) -> Prior:
        """
        >>> prior = Prior(np.array([3, 9], np.int32), np.array([0.5, -1.0], np.float32))
        >>> [column.tolist() for column in Prior.unpacked(prior.packed())]
        [[3, 9], [0.5, -1.0]]
        """
        data = zlib.decompress(packed)
        (count,) = struct.unpack_from("<I", data)
        features = np.frombuffer(data, "<i4", count, 4).astype(np.int32)
        return cls(features, np.frombuffer(data, "<f4", count, 4 + features.nbytes).astype(np.float32))


def prior_of(models: Sequence[Model]) -> Prior:
    """Of one or more models of FTRL with the same features: means, weighted by what each has seen of a feature."""
    seen = np.sum([model.table[SQUARES] for model in models], axis=0)
    total = np.sum([model.table[SQUARES] * model.table[WEIGHTS] for model in models], axis=0)
    weights = SHARE * total / np.where(seen > 0, seen, 1.0)
    features = np.flatnonzero(np.abs(weights) > LEAST).astype(np.int32)
    return Prior(features, weights[features].astype(np.float32))
