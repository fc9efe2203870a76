"""What there is to tell of a crawl, and where a link to it leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

Event = Literal["ended", "failed", "attention"]


class Notice(NamedTuple):
    event: Event
    reason: str = ""  # in words


def notice_of_end(outcome: str, reason: str) -> Notice:
    return Notice("failed" if outcome == "failed" else "ended", reason)


def attention_of(live: Mapping[str, Any]) -> str:
    """Why somebody should look at a crawl that runs, by its ``live.json``; empty if all is well.

    >>> attention_of({"paused": "no space is left", "warning": ""}), attention_of({"warning": None})
    ('it is paused: no space is left', '')
    """
    if paused := live.get("paused"):
        return f"it is paused: {paused}"
    return str(live.get("warning") or "")


def link_to(site: str, crawl_id: str) -> str:
    """The page of a crawl; empty if nobody has said where the site is.

    >>> link_to("https://crawls.example/", "a b"), link_to("", "a b")
    ('https://crawls.example/crawls/a%20b', '')
    """
    return f"{site.rstrip('/')}/crawls/{quote(crawl_id, safe='')}" if site else ""
