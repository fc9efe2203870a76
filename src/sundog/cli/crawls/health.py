"""``sundog health``: what broke, where, since when, and the likely cause."""

from __future__ import annotations

from sundog.cli.crawls.results import as_one_crawl
from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_data, print_json


def health_command(directory: CrawlDirectory, as_json: AsJson = False) -> None:
    """Compare every host and template with its own past, and name what broke: markup, walls, blocks, moves."""
    from sundog.results.health.health import health, lines

    as_one_crawl(directory)
    found = health(directory)
    if as_json:
        print_json(found)
        return
    for line in lines(found):
        print_data(f"{line}\n")
