"""Whole crawls with XQuery patterns, by the number of workers: ``sundog crawl SPEC --workers N`` over loopback.

Every page is like that of ``patterns.py``, though no two are the same. What a crawl needs to start is measured
with a crawl of few pages and taken off. The server is a process of its own, and has its share of the machine.
"""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path

from benchmarks.common import print_table
from benchmarks.live_runs import Done, Web, crawl, scratch, with_spread
from benchmarks.live_server import serving
from benchmarks.patterns import CONDITION, page

PAGES, FEW, HOSTS, LINKS, ROUNDS = 400, 40, 12, 8, 3
WORKERS = (0, 1, 2)
PATTERNS = f"""
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


def write_site(path: Path) -> list[str]:
    """Pages on some hosts, each with links to the next ones; returns where to begin."""
    body = page().decode()
    urls = [f"http://wiki{number % HOSTS}.example/{number}" for number in range(PAGES)]
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as lines:
        for number, url in enumerate(urls):
            following = (urls[(number * LINKS + step) % PAGES] for step in range(1, LINKS + 1))
            links = "".join(f'<li><a href="{each}">on</a></li>' for each in following)
            text = body.replace("<h1>Munich", f'<ul class="on">{links}</ul><h1>City {number}')
            lines.write(json.dumps({"url": url, "content_type": "text/html; charset=utf-8", "body": text}) + "\n")
    return urls[:HOSTS]


def seconds_a_page(web: Web, workers: int) -> float:
    short, done = (_crawled(web, budget, workers) for budget in (FEW, PAGES))
    return (done.seconds - short.seconds) / (done.asked.served - short.asked.served)


def _crawled(web: Web, budget: int, workers: int) -> Done:
    done = crawl(web, PATTERNS, budget=budget, workers=workers)
    summary = json.loads(done.output)
    assert summary["fetched"] == budget, summary
    return done


def main() -> None:
    speeds: dict[int, list[float]] = {workers: [] for workers in WORKERS}
    with scratch() as directory:
        site = directory / "site.jsonl.gz"
        web = Web("cities", partial(serving, site), write_site(site), stay=True)
        for _ in range(ROUNDS):
            for workers in WORKERS:
                speeds[workers].append(1 / seconds_a_page(web, workers))
    rows = [(str(workers), with_spread(speeds[workers], ".0f")) for workers in WORKERS]
    title = f"A crawl of {PAGES} pages of 76 kB with patterns in XQuery, {ROUNDS} rounds in turns"
    print_table(title, ("workers", "pages a second"), rows)
