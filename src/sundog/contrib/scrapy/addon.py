"""What the add-on changes in a project's settings."""

from __future__ import annotations

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings
from scrapy.spidermiddlewares.start import StartSpiderMiddleware
from scrapy.utils.misc import load_object

from sundog.contrib.scrapy.failures import FailureMiddleware
from sundog.contrib.scrapy.robots import SharedRobots
from sundog.contrib.scrapy.scheduler import Scheduler, options_of
from sundog.contrib.scrapy.scraped_pages import ScrapedPages

NEAREST_TO_ENGINE = 5  # it sees what leaves the other middlewares, and errors that none of them has caught
START_MIDDLEWARE = "scrapy.spidermiddlewares.start.StartSpiderMiddleware"
DEFAULT_SCHEDULER = "scrapy.core.scheduler.Scheduler"


class Addon:
    """``SUNDOG_POLICY``, ``SUNDOG_BUDGET``, ``SUNDOG_SEED`` and ``SUNDOG_REWARD`` are its settings."""

    def update_settings(self, settings: BaseSettings) -> None:
        chosen = settings.get("SCHEDULER")
        if chosen not in (DEFAULT_SCHEDULER, Scheduler):
            raise NotConfigured(f"SCHEDULER is {chosen}; leave it out, for Sundog is a scheduler itself")
        options_of(settings)  # wrong ones are told now: when the engine has opened, its own errors come last
        settings.set("SCHEDULER", Scheduler, max(settings.getpriority("SCHEDULER") or 0, 15))
        _add(settings, "SPIDER_MIDDLEWARES", ScrapedPages)
        _replace_its_neighbour(settings)
        _add(settings, "DOWNLOADER_MIDDLEWARES", FailureMiddleware)
        _share_robots(settings)


def _add(settings: BaseSettings, name: str, component: type) -> None:
    components = settings.getdict(name)
    components.setdefault(component, NEAREST_TO_ENGINE)
    settings.set(name, components, settings.getpriority(name) or 0)


def _replace_its_neighbour(settings: BaseSettings) -> None:
    """``ScrapedPages`` does what it does. Something between the two may count on its mark, and then it stays."""
    chosen = settings.getdict("SPIDER_MIDDLEWARES")
    place = settings.getdict("SPIDER_MIDDLEWARES_BASE").get(START_MIDDLEWARE)
    others = [(load_object(each), order) for each, order in chosen.items() if each is not ScrapedPages]
    if place is None or any(each is StartSpiderMiddleware for each, _ in others):
        return
    if all(order is None or order > place for _, order in others):
        settings.set_in_component_priority_dict("SPIDER_MIDDLEWARES", StartSpiderMiddleware, None)


def _share_robots(settings: BaseSettings) -> None:
    """Where Scrapy's own middleware for robots.txt stands; a project may have taken it out."""
    places = {
        load_object(each): order
        for name in ("DOWNLOADER_MIDDLEWARES_BASE", "DOWNLOADER_MIDDLEWARES")
        for each, order in settings.getdict(name).items()
    }
    place = places.get(RobotsTxtMiddleware)
    if place is not None:
        settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", RobotsTxtMiddleware, None)
        settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", SharedRobots, place)
