"""``python -m benchmarks [NAME …] [options]``: all or some, as Markdown."""

from __future__ import annotations

import argparse
import sys

from benchmarks import (
    exploring,
    extraction,
    fetching,
    findings,
    graph_cost,
    graph_profiles,
    judging,
    keywords,
    linked_data,
    pattern_cost,
    sites,
    startup,
    storing,
    synthetic_webs,
    web_load,
)
from benchmarks.common import machine
from benchmarks.live import frontier, harvest, linked_data_crawl, siphoning, speed, worth_waiting

ALL = {
    "startup": startup.main,
    "scale": synthetic_webs.scale,
    "siphoning": siphoning.main,
    "table2": synthetic_webs.table2,
    "synthetic": synthetic_webs.profiles,
    "sites": sites.main,
    "graphs": graph_profiles.main,
    "findings": findings.main,
    "exploring": exploring.main,
    "short_crawls": findings.short_crawls,
    "keywords": keywords.main,
    "extraction": extraction.main,
    "fetching": fetching.main,
    "storing": storing.main,
    "judging": judging.main,
    "patterns": pattern_cost.page_costs,
    "pattern_crawl": pattern_cost.crawl_costs,
    "worth_waiting": worth_waiting.main,
    "live_speed": speed.main,
    "live_harvest": harvest.main,
    "live_frontier": frontier.main,
    "linked_data_live": linked_data_crawl.main,
    "graph": graph_cost.main,
    "web_load": web_load.main,
    "linked-data": linked_data.main,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ALL)}; all by default")
    parser.add_argument("--sites", nargs="*", default=[], metavar="WORLD", help="worlds of real sites for 'sites'")
    parser.add_argument(
        "--pages", metavar="FILE.jsonl.gz", help="real pages for 'extraction' and 'patterns': url and html a line"
    )
    parser.add_argument(
        "--site",
        metavar="FILE.jsonl.gz",
        help="real pages for 'live_…', 'keywords': url, content_type, body a line",
    )
    parser.add_argument("--graph", metavar="WORLD", help="a real scored graph for 'graphs'")
    parser.add_argument(
        "--wiki", metavar="WORLD", help="real scored pages for 'graph', 'exploring' and 'keywords'"
    )
    parser.add_argument("--rounds", type=int, help="of 'live_…', each with all crawlers in turn")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(ALL)
    if unknown:
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}")
    print(f"_{machine()}; `python -m benchmarks {' '.join(sys.argv[1:])}`_\n")
    for name in arguments.names or ALL:
        if name == "sites":
            sites.main(arguments.sites)
        elif name == "graphs":
            graph_profiles.main(arguments.graph)
        elif name == "graph":
            graph_cost.main(arguments.wiki)
        elif name == "exploring":
            exploring.main(arguments.wiki)
        elif name == "keywords":
            keywords.main(arguments.wiki, arguments.site)
        elif name in ("extraction", "patterns"):
            ALL[name](arguments.pages)
        elif name.startswith("live_"):
            ALL[name](arguments.site, arguments.rounds)
        else:
            ALL[name]()


main()
