"""``sundog sample`` and ``sundog warm-up``: what can be made ready before a crawl."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.options import AsJson, Force, check_absent
from sundog.cli.terminal import ending_at_once, print_json, say
from sundog.errors import UsageError
from sundog.policies import DEFAULT


def sample_command(
    source: Annotated[Path, typer.Argument(metavar="WORLD|DIR", help="A world, or the directory of a crawl.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the sample is written.")],
    objective: Annotated[
        str | None, typer.Option("--for", help="Of a world: which pages are wanted; any by default.")
    ] = None,
    pages: Annotated[int, typer.Option(min=2, help="How many at most.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of a world: which pages are drawn.")] = 0,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Write pages and whether they are relevant, for --set pretrain=FILE: a classifier learns from them first."""
    from sundog.engines.sample import of_crawl, of_world, write_sample
    from sundog.store.directory import DATABASE

    check_absent(out, force=force)
    is_crawl = (source / DATABASE).is_file()
    if is_crawl and objective is not None:
        raise UsageError("--for is for worlds: the pages of a crawl are judged already")
    with ending_at_once():
        rows = (
            of_crawl(source, most=pages)
            if is_crawl
            else of_world(source, objective or "any", most=pages, seed=seed)
        )
        count, relevant = write_sample(rows, out)
    if as_json:
        print_json({"pages": count, "relevant": relevant, "file": str(out)})
        return
    say(f"{out}: {count:,} pages, {relevant:,} of them relevant; use it with --set pretrain={out}")


def warm_up_command(
    policy: Annotated[str, typer.Option(help="One name or several, separated by commas.")] = DEFAULT,
) -> None:
    """Compile the kernels now, for images and CI: later crawls and simulations on this machine begin at once."""
    from time import perf_counter

    from sundog.engines.live.start import warm_up as warm_up_crawl
    from sundog.engines.simulate import warm_up as warm_up_simulation
    from sundog.objectives.grammar import parse_objective
    from sundog.policies.presets import find_policy
    from sundog.spec import CrawlSpec

    begun = perf_counter()
    chosen = [find_policy(name.strip()) for name in policy.split(",") if name.strip()]
    with ending_at_once():
        for each in chosen:
            if each.kernels_like:
                warm_up_simulation(each.kernels_like, False)
                warm_up_simulation(each.name, True)
            if not each.foresees:
                for wanted in ("any", "keyword:a"):  # links of crawls for words have scores
                    spec = CrawlSpec(seeds=("http://a.example/",), objective=wanted, policy=each.name)
                    warm_up_crawl(spec, parse_objective(wanted))
    say(f"kernels are compiled, in {perf_counter() - begun:.1f} s")
