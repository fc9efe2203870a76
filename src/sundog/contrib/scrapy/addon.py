"""What the add-on changes in a project's settings."""

from __future__ import annotations

from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from sundog.contrib.scrapy.failures import FailureMiddleware
from sundog.contrib.scrapy.scheduler import Scheduler
from sundog.contrib.scrapy.scraped_pages import ScrapedPages

NEAREST_TO_ENGINE = 5  # it sees what leaves the other middlewares, and errors that none of them has caught
DEFAULT_SCHEDULER = "scrapy.core.scheduler.Scheduler"


class Addon:
    """``SUNDOG_POLICY``, ``SUNDOG_BUDGET``, ``SUNDOG_SEED`` and ``SUNDOG_REWARD`` are its settings."""

    def update_settings(self, settings: BaseSettings) -> None:
        chosen = settings.get("SCHEDULER")
        if chosen not in (DEFAULT_SCHEDULER, Scheduler):
            raise NotConfigured(f"SCHEDULER is {chosen}; leave it out, for Sundog is a scheduler itself")
        settings.set("SCHEDULER", Scheduler, max(settings.getpriority("SCHEDULER") or 0, 15))
        _add(settings, "SPIDER_MIDDLEWARES", ScrapedPages)
        _add(settings, "DOWNLOADER_MIDDLEWARES", FailureMiddleware)


def _add(settings: BaseSettings, name: str, component: type) -> None:
    components = settings.getdict(name)
    components.setdefault(component, NEAREST_TO_ENGINE)
    settings.set(name, components, settings.getpriority(name) or 0)
