"""``sundog refresh``: known pages and new ones compete for one budget. ``sundog keep``: rounds of that."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.crawls.crawl import (
    RayAddress,
    WithReport,
    print_summary,
    round_line,
    say_alarms,
    says_how_to_go_on,
    write_report,
)
from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import say, say_if_kernels_must_be_compiled
from sundog.errors import SundogError, UsageError
from sundog.model import INTERRUPTED
from sundog.texts import utc_moment

if TYPE_CHECKING:
    from sundog.engines.live.loop import Watch

LONGEST_NAP = 60.0  # seconds: then the clock is looked at again, for somebody may have set it

RoundBudget = Annotated[int, typer.Option("--budget", min=1, help="Fetches of a round, of known and new pages.")]
Share = Annotated[
    float | None,
    typer.Option(
        "--revisits", min=0, max=1, metavar="SHARE", help="Share of known pages; by default what is worth more."
    ),
]


def refresh_command(
    directory: CrawlDirectory,
    budget: RoundBudget,
    share: Share = None,
    ray: RayAddress = None,
    with_report: WithReport = True,
    as_json: AsJson = False,
) -> None:
    """Visit known pages again that may have changed, and fetch new ones, whichever is worth more.

    A round that was stopped or killed goes on instead.
    """
    from sundog.cli.crawls.live_view import live_view

    make_round = _round_of(directory, budget, share, ray)
    with says_how_to_go_on(directory), live_view(sys.stderr) as view:
        summary = make_round(view.update)
    print_summary(summary, directory, with_report=with_report, as_json=as_json)


def keep_command(
    directory: CrawlDirectory,
    every: Annotated[str, typer.Option(metavar="TIME", help="From one round to the next: 30m, 12h, 1d, 1w.")],
    budget: RoundBudget,
    share: Share = None,
    ray: RayAddress = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="End after so many; else when it is stopped.")] = None,
    with_report: WithReport = True,
) -> None:
    """Refresh a crawl again and again, until it is stopped: a line for each round.

    Rounds are counted from when the last one began, also after a restart. One that was interrupted goes on first.
    """
    from sundog.cli.crawls.live_view import live_view
    from sundog.results.moments import checked_span

    seconds = checked_span(every)
    make_round = _round_of(directory, budget, share, ray)
    done = 0
    while rounds is None or done < rounds:
        _wait_for_turn(directory, seconds)
        try:
            with live_view(sys.stderr) as view:
                summary = make_round(view.update)
        except UsageError:
            raise
        except SundogError as error:
            if not done:
                raise
            say(f"no round: {error}")
            time.sleep(min(seconds, LONGEST_NAP))
            continue
        typer.echo(round_line(summary["rounds"][-1]))
        say_alarms(summary, directory)
        if with_report:
            write_report(directory)
        if summary["stopped"] == INTERRUPTED:
            return
        done += 1
        gc.unfreeze()  # a round has frozen what it was made of: that would stay for good
        gc.collect()


def _round_of(
    directory: Path, budget: int, share: float | None, ray: str | None
) -> Callable[[Watch], dict[str, Any]]:
    """What makes a round of this crawl, in shards or not."""
    from sundog.engines.live.run import refresh
    from sundog.store.directory import check_crawl
    from sundog.store.shards import is_sharded

    say_compiling = partial(say_if_kernels_must_be_compiled, "crawl")
    if is_sharded(directory):
        from sundog.engines.cluster.run import refresh_shards

        more: dict[str, Any] = {"address": ray, "accepted": say_compiling}
        return lambda watch: refresh_shards(directory, budget=budget, share=share, watch=watch, tell=say, **more)
    if ray is not None:
        raise UsageError(f"{directory} is no crawl in shards: leave out --ray")
    check_crawl(directory, write=True)
    say_compiling()
    return lambda watch: refresh(directory, budget=budget, share=share, watch=watch, tell=say)


def _wait_for_turn(directory: Path, every: float) -> None:
    """Until so long after the last round began; not at all if there is none, or if one was interrupted."""
    from sundog.store.rounds import seconds_until_turn

    told = False
    while (left := seconds_until_turn(directory, every, time.time())) > 0:
        if not told:
            say(f"next round: {utc_moment(time.time() + left)}")
            told = True
        time.sleep(min(left, LONGEST_NAP))
