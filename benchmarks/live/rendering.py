"""What rendering brings and costs: ``python -m benchmarks rendering``, some minutes.

Live: a web of which a third of the templates need a browser, crawled without one, with one for every page, and
as learned; processor time is that of the crawl, of Playwright and of Chromium. Then, with the processor times that
were measured, decisions on much larger webs of the same kinds of templates, beside the rule of crawlee's adaptive
crawler (its own class, if crawlee is installed) and an oracle that renders exactly what needs it.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from examples.script_web.serving import serving

from benchmarks.common import print_table
from sundog import CrawlSpec, crawl
from sundog.engines.live.rendering.records import Plain, RenderRecords

A_THIRD = {"plain": 4, "tags": 2, "app": 3, "state": 1}
ITEMS, ARTICLES = 10, 4
MODES = ("never", "learned", "always")
SETTLED = 30  # pages of a template


def live(kinds: dict[str, int], items: int, articles: int, modes: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """By mode: pages, relevant ones, rendered ones, processor seconds."""
    found = {}
    with serving(kinds, items=items, articles=articles) as web, tempfile.TemporaryDirectory() as scratch:
        warm = CrawlSpec(seeds=tuple(web.seeds[:1]), budget=3, delay=0, connect_to=web.connect_to, workers=0)
        crawl(warm, Path(scratch) / "warm")
        for mode in modes:
            spec = CrawlSpec(
                seeds=tuple(web.seeds),
                objective="type:schema:Product",
                budget=10_000,
                delay=0,
                concurrency=8,
                extent="host",
                workers=0,
                connect_to=web.connect_to,
                render=mode,  # type: ignore[arg-type]
            )
            before = time.process_time()  # the server is in this process, and counts for all modes alike
            summary = crawl(spec, Path(scratch) / mode)
            rendered = summary.get("rendered", {})
            found[mode] = {
                "pages": summary["fetched"],
                "relevant": summary["relevant"],
                "rendered": rendered.get("pages", 0),
                "cpu": time.process_time() - before + rendered.get("cpu", 0.0),
            }
            print(mode, found[mode], flush=True)
    return found


class Case(NamedTuple):
    """A page of a larger web."""

    url: str
    plain: Plain
    gain: float


# By kind of site: template, sign of its plain pages, their reward, and what rendering brings. As ``live`` logs it.
TEMPLATES = {
    "plain": (
        ("item", "tag manager", 1.0, 0.0),
        ("blog", "tag manager", 0.0, 0.0),
        ("list", "tag manager", 0.0, 0.0),
    ),
    "bare": (("item", "scripts", 1.0, 0.0), ("blog", "scripts", 0.0, 0.0), ("list", "nothing to run", 0.0, 0.0)),
    "tags": (
        ("item", "tag manager", 0.0, 1.0),
        ("blog", "tag manager", 0.0, 0.0),
        ("list", "tag manager", 0.0, 0.0),
    ),
    "app": (
        ("item", "empty shell", 0.0, 1.0),
        ("blog", "empty shell", 0.0, 0.0),
        ("list", "empty shell", 0.0, 0.25),
    ),
    "state": (("item", "framework", 1.0, 0.0), ("blog", "framework", 0.0, 0.0), ("list", "framework", 0.0, 0.0)),
}
SHARES = {"item": 0.7, "blog": 0.2, "list": 0.1}


def large_web(kinds: dict[str, int], pages: int, seed: int) -> list[Case]:
    """So many pages of each site, in an order in which a crawl may come by."""
    dice = random.Random(seed)
    cases = []
    for kind, number in kinds.items():
        for site in range(number):
            for name, sign, reward, gain in TEMPLATES[kind]:
                host = f"{kind}{site}.test"
                template = Plain(f"{host}/{name}/#", sign, reward)
                cases += [
                    Case(f"https://{host}/{name}/{n}", template, gain) for n in range(int(pages * SHARES[name]))
                ]
    dice.shuffle(cases)
    return cases


class Figures(NamedTuple):
    data: float
    cpu: float
    right: float  # share of pages whose action was right, of those after the first ``SETTLED`` of their template


Choose = Callable[[Case], bool]  # whether it is rendered


def run(cases: list[Case], choose: Choose, plain_cpu: float, render_cpu: float) -> Figures:
    data, cpu, right, settled = 0.0, 0.0, 0, 0
    seen: dict[str, int] = {}
    for case in cases:
        rendered = choose(case)
        cpu += plain_cpu + rendered * render_cpu  # a rendered page is fetched, too
        data += case.plain.reward + (min(1.0, case.gain) if rendered and case.gain >= 1 else 0.0)
        number = seen[case.plain.template] = seen.get(case.plain.template, 0) + 1
        if number > SETTLED:
            settled += 1
            right += rendered == (case.gain > 0)
    return Figures(data, cpu, right / max(1, settled))


def learned(price: float) -> Choose:
    records = RenderRecords()

    def choose(case: Case) -> bool:
        choice = records.choose(case.plain, price, 0.0)
        records.learn(case.plain, choice.render, choice.is_check, case.gain if choice.render else None)
        return choice.render

    return choose


def crawlee_rule(seed: int) -> Choose | None:
    """A page that it believes needs a browser is rendered; at its recommended share both are done and compared."""
    try:
        from crawlee import Request
        from crawlee.crawlers._adaptive_playwright._rendering_type_predictor import DefaultRenderingTypePredictor
    except ImportError:
        return None
    import asyncio

    predictor = DefaultRenderingTypePredictor()
    asyncio.run(predictor.initialize())
    dice = random.Random(seed)

    def choose(case: Case) -> bool:
        request = Request.from_url(case.url)
        found = predictor.predict(request)
        if dice.random() < found.detection_probability_recommendation:
            predictor.store_result(request, "client only" if case.gain > 0 else "static")
            return True
        return bool(found.rendering_type == "client only")

    return choose


def policies(price: float, seed: int, with_crawlee: bool) -> Iterator[tuple[str, Choose]]:
    yield "never", lambda case: False
    yield "always", lambda case: True
    yield "oracle", lambda case: case.gain > 0
    yield "learned", learned(price)
    rule = crawlee_rule(seed) if with_crawlee else None
    if rule is not None:
        yield "crawlee's rule", rule


def decisions(
    name: str, cases: list[Case], plain_cpu: float, render_cpu: float, seed: int, *, with_crawlee: bool = False
) -> None:
    """``with_crawlee`` takes time that grows with the square of the pages."""
    rows, price = [], render_cpu / plain_cpu
    figures = {
        which: run(cases, choose, plain_cpu, render_cpu) for which, choose in policies(price, seed, with_crawlee)
    }
    best = figures["always"]
    for which, found in figures.items():
        rows.append(
            (
                which,
                f"{found.data:,.0f}",
                f"{found.data / best.data:.3f}",
                f"{found.data / found.cpu:.2f}",
                f"{found.data / found.cpu / (best.data / best.cpu):.2f}",
                f"{found.right:.3f}",
            )
        )
    print_table(
        f"Decisions: {name}, {len(cases):,} pages, price {render_cpu / plain_cpu:.0f}, seed {seed}",
        ("policy", "data", "of always", "data per CPU s", "times always", f"right after {SETTLED}"),
        rows,
    )


def main() -> None:
    found = live(A_THIRD, ITEMS, ARTICLES, MODES)
    rows = [
        (
            mode,
            f"{each['pages']:.0f}",
            f"{each['relevant']:.0f}",
            f"{each['rendered']:.0f}",
            f"{each['cpu']:.1f}",
            f"{each['relevant'] / each['cpu']:.2f}",
        )
        for mode, each in found.items()
    ]
    print_table(
        "Rendering, live: a third of the templates need it",
        ("render", "pages", "relevant", "rendered", "CPU s", "relevant per CPU s"),
        rows,
    )
    never, always = found["never"], found["always"]
    plain_cpu = never["cpu"] / never["pages"]
    render_cpu = max(plain_cpu, (always["cpu"] - always["pages"] * plain_cpu) / always["rendered"])
    for seed in (1, 2):
        small = large_web(A_THIRD, 60, seed)
        decisions("a third needs it", small, plain_cpu, render_cpu, seed, with_crawlee=True)
        decisions("a third needs it", large_web(A_THIRD, 1_000, seed), plain_cpu, render_cpu, seed)
    few = {"plain": 12, "state": 3, "tags": 2, "app": 2}
    decisions("a fifth of the pages needs it", large_web(few, 1_000, 1), plain_cpu, render_cpu, 1)
    decisions("nothing needs it", large_web({"bare": 10}, 2_000, 1), plain_cpu, render_cpu, 1)
    decisions("nothing needs it, tag managers", large_web({"plain": 10}, 2_000, 1), plain_cpu, render_cpu, 1)


if __name__ == "__main__":
    main()
