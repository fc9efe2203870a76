"""Before the first page: compile kernels, copy the objective's files, check that a seed can be reached."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sundog._jit import compilation
from sundog.errors import SundogError
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Rules
from sundog.fetch.values import UNREACHABLE, Trouble
from sundog.files import write_whole
from sundog.model import Decision, Fetched, Link, Refused
from sundog.objectives import Objective
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store.directory import OBJECTIVE
from sundog.urls.hosts import origin_of

WORD = re.compile(r'(?:"[^"]*"|[^\s()+>"])+')  # of an objective
WORK = "crawl"  # the name under which compiled kernels are remembered
MOST_SEEDS_ASKED = 100  # before the crawl begins


class NoSeedError(SundogError):
    """The crawl cannot begin anywhere."""


def warm_up(spec: CrawlSpec, objective: Objective) -> None:
    is_scored = objective.text_score is not None or not spec.world_kind.has_pages
    compile_kernels(
        spec.policy, is_scored=is_scored, head_requests=spec.world_kind.has_pages, **spec.policy_parameters
    )


def compile_kernels(policy: str, *, is_scored: bool = False, **options: Any) -> None:
    """Compile or load the kernels now: later it would keep servers waiting. ``options`` are those of a session;
    links with scores need more of them."""
    link = Link("http://a.example/b", "b", "a", score=float(is_scored))
    with compilation(WORK):
        session = CrawlSession(policy=policy, budget=3, tracks_left=True, **options)
        session.add(["http://a.example/"])
        for _ in range(2):
            decision = session.next_decision()
            assert isinstance(decision, Decision)
            session.give_back(decision)
            session.rest(decision.host_id, 0.0)
            session.worth(decision.host_id)
            decision = session.next_decision(1.0)
            assert isinstance(decision, Decision)
            session.observe(decision, Fetched(1.0, [link]))
        session.add(["http://a.example/c"])
        decision = session.next_decision(1.0)
        assert isinstance(decision, Decision)
        session.left()
        session.observe(decision, Refused("not needed"))


def with_own_files(spec: CrawlSpec, objective: Objective) -> CrawlSpec:
    """The spec as it is kept: with its budget, and an objective that names the copies in the crawl's directory."""
    names = _own_names(objective)

    def own(word: re.Match[str]) -> str:
        name = names.get(word[0].replace('"', ""))
        return word[0] if name is None else name if WORD.fullmatch(name) else f'"{name}"'

    return replace(spec, objective=WORD.sub(own, spec.objective), budget=spec.fetches)


def write_files(directory: Path, objective: Objective) -> None:
    for name, own in _own_names(objective).items():
        path = directory / own
        path.parent.mkdir(exist_ok=True)
        write_whole(path, objective.files[name].encode())


def _own_names(objective: Objective) -> dict[str, str]:
    """By the names that the user gave; the second of two files with one name, in two folders, gets a number."""
    names: dict[str, str] = {}
    for number, name in enumerate(objective.files):
        own = f"{OBJECTIVE}/{Path(name).name}"
        names[name] = f"{OBJECTIVE}/{number}-{Path(name).name}" if own in names.values() else own
    return names


async def check_seeds(spec: CrawlSpec, urls: Sequence[str], polite: PoliteFetcher) -> None:
    """Raises if no seed can be reached. What is asked is robots.txt, which would be asked first anyway."""
    origins = list(dict.fromkeys(origin_of(url) for url in urls))[:MOST_SEEDS_ASKED]
    rules = await asyncio.gather(*(polite.rules(f"{origin}/") for origin in origins), return_exceptions=True)
    # An exception costs the pages of its origin their results, when they are chosen.
    troubles = [each.why for each in rules if isinstance(each, Rules) and each.why is not None]
    if troubles and len(troubles) == len(origins) and all(each.kind in UNREACHABLE for each in troubles):
        raise NoSeedError(_unreachable(spec.seeds[0], troubles[0]))


def _unreachable(seed: str, why: Trouble) -> str:
    if why.kind == "private-address":
        return f"the seed {seed} is at a private address: to crawl it, say --allow-private"
    return f"no seed can be reached, the first is {seed} ({why})"
