"""``sundog budget``: another budget for a crawl that runs."""

from __future__ import annotations

from typing import Annotated

import typer

from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_json, say


def budget_command(
    directory: CrawlDirectory,
    budget: Annotated[int, typer.Argument(metavar="N", min=1, help="The new budget, of the whole crawl.")],
    as_json: AsJson = False,
) -> None:
    """Raise or lower the budget of a crawl that runs, without stopping it."""
    from sundog.engines.live.control.budget_request import change_budget

    change = change_budget(directory, budget)
    if as_json:
        print_json(change._asdict())
    elif change.budget is None:
        say(f"{directory} is busy: it gets its budget of {budget:,} when it looks again, or when it is resumed")
    else:
        typer.echo(f"budget: {change.before:,} → {change.budget:,} {change.unit}; {change.spent:,} spent")
