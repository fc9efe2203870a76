"""Sundog: an adaptive focused crawler for structured data.

A whole crawl is ``crawl(CrawlSpec(seeds=…), directory)``; ``resume`` goes on with it, ``export``, ``query`` and
``Crawl`` read what it has found. ``CrawlSession`` is the choosing alone, for crawlers that fetch by themselves: it
gives a ``Decision``, ``Wait`` or ``Finished``, and is told ``Fetched``, ``Failed``, ``Refused`` or ``HeadResult``.
``simulate`` crawls a static world, ``compare`` does so with several policies, ``explore`` crawls what a function
expands, and ``extract`` reads one page. What the caller can mend is a ``SundogError``.

The names are loaded when they are used, so that ``import sundog`` costs nothing.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from sundog.engines.explore import Exploration, explore
    from sundog.engines.live.control.asynchronous import RunningCrawl, acrawl, aresume
    from sundog.engines.live.control.crawl_control import CrawlControl
    from sundog.engines.live.progress import Snapshot
    from sundog.engines.live.run import crawl, resume
    from sundog.engines.runs import Run
    from sundog.engines.simulate import simulate
    from sundog.errors import SundogError, UsageError
    from sundog.extract import Extraction, extract
    from sundog.model import Decision, Failed, Fetched, Finished, HeadResult, Link, Refused, Step, Wait
    from sundog.policies.objects.values import Candidate, PageOutcome, PolicyObject
    from sundog.policies.parameters import PolicyParameters
    from sundog.report.comparison import Comparison, Plot, compare
    from sundog.results.export import export
    from sundog.results.notebook import Crawl
    from sundog.session import CrawlSession
    from sundog.spec import CrawlSpec
    from sundog.store.query import query
    from sundog.worlds.load import load_world

_HOMES = {
    "Candidate": "sundog.policies.objects.values",
    "Comparison": "sundog.report.comparison",
    "Crawl": "sundog.results.notebook",
    "CrawlControl": "sundog.engines.live.control.crawl_control",
    "CrawlSession": "sundog.session",
    "CrawlSpec": "sundog.spec",
    "Exploration": "sundog.engines.explore",
    "Extraction": "sundog.extract",
    "PageOutcome": "sundog.policies.objects.values",
    "Plot": "sundog.report.comparison",
    "PolicyObject": "sundog.policies.objects.values",
    "PolicyParameters": "sundog.policies.parameters",
    "Run": "sundog.engines.runs",
    "RunningCrawl": "sundog.engines.live.control.asynchronous",
    "Snapshot": "sundog.engines.live.progress",
    "SundogError": "sundog.errors",
    "UsageError": "sundog.errors",
    "acrawl": "sundog.engines.live.control.asynchronous",
    "aresume": "sundog.engines.live.control.asynchronous",
    "compare": "sundog.report.comparison",
    "crawl": "sundog.engines.live.run",
    "explore": "sundog.engines.explore",
    "export": "sundog.results.export",
    "extract": "sundog.extract",
    "load_world": "sundog.worlds.load",
    "query": "sundog.store.query",
    "resume": "sundog.engines.live.run",
    "simulate": "sundog.engines.simulate",
    **dict.fromkeys(
        ("Decision", "Failed", "Fetched", "Finished", "Link", "Refused", "HeadResult", "Step", "Wait"),
        "sundog.model",
    ),
}

__version__ = "0.1.0"
__all__ = [
    "Candidate",
    "Comparison",
    "Crawl",
    "CrawlControl",
    "CrawlSession",
    "CrawlSpec",
    "Decision",
    "Exploration",
    "Extraction",
    "Failed",
    "Fetched",
    "Finished",
    "HeadResult",
    "Link",
    "PageOutcome",
    "Plot",
    "PolicyObject",
    "PolicyParameters",
    "Refused",
    "Run",
    "RunningCrawl",
    "Snapshot",
    "Step",
    "SundogError",
    "UsageError",
    "Wait",
    "acrawl",
    "aresume",
    "compare",
    "crawl",
    "explore",
    "export",
    "extract",
    "load_world",
    "query",
    "resume",
    "simulate",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())  # a library prints nothing unasked


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name == "Sight":  # until the next release
        warn("sundog.Sight is called HeadResult now", DeprecationWarning, stacklevel=2)
        return __getattr__("HeadResult")
    raise AttributeError(f"module 'sundog' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})  # for completion and help(), which see no names that are not loaded
