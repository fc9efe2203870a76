"""Sundog as an add-on of Scrapy: ``ADDONS = {"sundog.contrib.scrapy.Addon": 500}``.

It chooses the next request among those that the spiders yield, and learns from what they scrape.
"""

try:
    import scrapy  # noqa: F401
except ImportError:
    raise ImportError("Scrapy is missing: pip install 'sundog[scrapy]'") from None

from sundog.contrib.scrapy.addon import Addon

__all__ = ["Addon"]
