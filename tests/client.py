"""A program that uses every public name of the library, as somebody else would write it. See test_client.py."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import sundog
from sundog import (
    Candidate,
    Comparison,
    Crawl,
    CrawlControl,
    CrawlSession,
    CrawlSpec,
    Decision,
    Exploration,
    Extraction,
    Failed,
    Fetched,
    Finished,
    HeadResult,
    Link,
    PageOutcome,
    Plot,
    PolicyObject,
    PolicyParameters,
    Refused,
    Run,
    RunningCrawl,
    Snapshot,
    Step,
    SundogError,
    UsageError,
    Wait,
    acrawl,
    aresume,
    compare,
    crawl,
    explore,
    export,
    extract,
    load_world,
    query,
    resume,
    simulate,
)

PAGE = b'<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b><a href="/b">b</a>'


class Shortest:
    """The shortest URL first."""

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        return [-float(len(each.url)) for each in candidates]

    def learn(self, outcome: PageOutcome) -> None:
        assert outcome.reward >= 0


def choose(folder: Path) -> None:
    policy: PolicyObject = Shortest()
    session = CrawlSession(policy=policy, budget=3)
    session.add(["http://a.example/"])
    steps: list[Step] = []
    while True:
        answer: Decision | Wait | Finished = session.next_decision(0.0)
        if isinstance(answer, Finished):
            print(answer.reason)
            break
        if isinstance(answer, Wait):
            continue
        found: Extraction = extract(PAGE, base=answer.url)
        links = [Link(link.url, anchor=link.anchor) for link in found.links]
        outcome = (Fetched(1.0, links), Failed("gone"), Refused("robots.txt"))[len(steps) % 3]
        steps.append(session.observe(answer, outcome))
    session.save(folder / "a.session")
    print(CrawlSession.load(folder / "a.session").candidate("http://a.example/"), len(steps))
    assert HeadResult("text/html").content_type
    try:
        CrawlSession(policy="bsf", budget=3)
    except UsageError as error:
        mendable: SundogError = error
        print(mendable)


def try_policies(folder: Path) -> None:
    from sundog.worlds.synthetic import generate, write

    write(generate("web2014", pages=600, hosts=50, seed=1), folder / "web")
    world = load_world(folder / "web")
    run: Run = simulate(world, "bfs", budget=50, seed=1)
    parameters: PolicyParameters = {"lambda": 0.2, "decay": 100.0, "learner": "ftrl"}
    decayed = simulate(world, "success-rate", budget=50, **parameters)
    assert simulate(world, "success-rate", budget=50, decay=10.0).fetched == 50
    print(run.fetched, decayed.policy, run.to_arrow().num_rows)
    compared: Comparison = compare(world, ["bfs", Shortest], seeds=[1, 2], budget=50)
    plot: Plot = compared.plot("hosts")
    compared.write_report(folder / "report.html")
    print(compared, plot, len(plot.svg))
    explored: Exploration = explore(lambda node: (1.0, [node + "a"]), ["b"], budget=3, policy="bfs")
    print(explored.reward)


async def watch(spec: CrawlSpec, folder: Path) -> None:
    running: RunningCrawl = acrawl(spec, folder / "second")
    seen: list[Snapshot] = [snapshot async for snapshot in running]
    summary = await running
    again = await aresume(folder / "second")
    print(bool(seen), summary["fetched"] == again["fetched"])


def live(folder: Path, address: str) -> None:
    spec = CrawlSpec(
        seeds=("http://a.example/",), policy="bfs", budget=5, delay=0.0, connect_to=address, workers=0
    )
    summary = crawl(spec, folder / "first", control=CrawlControl())
    resume(folder / "first")
    print(summary["fetched"], export(folder / "first", "nquads").name)
    print(query(folder / "first", "SELECT ?x { GRAPH ?g { ?x a <http://schema.org/Person> } }") is not None)
    print(Crawl(folder / "first"))
    asyncio.run(watch(spec, folder))


if __name__ == "__main__":
    here = Path(sys.argv[1])
    choose(here)
    try_policies(here)
    live(here, sys.argv[2])
    print(sundog.__version__)
