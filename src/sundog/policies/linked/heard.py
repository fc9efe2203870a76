"""Content-Types as HEAD requests told them, for those who crawl what no world knows beforehand."""

from __future__ import annotations

import numpy as np

from sundog.frontier.catalog import fit
from sundog.policies.linked.easy import by_content_type

MOST_NAMES = 1024  # servers may say what they like; all further ones are one type
OTHER = "application/octet-stream"


class HeardTypes:
    """URI i has the type ``codes[i]``; -1 if it has none, or nobody has asked.

    >>> heard = HeardTypes()
    >>> heard.grow(3)
    >>> heard.tell(1, "Text/Turtle; charset=utf-8")
    >>> heard.codes.tolist()[:3], heard.easiness[0].item()
    ([-1, 0, -1], 1)
    """

    def __init__(self) -> None:
        self.codes = np.full(16, -1, np.int32)
        self.easiness = np.zeros(MOST_NAMES, np.int64)
        self._names: dict[str, int] = {}

    def grow(self, uris: int) -> None:
        known = len(self.codes)
        self.codes = fit(self.codes, uris)
        self.codes[known:] = -1

    def tell(self, uri: int, content_type: str) -> None:
        name = content_type.partition(";")[0].strip().lower()
        if name not in self._names and len(self._names) >= MOST_NAMES - 1:
            name = OTHER
        code = self._names.setdefault(name, len(self._names))
        self.easiness[code] = by_content_type(name)
        self.codes[uri] = code
