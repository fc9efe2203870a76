"""What rendering brings and costs, live: ``python -m benchmarks rendering``, some ten minutes.

A web of which a third of the templates need a browser, crawled without one, as learned, by crawlee's rule if that
is installed, and with one for every page; then one where nothing needs it though every page has a tag manager.
``python -m benchmarks.live.rendering third`` or ``nothing`` runs one of them, ``nothing 8 4`` that in eight rounds
on 4 sites. The same crawl differs by a tenth from run to run, so both ways take turns there, each one first in
every other round. The web is served by another process.
Processor time is that of the crawl, of Playwright and of Chromium, from its start.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks.common import print_table, with_spread
from benchmarks.live.crawlee_rule import CrawleeRule
from sundog import CrawlSpec, crawl
from sundog.engines.live.pages.reading import Reading
from sundog.engines.live.rendering import rendering
from sundog.engines.live.rendering.records import Choice
from sundog.engines.live.rendering.rendering import ReadPage, RenderedVisit, Rendering
from sundog.fetch.values import Page
from sundog.store import open_readonly

SETTLED = 30  # pages of a template


class Web(NamedTuple):
    sites: str
    items: int  # of a site
    articles: int
    filler: int = 30_000  # bytes of a page that is no application


# Of 32 templates 11 need it: the items of sites with tag managers; home, lists and items of applications.
A_THIRD = Web("plain=2 tags=2 app=3 state=1", 24, 60)
NOTHING = Web("plain=10", 1_700, 800)
NOTHING_ROUNDS = 2
CRAWLEE = "crawlee's rule"


class Cost(NamedTuple):
    pages: int
    relevant: int
    rendered: int
    in_vain: int
    cpu: float
    browsers: float  # of that: of Playwright and Chromium
    right: float  # share of right choices, after the first pages of a template; of a crawl that learns

    @property
    def rate(self) -> float:
        return self.relevant / self.cpu

    @property
    def a_page(self) -> float:
        """Milliseconds without the browsers."""
        return 1_000 * (self.cpu - self.browsers) / self.pages


@contextmanager
def served(web: Web) -> Iterator[tuple[str, list[str]]]:
    """Where it is, and its seeds."""
    words = [f"--{name}={value}" for name, value in web._asdict().items()]
    command = [sys.executable, "-m", "examples.script_web", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            count = sum(int(each.partition("=")[2]) for each in web.sites.split())
            yield address, [process.stdout.readline().strip() for _ in range(count)]
        finally:
            process.kill()


def crawled(web: Web, mode: str) -> Cost:
    with served(web) as (address, seeds), tempfile.TemporaryDirectory() as scratch:
        usual = {"delay": 0, "workers": 0, "extent": "host", "connect_to": address}
        crawl(CrawlSpec(seeds=tuple(seeds[:1]), budget=3, **usual), Path(scratch) / "warm")  # type: ignore[arg-type]
        spec = CrawlSpec(
            seeds=tuple(seeds),
            objective="type:schema:Product",
            budget=100_000,
            concurrency=8,
            render="learned" if mode == CRAWLEE else mode,  # type: ignore[arg-type]
            **usual,  # type: ignore[arg-type]
        )
        chosen_by = patch.object(rendering, "Rendering", CrawleeRendering) if mode == CRAWLEE else nullcontext()
        before = time.process_time()
        with chosen_by:
            summary = crawl(spec, Path(scratch) / mode)
        cpu = time.process_time() - before
        made_by = summary.get("rendered", {})
        with open_readonly(Path(scratch) / mode) as reader:
            made = reader.connection.execute(
                "SELECT template, action <> 'plain' FROM renders ORDER BY step"
            ).fetchall()
    return Cost(
        summary["fetched"],
        summary["relevant"],
        made_by.get("pages", 0),
        made_by.get("pages", 0) - made_by.get("gained", 0),
        cpu + made_by.get("cpu", 0.0),
        made_by.get("cpu", 0.0),
        _right(made),
    )


def _right(made: list[tuple[str, int]]) -> float:
    seen: dict[str, int] = {}
    right = settled = 0
    for template, was_rendered in made:
        seen[template] = seen.get(template, 0) + 1
        if seen[template] > SETTLED:
            settled += 1
            right += bool(was_rendered) == _needs_it(template)
    return right / settled if settled else 1.0


def _needs_it(template: str) -> bool:
    host, _, path = template.partition("/")
    return path.startswith("item") if host.startswith("tags") else host.startswith("app") and "blog" not in path


def compare(title: str, web: Web, modes: tuple[str, ...]) -> None:
    """The last mode is what the others are compared with."""
    found = {}
    for mode in modes:
        found[mode] = crawled(web, mode)
        print(mode, found[mode], flush=True)
    last = found[modes[-1]]
    rows = [
        (
            mode,
            f"{each.pages:,}",
            f"{each.relevant:,}",
            f"{each.relevant / last.relevant:.3f}",
            f"{each.rendered:,}",
            f"{each.in_vain:,}",
            f"{each.cpu:.1f}",
            f"{each.rate:.2f}",
            f"{each.rate / last.rate:.3f}",
            f"{each.right:.3f}" if mode == "learned" else "",
        )
        for mode, each in found.items()
    ]
    names = ("render", "pages", "relevant", f"of {modes[-1]}", "rendered", "in vain", "CPU s", "per CPU s")
    print_table(
        f"{title}: {web.sites}, {web.items:,} items and {web.articles:,} articles each",
        (*names, f"times {modes[-1]}", f"right after {SETTLED}"),
        rows,
    )


def compare_in_turn(title: str, web: Web, rounds: int) -> None:
    """``learned`` beside ``never``, round by round."""
    pairs = []
    for number in range(rounds):
        order = ("learned", "never") if number % 2 else ("never", "learned")
        found = {mode: crawled(web, mode) for mode in order}
        pairs.append((found["learned"], found["never"]))
        print(*(f"{mode} {each}" for mode, each in found.items()), sep="\n", flush=True)
    rows = [
        ("pages", f"{pairs[0][0].pages:,}"),
        ("data of `never`", with_spread([one.relevant / other.relevant for one, other in pairs], ".3f")),
        ("ms a page, `never`", with_spread([other.a_page for _, other in pairs], ".2f")),
        ("ms a page without the browser, `learned`", with_spread([one.a_page for one, _ in pairs], ".2f")),
        ("times as many", with_spread([one.a_page / other.a_page for one, other in pairs], ".3f")),
        ("pages rendered", with_spread([one.rendered for one, _ in pairs], ".0f")),
        ("CPU s of the browser", with_spread([one.browsers for one, _ in pairs], ".2f")),
        ("data per CPU s, of `never`", with_spread([one.rate / other.rate for one, other in pairs], ".3f")),
    ]
    print_table(f"{title}: {web.sites}, {rounds} rounds", ("", "median (least – most)"), rows)


class CrawleeRendering(Rendering):
    """Chooses as crawlee's adaptive crawler does. What it calls a different result is one that gives more."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._rule = CrawleeRule(seed=1)

    async def visit(
        self, candidate: int, page: Page, reading: Reading, read: ReadPage, *, is_known: bool = False
    ) -> RenderedVisit | None:
        if "html" not in page.content_type or not page.body or not 200 <= page.status < 300:
            return None
        await self._rule.begin()
        predicted = self._rule.predict(page.url)
        chosen = Choice(predicted.renders, False, 1.0, 1.0, 0.0)
        visit = RenderedVisit(page, reading, self._noted(candidate, None, chosen, CRAWLEE))
        if chosen.render:
            visit = await self._render(visit, read)
        if predicted.compares:
            self._rule.learn(page.url, bool(visit.choice.gain))
        return visit


def main() -> None:
    which, *numbers = sys.argv[1:] if sys.argv[1:2] in (["third"], ["nothing"]) else [""]
    if which != "nothing":
        rule = (CRAWLEE,) if find_spec("crawlee") else ()
        compare("A third of the templates need rendering", A_THIRD, ("never", "learned", *rule, "always"))
    if which != "third":
        rounds, sites = (*map(int, numbers), *(NOTHING_ROUNDS, 10)[len(numbers) :])
        web = NOTHING._replace(sites=f"plain={sites}")
        compare_in_turn("Nothing needs it, every page has a tag manager", web, rounds)


if __name__ == "__main__":
    main()
