"""Results as people read them, and the commands that list what is registered."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

PLAIN_WIDTH = 160  # where there is no terminal to ask

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers_from: int = 1) -> None:
    """A table on standard output; columns from ``numbers_from`` on are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console() if sys.stdout.isatty() else Console(width=PLAIN_WIDTH)
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index >= numbers_from else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False)


def print_texts(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of texts that strangers wrote: folded to a terminal's width, and whole elsewhere."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [[on_one_line(text) for text in row] for row in rows]
    console = Console() if sys.stdout.isatty() else Console(width=_width_of([columns, *shown]))
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(Text(on_one_line(column)), overflow="fold")
    for row in shown:
        table.add_row(*map(Text, row))
    console.print(table)


def on_one_line(text: str) -> str:
    """Without anything that a terminal would obey: colours, cursor, direction of writing.

    >>> on_one_line("a\\x1b[2Jb\\nc")
    'a [2Jb c'
    """
    return text if text.isprintable() else "".join([c if c.isprintable() else " " for c in text])


def _width_of(rows: Sequence[Sequence[str]]) -> int:
    from rich.cells import cell_len

    widest = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return max(PLAIN_WIDTH, sum(widest) + 3 * len(widest))


def print_json(document: object) -> None:
    typer.echo(json.dumps(document, allow_nan=False))


def policies_command(as_json: AsJson = False) -> None:
    """List the policies, one line each, with the parameters that --set reaches."""
    from sundog.policies.presets import POLICIES

    if as_json:
        print_json({name: {"summary": p.summary, "parameters": p.accepts} for name, p in POLICIES.items()})
        return
    width = max(map(len, POLICIES))
    for name, policy in POLICIES.items():
        typer.echo(f"{name:{width}}  {policy.summary}")


def objectives_command(as_json: AsJson = False) -> None:
    """List what --for may ask for, one line each."""
    from sundog.objectives.registry import OBJECTIVES

    if as_json:
        print_json({each.form: {"summary": each.summary, "example": each.example} for each in OBJECTIVES})
        return
    width = max(len(each.form) for each in OBJECTIVES)
    for each in OBJECTIVES:
        typer.echo(f"{each.form:{width}}  {each.summary}")


def worlds_command(as_json: AsJson = False) -> None:
    """List where pages can come from, one line each."""
    from sundog.worlds.synthetic import GRAPHS, LINKED, PROFILES

    worlds = {
        "web": "the live Web, or whatever --connect-to stands for: sundog crawl",
        "api": 'nodes behind a JSON API, by a spec with world = "api": sundog crawl',
        "form": 'keywords of a search form, by a spec with world = "form": sundog crawl',
        "parquet": "a directory with pages.parquet and links.parquet, also an exported crawl: sundog simulate",
        "tsv": "a directory with index.tsv, network.tsv and labels.tsv, each perhaps .gz: sundog simulate",
        "snap": "an edge list *.txt[.gz], with scores.tsv beside it if nodes have scores: sundog simulate",
        **{f"synth {name}": profile.summary for name, profile in (PROFILES | LINKED | GRAPHS).items()},
    }
    if as_json:
        print_json(worlds)
        return
    width = max(map(len, worlds))
    for name, summary in worlds.items():
        typer.echo(f"{name:{width}}  {summary}")
