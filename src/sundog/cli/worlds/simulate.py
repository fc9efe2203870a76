"""``sundog simulate``: crawl a static world with one policy or several, and compare them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sundog.cli.options import AsJson, parse_settings
from sundog.cli.terminal import (
    ending_at_once,
    print_json,
    print_table,
    progress_of,
    say,
    say_if_kernels_must_be_compiled,
)
from sundog.cli.worlds.precision import WORK, print_precision
from sundog.cli.worlds.rounds import simulate_rounds_command
from sundog.completeness.share import parse_share
from sundog.errors import UsageError, nearest_or_all
from sundog.policies import DEFAULT

if TYPE_CHECKING:
    from sundog.engines.experiment import Relative
    from sundog.engines.runs import Run
    from sundog.worlds.static import StaticWorld
NO_POLICY = "none"


def simulate_command(
    context: typer.Context,
    world: Annotated[Path, typer.Argument(metavar="WORLD", help="A directory with a world, or an edge list.")],
    budget: Annotated[int, typer.Option(help="How many pages may be fetched.")],
    policy: Annotated[str, typer.Option(help="One name or several, separated by commas.")] = DEFAULT,
    objective: Annotated[str, typer.Option("--for", help="Which pages are wanted, e.g. any, jsonld>=3.")] = "any",
    start: Annotated[str | None, typer.Option(help="ID|URL[,…] or random:K; the first page by default.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE …", help="A parameter of the policies.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Runs a policy, with seeds from --seed on.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same crawl.")] = 0,
    relative_to: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Compare with this policy from the same seeds, or none; oracle if --repeat has random:K.",
        ),
    ] = None,
    at: Annotated[str | None, typer.Option(metavar="N[,…]", help="Steps at which to compare.")] = None,
    score: Annotated[str, typer.Option(help="What is compared: sum of scores, or nonzero pages.")] = "sum",
    shards: Annotated[
        int | None, typer.Option(metavar="N", help="Simulate the crawl in so many shards, as a cluster runs it.")
    ] = None,
    exchange: Annotated[
        int, typer.Option(metavar="N", help="Fetches of a shard between two exchanges with the others.")
    ] = 50,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Visit a world that changes again, so many days, --budget visits a day."),
    ] = None,
    left: Annotated[
        bool, typer.Option("--left", help="Tell how many wanted pages are left, with an interval.")
    ] = False,
    stop_left: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="End when at most this share is missing, such as 2%."),
    ] = None,
    precision: Annotated[
        bool,
        typer.Option("--precision", help="Follow the oracle; how far each policy's choice falls behind the best."),
    ] = False,
    as_json: AsJson = False,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a report with plots.")] = None,
) -> None:
    """Crawl a static world and tell what each policy found; with --rounds, how fresh it keeps a changing one."""
    names = _policy_names(policy)
    if rounds is not None:
        _refuse(
            "--rounds",
            {
                "--for": objective != "any",
                "--start": start,
                "--relative-to": relative_to,
                "--at": at,
                "--report": report,
                "--shards": shards,
                "--left": left,
                "--stop-left": stop_left,
                "--precision": precision,
            },
        )
        simulate_rounds_command(
            world, names, rounds, budget, seed, repeat, [*(settings or []), *context.args], as_json
        )
        return
    parameters = parse_settings([*(settings or []), *context.args])
    if precision:
        given = {"--relative-to": relative_to, "--at": at, "--report": report, "--shards": shards}
        _refuse("--precision", {**given, "--left": left, "--stop-left": stop_left})
        loaded, summary = _load(world, objective, budget, start, work=WORK)
        asked = {"budget": budget, "objective": objective, "start": start}
        print_precision(loaded, summary, names, range(seed, seed + repeat), asked, parameters, as_json=as_json)
        return
    from sundog.policies.presets import check_parameters, find_policy

    delay = _delay(parameters.pop("delay", "0"))
    check_parameters(parameters, [find_policy(name) for name in names])
    comparison = read_comparison(relative_to, at, score, budget, repeated_from=start if repeat > 1 else None)
    more: dict[str, Any] = {"delay": delay}
    if shards is not None:
        more = dict(_sharding(names, shards, exchange, start, delay))
    more |= _leaving(left, stop_left, shards)
    loaded, summary = _load(world, objective, budget, start)
    options: dict[str, Any] = {"budget": budget, "objective": objective, "start": start}
    seeds = range(seed, seed + repeat)
    runs = [_run(loaded, name, parameters, seed=one, **options, **more) for name in names for one in seeds]
    relative = _compared(comparison, runs, seeds, loaded, options) if comparison else None
    if report:
        _write_report(report, loaded, summary, runs, objective)
    if as_json:
        document: dict[str, Any] = {"world": summary, "runs": [run.as_json() for run in runs]}
        print_json(document if relative is None else {**document, "relative": [one._asdict() for one in relative]})
        return
    _print_runs(summary, runs, objective)
    if comparison and relative is not None:
        print_comparison(comparison, relative)


def _leaving(left: bool, stop_left: str | None, shards: int | None) -> dict[str, Any]:
    if not left and stop_left is None:
        return {}
    if shards is not None:
        raise UsageError("how much is left is not told of crawls with --shards: leave --left and --stop-left out")
    return {"left": True, "stop_left": None if stop_left is None else parse_share(stop_left, "--stop-left")}


def _sharding(names: list[str], shards: int, exchange: int, start: str | None, delay: int) -> dict[str, int]:
    from sundog.engines.simulate_shards import check_shards

    for name in names:
        check_shards(name, shards, exchange, start)
    if delay:
        raise UsageError("delay is not simulated with --shards: their feedback is late by --exchange fetches")
    return {"shards": shards, "exchange": exchange}


def _refuse(mode: str, options: Mapping[str, object]) -> None:
    """What has no meaning with ``--rounds`` or ``--precision``."""
    for name, given in options.items():
        if given:
            raise UsageError(f"{name} is for ordinary crawls of static worlds: leave it out with {mode}")


def _policy_names(policy: str) -> list[str]:
    names = [name.strip() for name in policy.split(",") if name.strip()]
    if not names:
        raise UsageError(f"--policy '{policy}' names no policy")
    return names


def _load(
    path: Path, objective: str, budget: int, start: str | None, work: str = "simulate"
) -> tuple[StaticWorld, dict[str, int]]:
    """The world and its summary; what it has no room for is an error before the first run."""
    from sundog.engines.simulate import check_budget, parse_start, rewards_of, world_sizes
    from sundog.worlds.load import load_world

    say_if_kernels_must_be_compiled(work)
    with ending_at_once():
        world = load_world(path)
        rewards = rewards_of(world, objective)
    check_budget(budget, world)
    parse_start(start, world)
    return world, world_sizes(world, rewards)


def _compared(
    comparison: Comparison, runs: list[Run], seeds: range, world: StaticWorld, options: dict[str, Any]
) -> list[Relative]:
    """The other policy is run now, unless it was among the first."""
    from sundog.engines.experiment import relative_scores

    others = [run for run in runs if run.policy == comparison.policy]
    others = others or [_run(world, comparison.policy, {}, seed=one, **options) for one in seeds]
    return relative_scores(runs, others, comparison.at, comparison.score)


def _delay(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"parameter delay={text}: a whole number of fetches from 0 on is expected")
    return int(text)


def _run(world: StaticWorld, name: str, parameters: dict[str, str], **options: Any) -> Run:
    from sundog.engines.simulate import simulate
    from sundog.engines.simulate_shards import simulate_shards
    from sundog.policies.presets import find_policy

    accepted: dict[str, Any] = {
        key: value for key, value in parameters.items() if key in find_policy(name).accepts
    }
    with ending_at_once(), progress_of(f"{name} (seed {options['seed']})") as progress:
        run: Callable[..., Run] = simulate_shards if "shards" in options else simulate
        return run(world, name, progress=progress, **options, **accepted)


def _write_report(
    path: Path, world: StaticWorld, summary: dict[str, int], runs: list[Run], objective: str
) -> None:
    from sundog.report import write_report

    command = shlex.join(["sundog", *sys.argv[1:]])
    write_report(path, f"Simulated crawls of {world.name}", summary, runs, objective=objective, command=command)
    say(f"report: {path}")


def _print_runs(summary: dict[str, int], runs: list[Run], objective: str) -> None:
    share = summary["relevant"] / summary["pages"]
    say(
        f"{summary['pages']:,} pages on {summary['hosts']:,} hosts, {summary['links']:,} links; "
        f"{summary['relevant']:,} pages ({share:.1%}) meet '{objective}'"
    )
    if summary["dropped_links"]:
        say(f"{summary['dropped_links']:,} links from or to ids that are no pages were dropped")
    if summary["self_loops"]:
        say(f"{summary['self_loops']:,} links from a page to itself were dropped")
    if summary["merged_links"]:
        say(f"{summary['merged_links']:,} links were merged with another one between the same pages")
    columns = (
        "policy",
        "seed",
        "fetched",
        "relevant",
        "harvest",
        "µs/fetch",
        "select µs",
        "p99",
        "MB",
        "stopped",
    )
    print_table(columns, [_row(run) for run in runs])
    for run in runs:
        if run.left is not None:
            typer.echo(f"{run.policy} (seed {run.seed}): {run.left}")


def _row(run: Run) -> tuple[str, ...]:
    return (
        run.policy,
        str(run.seed),
        f"{run.fetched:,}",
        f"{run.relevant:,}",
        f"{run.harvest_rate:.3f}",
        f"{run.us_per_fetch:.1f}",
        f"{run.select_us['mean']:.1f}",
        f"{run.select_us['p99']:.1f}",
        f"{run.peak_rss_mb:,.0f}",
        run.stopped,
    )


class Comparison(NamedTuple):
    """With whom, after how many steps, and by what."""

    policy: str
    at: list[int]
    score: str


def read_comparison(
    policy: str | None, at: str | None, score: str, budget: int, *, repeated_from: str | None
) -> Comparison | None:
    """What is asked for; runs from several random sets of pages are compared with the oracle unless forbidden."""
    from sundog.engines.experiment import SCORES, steps_up_to
    from sundog.policies.presets import find_policy

    if score not in SCORES:
        raise UsageError(f"unknown --score '{score}'{nearest_or_all(score, SCORES)}")
    steps = _read_steps(at, budget) if at else steps_up_to(budget)
    is_experiment = bool(repeated_from and repeated_from.startswith("random:"))
    if policy is None and (is_experiment or at):
        policy = "oracle"
    if policy is None or policy == NO_POLICY:
        return None
    return Comparison(find_policy(policy).name, steps, score)


def _read_steps(text: str, budget: int) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and 1 <= int(part) <= budget for part in parts):
        raise UsageError(f"--at '{text}': numbers of steps from 1 to the budget ({budget}) are expected")
    return sorted({int(part) for part in parts})


def print_comparison(comparison: Comparison, relative: Sequence[Relative]) -> None:
    what = "sum of scores" if comparison.score == "sum" else "number of pages with a score"
    runs = max((one.runs for one in relative), default=0)
    typer.echo(
        f"\n{what} relative to {comparison.policy} after N steps: "
        f"mean of {runs} runs, and half the width of its 95% confidence interval"
    )
    policies = list(dict.fromkeys(one.policy for one in relative))
    cells = {(one.policy, one.at): _relative_cell(one) for one in relative}
    rows = [(policy, *(cells.get((policy, at), "–") for at in comparison.at)) for policy in policies]
    print_table(("policy", *(f"{at:,}" for at in comparison.at)), rows)


def _relative_cell(one: Relative) -> str:
    return f"{one.mean:.3f}" if one.high is None else f"{one.mean:.3f} ± {one.high - one.mean:.3f}"
