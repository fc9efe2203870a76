"""``sundog replay``: would another policy have done better?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.crawls.results import as_one_crawl
from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_json, print_table, progress_of, say

if TYPE_CHECKING:
    from sundog.replay.comparison import Answer, Comparison


def replay_command(
    directory: CrawlDirectory,
    policy: Annotated[str, typer.Option("--policy", metavar="NAME[,…]", help="The policies to ask about.")],
    as_json: AsJson = False,
) -> None:
    """Tell what other policies would have found with the fetches of a crawl, as far as its log can tell."""
    from sundog.replay.comparison import compare

    directory = as_one_crawl(directory)
    names = [name.strip() for name in policy.split(",") if name.strip()]
    with progress_of("replaying") as progress:
        found = compare(directory, names, progress)
    if as_json:
        print_json(found.as_json())
        return
    columns = ("policy", "relevant pages", "95% interval", "fetched by the crawl", "one step ahead", "verdict")
    print_table(columns, [_own_row(found), *[_row(answer) for answer in found.answers]])
    if not found.random_fetches and any(answer.curve.known < len(answer.curve) for answer in found.answers):
        advice = "a larger explore.log draws some" if found.explores else "crawl with --set explore.log=0.02"
        say(
            "this log has no random pages: what is said of pages that were not fetched rests on what was learned "
            f"from others; {advice}"
        )


def _own_row(found: Comparison) -> tuple[str, ...]:
    share = f"{found.found / found.fetched:.1%}"
    return f"{found.policy} (the crawl)", f"{found.found:,}", "", "100%", share, ""


def _row(answer: Answer) -> tuple[str, ...]:
    curve, end, step = answer.curve, answer.curve.end, answer.one_step
    return (
        answer.policy,
        f"{end.likely:,.0f}",
        f"{end.low:,.0f}–{end.high:,.0f}",
        f"{curve.known / max(1, len(curve)):.0%}",
        f"{step.likely:.1%} ({step.low:.1%}–{step.high:.1%})",
        answer.verdict,
    )
