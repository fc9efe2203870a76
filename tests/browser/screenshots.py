"""``python -m tests.browser.screenshots``: pictures of every page, narrow and wide, light and dark, to look at."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from playwright.sync_api import Browser

from tests.browser.chromium import THEMES, WIDTHS, chromium, overflow

PLAIN = {"crawls": "/", "new": "/new", "expert": "/new/expert", "api": "/api-guide"}
OF_A_CRAWL = {"watch": "", "graph": "/graph", "results": "/results", "log": "/log", "page": "/pages/1"}
SECONDS_TO_FILL = 2.5


def paths(site: str, token: str) -> dict[str, str]:
    request = Request(f"{site}/api/crawls", headers={"Authorization": f"Bearer {token}"})
    with urlopen(request, timeout=10) as answer:
        crawls = json.load(answer)["crawls"]
    of_a_crawl = {name: f"/crawls/{crawls[0]['id']}{rest}" for name, rest in OF_A_CRAWL.items()} if crawls else {}
    return PLAIN | of_a_crawl


def take(browser: Browser, link: str, out: Path, only: list[str]) -> None:
    site = "{0.scheme}://{0.netloc}".format(urlsplit(link))
    query = urlsplit(link).query
    for name, path in paths(site, *parse_qs(query).get("token", [""])).items():
        if only and name not in only:
            continue
        for width in WIDTHS:
            for theme in THEMES:
                page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
                page.on("console", lambda message, name=name: print(f"{name}: {message.type}: {message.text}"))
                page.on("pageerror", lambda error, name=name: print(f"{name}: {error}"))
                page.goto(f"{site}{path}?{query}")
                page.wait_for_timeout(SECONDS_TO_FILL * 1000)
                page.screenshot(path=out / f"{name}-{width}-{theme}.png", full_page=True)
                if overflow(page) > 0:
                    print(f"{name} at {width}: {overflow(page)} pixels too wide")
                page.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("site", help="the link that sundog serve prints")
    parser.add_argument("only", nargs="*", help=f"of {', '.join(PLAIN | OF_A_CRAWL)}")
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    given = parser.parse_intermixed_args()
    given.out.mkdir(exist_ok=True)
    with chromium() as browser:
        take(browser, given.site, given.out, given.only)


if __name__ == "__main__":
    main()
