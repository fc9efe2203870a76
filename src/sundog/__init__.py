"""Sundog: an adaptive focused crawler for structured data.

The library's surface is loaded when it is used, so that ``import sundog`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sundog.engines.explore import Exploration, explore
    from sundog.engines.live.run import crawl, resume
    from sundog.engines.simulate import Run, simulate
    from sundog.errors import SundogError
    from sundog.extract import Extraction, extract
    from sundog.model import Decision, Failed, Fetched, Finished, Link, Refused, Step, Wait
    from sundog.session import CrawlSession
    from sundog.spec import CrawlSpec
    from sundog.worlds.load import load_world

_HOMES = {
    "CrawlSession": "sundog.session",
    "CrawlSpec": "sundog.spec",
    "Exploration": "sundog.engines.explore",
    "Extraction": "sundog.extract",
    "Run": "sundog.engines.simulate",
    "SundogError": "sundog.errors",
    "crawl": "sundog.engines.live.run",
    "explore": "sundog.engines.explore",
    "extract": "sundog.extract",
    "load_world": "sundog.worlds.load",
    "resume": "sundog.engines.live.run",
    "simulate": "sundog.engines.simulate",
    **dict.fromkeys(
        ("Decision", "Failed", "Fetched", "Finished", "Link", "Refused", "Sight", "Step", "Wait"), "sundog.model"
    ),
}

__version__ = "0.1.0"
__all__ = [
    "CrawlSession",
    "CrawlSpec",
    "Decision",
    "Exploration",
    "Extraction",
    "Failed",
    "Fetched",
    "Finished",
    "Link",
    "Refused",
    "Run",
    "Sight",
    "Step",
    "SundogError",
    "Wait",
    "crawl",
    "explore",
    "extract",
    "load_world",
    "resume",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sundog' has no attribute '{name}'")
