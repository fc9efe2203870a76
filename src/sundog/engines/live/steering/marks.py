"""Marks behind a URL tell visits of one page apart. No URL has one of its own: identity takes fragments away."""

from __future__ import annotations

import re

_MARK = re.compile(r"#~(?:again)?\d+$")


def by_path(url: str, referrer: int) -> str:
    """The visit that was reached from another one.

    >>> by_path("http://a.example/x", 17)
    'http://a.example/x#~17'
    """
    return f"{url}#~{referrer}"


def repeated(url: str, times: int) -> str:
    return f"{url}#~again{times}"


def is_marked(name: str) -> bool:
    """
    >>> is_marked("http://a.example/x#~17"), is_marked("http://a.example/x")
    (True, False)
    """
    return "#" in name and _MARK.search(name) is not None


def bare(name: str) -> str:
    """The URL itself."""
    return _MARK.sub("", name) if "#" in name else name
