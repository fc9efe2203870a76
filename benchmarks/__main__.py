"""``python -m benchmarks [NAME …] [options]``: all or some, as Markdown."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    costs,
    entities,
    exploring,
    extraction,
    fetching,
    findings,
    graph_cost,
    graph_profiles,
    growth,
    growth_simulated,
    hostile,
    judging,
    keywords,
    left,
    linked_data,
    mutations,
    pattern_cost,
    policies,
    revisits,
    saved_session,
    sharding,
    sites,
    startup,
    storing,
    synthetic_webs,
    warm_start,
    web_load,
)
from benchmarks.common import machine
from benchmarks.live import (
    addons,
    frontier,
    harvest,
    kills,
    linked_data_crawl,
    real_sites,
    render_choices,
    rendering,
    resuming,
    siphoning,
    speed,
    worth_waiting,
)

ALL: dict[str, Callable[[Namespace], None]] = {
    "startup": lambda given: startup.main(),
    "policies": lambda given: policies.main(
        given.data, policies=given.policies, again=given.again, repeats=given.rounds, small=given.small
    ),
    "scale": lambda given: synthetic_webs.scale(),
    "siphoning": lambda given: siphoning.main(),
    "table2": lambda given: synthetic_webs.table2(),
    "synthetic": lambda given: synthetic_webs.profiles(),
    "sharding": lambda given: sharding.main(given.sites),
    "revisits": lambda given: revisits.main(),
    "left": lambda given: left.main(given.sites, given.policies, given.data, given.rounds),
    "sites": lambda given: sites.main(given.sites),
    "costs": lambda given: costs.main(given.sites),
    "warm_start": lambda given: warm_start.main(given.sites),
    "graphs": lambda given: graph_profiles.main(given.graph),
    "findings": lambda given: findings.main(),
    "exploring": lambda given: exploring.main(given.wiki),
    "short_crawls": lambda given: findings.short_crawls(),
    "keywords": lambda given: keywords.main(given.wiki, given.site),
    "extraction": lambda given: extraction.main(given.pages),
    "fetching": lambda given: fetching.main(),
    "storing": lambda given: storing.main(given.site),
    "growth": lambda given: growth.main(given.count, given.new),
    "growth_simulated": lambda given: growth_simulated.main(given.rounds),
    "saved_session": lambda given: saved_session.main(),
    "entities": lambda given: entities.main(),
    "judging": lambda given: judging.main(),
    "patterns": lambda given: pattern_cost.page_costs(given.pages),
    "pattern_crawl": lambda given: pattern_cost.crawl_costs(),
    "rendering": lambda given: rendering.main(),
    "render_choices": lambda given: render_choices.main(),
    "worth_waiting": lambda given: worth_waiting.main(),
    "live_speed": lambda given: speed.main(given.site, given.rounds),
    "live_harvest": lambda given: harvest.main(given.site, given.rounds),
    "live_frontier": lambda given: frontier.main(given.rounds),
    "resuming": lambda given: resuming.main(),
    "addons": lambda given: addons.main(given.rounds),
    "addon_kills": lambda given: kills.main(),
    "linked_data_live": lambda given: linked_data_crawl.main(),
    "graph": lambda given: graph_cost.main(given.wiki),
    "web_load": lambda given: web_load.main(),
    "linked-data": lambda given: linked_data.main(),
    "hostile": lambda given: hostile.main(),
    "mutations": lambda given: mutations.main(given.count, given.first, given.bases),
    "real_sites": lambda given: real_sites.main(given.bases),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(ALL)}; all by default; or papers NAME …"
    )
    parser.add_argument(
        "--sites",
        nargs="*",
        default=[],
        metavar="WORLD",
        help="worlds of real sites for 'sites', 'sharding', 'left', 'warm_start'",
    )
    parser.add_argument(
        "--pages", metavar="FILE.jsonl.gz", help="real pages for 'extraction', 'patterns': url and html per line"
    )
    parser.add_argument(
        "--site",
        metavar="FILE.jsonl.gz",
        help="real pages for 'live_…', 'keywords', 'storing': url, content_type, body per line",
    )
    parser.add_argument("--graph", metavar="WORLD", help="a real scored graph for 'graphs'")
    parser.add_argument(
        "--wiki", metavar="WORLD", help="real scored pages for 'graph', 'exploring' and 'keywords'"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        help="of 'live_…', each with all crawlers in turn, of 'policies' and of 'left'; sets of seeds "
        "of 'papers graphs'",
    )
    parser.add_argument(
        "--data", metavar="DIR", help="for 'policies': sites, sites-small, sites2, wiki-france, site.jsonl.gz"
    )
    parser.add_argument(
        "--policies",
        nargs="*",
        default=[],
        metavar="NAME",
        help="columns of 'policies': NAME, NAME:KEY=VALUE; names for 'left'",
    )
    parser.add_argument(
        "--again", nargs="*", default=[], metavar="NAME", help="policies whose kept figures 'policies' forgets"
    )
    parser.add_argument("--small", action="store_true", help="fewer and smaller worlds of 'policies' and 'papers'")
    parser.add_argument("--nodes", type=int, metavar="N", help="of each graph of 'papers graphs', at most")
    parser.add_argument("--out", type=Path, metavar="DIR", help="of 'papers', instead of docs/papers")
    parser.add_argument(
        "--bases",
        nargs="*",
        default=[],
        metavar="FILE.jsonl.gz",
        help="real pages for 'mutations' and 'real_sites'",
    )
    parser.add_argument("--count", type=int, default=100_000, help="of 'mutations'; pages of 'growth'")
    parser.add_argument("--new", type=int, default=growth.NEW, help="links of each page of 'growth' to new pages")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="of 'mutations'")
    given = parser.parse_args()
    if given.names[:1] == ["papers"]:
        from benchmarks import papers

        papers.main(given.names[1:], small=given.small, sets=given.rounds, nodes=given.nodes, out=given.out)
        return
    unknown = set(given.names) - set(ALL)
    if unknown:
        parser.error(f"unknown benchmark: {', '.join(sorted(unknown))}")
    print(f"_{machine()}; `python -m benchmarks {' '.join(sys.argv[1:])}`_\n")
    for name in given.names or ALL:
        ALL[name](given)


if __name__ == "__main__":
    main()
