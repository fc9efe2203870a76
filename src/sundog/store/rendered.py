"""Pages, time and data by action: what was fetched plainly, and what a browser rendered.

Most pages are plain, and of these only what they earned is read out of the log.
"""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from sundog.store.events import RENDER_PARTS


def _part(name: str) -> str:
    return f"json_extract(data, '$[{RENDER_PARTS.index(name)}]')"


def _of_browser(name: str, condition: str = "") -> str:
    """A sum over the pages that were not plain."""
    return f"total(CASE WHEN action <> 'plain' THEN {_part(name)}{condition} END)"


ACTIONS = f"""WITH made AS (
    SELECT {_part("action")} action, value, data FROM log WHERE event = 'rendered')
  SELECT action, count(*), total({_part("plain_reward")} > 0), {_of_browser("gain", " > 0")},
    {_of_browser("failure", " <> ''")}, {_of_browser("seconds")}, {_of_browser("cpu")},
    {_of_browser("requests")}, {_of_browser("size")}, {_of_browser("refused")}, total(value)
  FROM made GROUP BY action ORDER BY action"""


class ActionLine(NamedTuple):
    action: str
    pages: int
    had: float  # pages that earned something before they were rendered
    gained: float
    failed: float
    seconds: float
    cpu: float
    requests: float
    size: float
    refused: float
    cost: float  # of the budget

    @property
    def rendered(self) -> int:
        return 0 if self.action == "plain" else self.pages


def actions_of(connection: sqlite3.Connection) -> list[ActionLine]:
    """Empty if the crawl renders nothing."""
    return [ActionLine._make(row) for row in connection.execute(ACTIONS)]


def rendered_pages(lines: list[ActionLine]) -> dict[str, Any]:
    """Pages that were rendered, and what that brought and cost; empty if none was even considered."""
    if not lines:
        return {}
    return {
        "considered": sum(each.pages for each in lines),
        "pages": sum(each.rendered for each in lines),
        "checks": sum(each.pages for each in lines if each.action == "check"),
        "gained": int(sum(each.gained for each in lines)),
        "failed": int(sum(each.failed for each in lines)),
        "requests": int(sum(each.requests for each in lines)),
        "bytes": int(sum(each.size for each in lines)),
        "refused": int(sum(each.refused for each in lines)),
        "cost": sum(each.cost for each in lines),
        "cpu": round(sum(each.cpu for each in lines), 2),
    }
