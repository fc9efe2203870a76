"""``sundog refresh``: a round in which known pages and new ones compete for one budget."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from sundog.cli.crawl import WithReport, print_summary, says_how_to_go_on
from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import say, say_if_kernels_must_be_compiled

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
    with_report: WithReport = True,
    as_json: AsJson = False,
) -> None:
    """Visit known pages again that may have changed, and fetch new ones, whichever is worth more.

    A round that was stopped or killed goes on instead.
    """
    from sundog.cli.live_view import live_view
    from sundog.engines.live.run import refresh

    say_if_kernels_must_be_compiled("crawl")
    with says_how_to_go_on(directory), live_view(sys.stderr) as view:
        summary = refresh(directory, budget=budget, share=share, watch=view.update, tell=say)
    print_summary(summary, directory, with_report=with_report, as_json=as_json)
