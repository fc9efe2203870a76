"""The finished web, in file order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sundog._jit import njit


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of few different strings: row i is `names[codes[i]]`."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SyntheticWeb:
    """Pages 0 .. n-1 in file order.

    Page 0 is the root, from which every page can be reached; the order of the others is random,
    so that an id tells nothing. Page p's URL is `url_bytes[url_offsets[p]:url_offsets[p + 1]]`,
    its links in the order of the page are `link_targets[link_offsets[p]:link_offsets[p + 1]]`. A graph has scores
    of pages and of links; not all of its pages need be reached from page 0. A Web of Data has Content-Types,
    statuses and the RDF properties of links.
    """

    url_bytes: NDArray[np.uint8]
    url_offsets: NDArray[np.int64]
    counts: dict[str, NDArray[np.int32]]
    link_offsets: NDArray[np.int64]
    link_targets: NDArray[np.int32]
    host_of: NDArray[np.int32]
    scores: NDArray[np.float64] | None = None
    link_scores: NDArray[np.float64] | None = None
    content_types: Labels | None = None
    statuses: NDArray[np.int32] | None = None
    link_properties: Labels | None = None

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return len(self.host_of)

    def url(self, page: int) -> str:
        """One URL as a string."""
        return bytes(self.url_bytes[self.url_offsets[page] : self.url_offsets[page + 1]]).decode("ascii")

    def relevant(self) -> NDArray[np.bool_]:
        """Which pages have at least one statement of the objective `any`."""
        names = ("jsonld", "microdata", "rdfa", "microformats")
        return np.asarray(sum(self.counts[name] for name in names) > 0)


def gather(
    values: NDArray[np.uint8], offsets: NDArray[np.int64], order: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Variable-length rows in a new order."""
    lengths = np.diff(offsets)[order]
    moved = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    out = np.empty_like(values)
    _copy_rows(values, offsets, order, moved, out)
    return out, moved


@njit
def _copy_rows(
    values: NDArray[np.uint8], offsets: NDArray[np.int64], order: NDArray[np.int64],
    moved: NDArray[np.int64], out: NDArray[np.uint8],
) -> None:  # fmt: skip
    for row in range(len(order)):
        at = offsets[order[row]]
        for position in range(moved[row], moved[row + 1]):
            out[position] = values[at + position - moved[row]]
