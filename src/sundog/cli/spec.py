"""``sundog spec``: check the file of a crawl before it runs, and tell editors what it may say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sundog.cli.options import AsJson
from sundog.cli.terminal import print_json, say

spec_app = typer.Typer(name="spec", help="Check the spec of a crawl; a schema for editors.", no_args_is_help=True)


@spec_app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The spec of a crawl, in TOML.")],
    as_json: AsJson = False,
) -> None:
    """Check a spec as a crawl would: keys, values, objective, patterns and secrets; nothing is fetched."""
    import os

    from sundog.objectives import parse_objective
    from sundog.patterns.check import check_patterns
    from sundog.spec.crawl import read_spec
    from sundog.spec.credentials import check_no_literals, check_secrets

    spec = read_spec(file)
    objective = parse_objective(spec.objective, folder=file.parent)
    spec.check_objective(objective)
    check_no_literals(spec)
    check_secrets(spec, os.environ)
    check_patterns(spec.patterns, objective)
    values: dict[str, Any] = {
        "seeds": len(spec.seeds),
        "objective": spec.objective,
        "budget": spec.fetches,
        "policy": spec.policy,
        "world": spec.world,
    }
    if as_json:
        print_json(values)
        return
    seeds = f"{len(spec.seeds)} seed{'s' * (len(spec.seeds) != 1)}"
    say(f"{file} is fine: {seeds}, {spec.fetches:,} {spec.world_kind.unit}, for '{spec.objective}'")


@spec_app.command("schema")
def schema_command() -> None:
    """Print the JSON Schema of specs, for editors that complete and check TOML."""
    from sundog.spec.reference import schema

    print_json(schema())
