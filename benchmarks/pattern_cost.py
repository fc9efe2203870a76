"""What patterns cost a page, by engine, number of workers and size of the crawl graph; and what they cost a crawl.

The crawl has XQuery patterns, ``sundog crawl SPEC --workers N`` over loopback; its pages are alike, but no two are
the same. The cost of starting it is measured with a crawl of few pages and subtracted. The server is a separate
process on the same machine.
"""

from __future__ import annotations

import gzip
import json
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

from benchmarks.common import print_table, process_cost, scratch, with_spread
from benchmarks.live.runs import Done, Web, crawl
from benchmarks.live.server import serving
from sundog.engines.live.patterns.frontier import LiveFrontier
from sundog.engines.live.patterns.live_patterns import LivePatterns
from sundog.extract import extract
from sundog.patterns.definitions import DataPattern, LinkPattern, Patterns, StopPattern
from sundog.patterns.runner import PatternRunner, Subject, plan_of
from sundog.store import PatternFindings

SIZE = 76_000  # bytes of the page
WORDS = (
    "Population Elevation Area Mayor Founded Region River Bridge Tower Market Square Garden Castle Museum".split()
)
PAGE_ROUNDS = 200
GRAPHS = (1_000, 100_000)  # pages
GRAPH_LINKS = 40
CRAWL_PAGES, FEW_PAGES, HOSTS, CRAWL_LINKS, CRAWL_ROUNDS = 400, 40, 12, 8, 3
WORKERS = (0, 1, 2)
URL = "http://wiki.example/Munich"
CONDITION = "contains(concat(' ', @class, ' '), ' infobox ')"
FIELDS = {
    "name": {"find": "//h1", "required": True},
    "population": {"find": ".//tr[contains(th, 'Population')]/td", "type": "number"},
    "links": {"find": "//a[starts-with(@href, '/wiki/')]/@href", "type": "list of url"},
}
CRAWL_PATTERNS = f"""
[patterns]
engine = "xquery"

[[patterns.data]]
name = "city"
find = "//table[{CONDITION}]"
fields.name = {{ find = "//h1", required = true }}
fields.population = {{ find = ".//tr[contains(th, 'Population')]/td", type = "number" }}
fields.longest = "(for $p in //p order by string-length($p) descending return $p/a/@title)[1]"

[[patterns.data]]
name = "word"
find = '''
for $word in tokenize(lower-case(string-join(//p, ' ')), '[^a-z]+')
group by $w := $word
order by count($word) descending, $w
return map {{ 'word': $w, 'times': count($word) }}
'''

[[patterns.link]]
name = "on"
find = "//ul[@class='on']//a"
"""


def page_costs(pages: str | None = None) -> None:
    """``pages``: a file of real ones, of which the nearest in size is taken."""
    body = page()
    if pages is not None:
        with gzip.open(pages, "rt", encoding="utf-8") as lines:
            bodies = [json.loads(line)["html"].encode() for line in lines]
        body = min(bodies, key=lambda each: abs(len(each) - SIZE))
    engines(body)
    workers(body)
    graphs(body)


def engines(body: bytes) -> None:
    title = f"A page of {len(body) / 1000:.0f} kB, two data patterns, a link and a stop pattern"
    read = milliseconds(lambda: extract(body, base=URL).links)
    rows = [("read without patterns", f"{read:.2f}")]
    for engine in ("xpath", "xpath3", "xquery"):
        with PatternRunner(patterns_in(engine)) as runner:
            assert runner.apply(Subject(URL, body)).faults == []
            rows.append(
                (f"patterns in {engine}", f"{milliseconds(lambda r=runner: r.apply(Subject(URL, body))):.2f}")
            )
    print_table(title, ("", "ms of CPU per page"), rows)


def workers(body: bytes) -> None:
    """Each worker of a crawl has its own process for patterns."""
    rows = []
    for count in (1, 2):
        runners = [PatternRunner(patterns_in("xquery")) for _ in range(count)]
        for runner in runners:
            runner.start()
        begin = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(lambda runner: [runner.apply(Subject(URL, body)) for _ in range(PAGE_ROUNDS)], runners))
        rows.append((str(count), f"{count * PAGE_ROUNDS / (time.perf_counter() - begin):.0f}"))
        for runner in runners:
            runner.close()
    print_table("XQuery in one process per worker", ("workers", "pages per second"), rows)


def graphs(body: bytes) -> None:
    crawls = {pages: grown(pages) for pages in GRAPHS}
    rows = []
    with PatternRunner(graph_patterns()) as runner:

        def one(pages: int) -> None:
            live, visit = crawls[pages]
            task = live.task(visit)
            runner.apply(Subject(URL, body, crawl_view=task.crawl_view, names=task.names))

        assert all(live.task(visit).crawl_view.parents for live, visit in crawls.values())
        rounds = [{pages: milliseconds(lambda p=pages: one(p), 100) for pages in GRAPHS} for _ in range(7)]
    for pages in GRAPHS:
        rows.append((f"{pages:,}", f"{statistics.median(each[pages] for each in rounds):.2f}"))
    ratio = statistics.median(each[GRAPHS[1]] / each[GRAPHS[0]] for each in rounds)
    rows.append(("ratio", f"{ratio:.2f}"))
    print_table(
        "Patterns that look at parents, path and counts", ("pages in the crawl graph", "ms of CPU per page"), rows
    )


