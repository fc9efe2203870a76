"""Shares as people write them, such as 2%."""

from __future__ import annotations

import math

from sundog.errors import UsageError


def parse_share(text: str, called: str) -> float:
    """
    >>> parse_share("2%", "stop.left"), parse_share("0.02", "stop.left")
    (0.02, 0.02)
    """
    digits = text.strip().removesuffix("%")
    try:
        share = float(digits) / (100 if digits != text.strip() else 1)
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise UsageError(f'{called} = "{text}": a share of the wanted pages is expected, such as "2%"')
    return share
