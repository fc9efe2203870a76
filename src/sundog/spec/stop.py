"""When a crawl ends before its budget is spent."""

from __future__ import annotations

from dataclasses import dataclass

from sundog.completeness.share import parse_share


@dataclass(frozen=True, kw_only=True)
class Stop:
    """
    >>> Stop(left="2%").left_share, Stop().left_share
    (0.02, None)
    """

    left: str = ""  # at most this share of the wanted pages is missing, such as 2%

    @property
    def left_share(self) -> float | None:
        return parse_share(self.left, "stop.left") if self.left else None