def grown(pages: int) -> tuple[LivePatterns, int]:
    """A crawl of this many pages: each links to the first, the last and the next ones; every third has an item."""
    patterns = graph_patterns()
    live = LivePatterns(
        patterns,
        plan_of(patterns),
        url_of=lambda visit: f"http://wiki.example/{visit}",
        depth_of=lambda visit: min(visit, 20),
        parent_of=lambda visit: visit // 2 if visit else None,
        links_before=lambda visit: (),
        seconds=lambda: 1.0,
        frontier=cast(LiveFrontier, None),  # no pattern asks for what waits
    )
    for visit in range(pages):
        links = [0, max(0, visit - 1), *range(visit + 1, visit + GRAPH_LINKS - 1)]
        items = {"city": [{"name": f"City {visit}"}]} if visit % 3 == 0 else {}
        live.observed(visit, links, PatternFindings(items, {"to-city": links[2:]}))
    return live, pages


def patterns_in(engine: str) -> Patterns:
    """Two data patterns, a link and a stop pattern."""
    return Patterns(
        engine=engine,
        data=(
            DataPattern(name="city", find=f"//table[{CONDITION}]", fields=FIELDS),
            DataPattern(name="heading", find="//h2"),
        ),
        link=(LinkPattern(name="to-city", find="//ul//a[contains(@href, 'City')]"),),
        stop=(StopPattern(name="enough", when="crawl:pages() > 1000000"),),
    )


def graph_patterns() -> Patterns:
    """Patterns that use the crawl graph, but not all of it."""
    return Patterns(
        data=(
            DataPattern(
                name="city",
                find=f"//table[{CONDITION}]",
                fields={
                    **FIELDS,
                    "from": {"find": "crawl:parents()/@url", "type": "list of url"},
                    "fan": {"find": "crawl:path('city')[1]/item/name"},
                    "before": {"find": "crawl:count('city')", "type": "number"},
                },
            ),
            DataPattern(name="event", find="//h2", linked_from="city"),
        ),
        link=(LinkPattern(name="to-city", find="//a", when="crawl:depth() < 1000 and crawl:matched('city')"),),
    )


def page() -> bytes:
    """A page like those of an encyclopaedia."""
    rows = "".join(
        f"<tr><th>{name}</th><td>1,{n:03},000 <sup>[{n}]</sup></td></tr>" for n, name in enumerate(WORDS)
    )
    cities = "".join(f'<li><a href="/wiki/City_{n}">City {n}</a></li>' for n in range(60))
    text = f'<!doctype html><title>Munich</title><h1>Munich</h1><table class="infobox geo">{rows}</table>'
    text += f"<ul>{cities}</ul>"
    paragraphs, number = [], 0
    while len(text) + sum(map(len, paragraphs)) < SIZE:
        number += 1
        words = " ".join(WORDS[(number * factor) % len(WORDS)] for factor in range(1, 60))
        paragraphs.append(
            f'<h2 id="s{number}">Section {number}</h2><p class="text lead">{words} '
            f'<a href="/wiki/Page_{number}" title="Page {number}">page {number}</a> {words}</p>\n'
        )
    return (text + "".join(paragraphs)).encode()


def milliseconds(work: Callable[[], object], rounds: int = PAGE_ROUNDS) -> float:
    """Of CPU, in this process and in its children: other work on the machine does not count."""
    work()
    begin = _cpu()
    for _ in range(rounds):
        work()
    return 1000 * (_cpu() - begin) / rounds


def _cpu() -> float:
    """Seconds that this process and its children have used."""
    own = Path("/proc/self/task").glob("*/children")
    children = [int(pid) for each in own for pid in each.read_text().split()]
    return time.process_time() + sum(process_cost(pid).cpu for pid in children)


def crawl_costs() -> None:
    speeds: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    with scratch() as directory:
        site = directory / "site.jsonl.gz"
        web = Web("cities", partial(serving, site), write_site(site), stay=True)
        for _ in range(CRAWL_ROUNDS):
            for workers in WORKERS:
                speeds[workers].append(1 / seconds_per_page(web, workers))
    rows = [(str(workers), with_spread(speeds[workers], ".0f")) for workers in WORKERS]
    title = f"A crawl of {CRAWL_PAGES} pages of 76 kB with patterns in XQuery, {CRAWL_ROUNDS} rounds in turns"
    print_table(title, ("workers", "pages per second"), rows)


def seconds_per_page(web: Web, workers: int) -> float:
    short, done = (_crawled(web, budget, workers) for budget in (FEW_PAGES, CRAWL_PAGES))
    return (done.seconds - short.seconds) / (done.requests.served - short.requests.served)


def _crawled(web: Web, budget: int, workers: int) -> Done:
    done = crawl(web, CRAWL_PATTERNS, budget=budget, workers=workers)
    summary = json.loads(done.output)
    assert summary["fetched"] == budget, summary
    return done


def write_site(path: Path) -> list[str]:
    """Pages on some hosts, each with links to the next ones; returns where to begin."""
    body = page().decode()
    urls = [f"http://wiki{number % HOSTS}.example/{number}" for number in range(CRAWL_PAGES)]
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as lines:
        for number, url in enumerate(urls):
            following = (urls[(number * CRAWL_LINKS + step) % CRAWL_PAGES] for step in range(1, CRAWL_LINKS + 1))
            links = "".join(f'<li><a href="{each}">on</a></li>' for each in following)
            text = body.replace("<h1>Munich", f'<ul class="on">{links}</ul><h1>City {number}')
            lines.write(json.dumps({"url": url, "content_type": "text/html; charset=utf-8", "body": text}) + "\n")
    return urls[:HOSTS]


if __name__ == "__main__":
    page_costs()
