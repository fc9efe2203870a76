"""Environment variables that are read: paths, and defaults of options. docs/command-line.md lists them."""

from __future__ import annotations

import os
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

from sundog.errors import UsageError

if TYPE_CHECKING:
    from sundog.spec import CrawlSpec

ROOT = "SUNDOG_ROOT"
OF_CRAWLS = {  # by the key of a spec
    "budget": "SUNDOG_BUDGET",
    "policy": "SUNDOG_POLICY",
    "delay": "SUNDOG_DELAY",
    "concurrency": "SUNDOG_CONCURRENCY",
    "workers": "SUNDOG_WORKERS",
    "user_agent": "SUNDOG_USER_AGENT",
}


def with_defaults(spec: CrawlSpec, written: Container[str]) -> CrawlSpec:
    """The spec with the user's defaults for keys that are not ``written`` in its file."""
    from sundog.spec import with_settings

    for key, variable in OF_CRAWLS.items():
        if key not in written and (text := os.environ.get(variable)):
            try:
                spec = with_settings(spec, {key: text})
            except UsageError as error:
                raise UsageError(f"the environment variable {variable}: {error}") from None
    return spec


def root_of_crawls() -> Path:
    """Where a crawl without ``--out`` is kept: a site that serves the root shows it."""
    return Path(os.environ.get(ROOT, ""))
