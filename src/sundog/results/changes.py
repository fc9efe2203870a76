"""What differs between an earlier state of a crawl and now: pages that are new, changed or gone, by type.

What a page says is compared by what it says of things of each type (items, by pattern), so a line names what has
changed. A page that changed and changed back has no line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from sundog.entities.things import PageStatements, things_of
from sundog.errors import UsageError, nearest_or_all
from sundog.results.merge import as_one
from sundog.store import CrawlReader, open_readonly
from sundog.store.database import GONE, ROUND_OF
from sundog.store.formats.csv import no_formula
from sundog.store.rounds import last_round
from sundog.store.versions import items_of

CHANGED = f"""SELECT u.url, o.step, {ROUND_OF}, o.trouble IS '{GONE}', o.duplicate_of IS NOT NULL,
    (SELECT max(e.step) FROM outcomes e JOIN log l ON l.step = e.step
      WHERE e.candidate = o.candidate AND e.step <= ?1 AND l.event IN ('fetched', 'revisited'))
  FROM outcomes o JOIN log l ON l.step = o.step JOIN urls u ON u.id = o.candidate
  WHERE o.step > ?1 AND l.event IN ('fetched', 'revisited')
    AND NOT EXISTS (SELECT 1 FROM outcomes later WHERE later.candidate = o.candidate AND later.step > o.step)
  ORDER BY o.step"""
TYPES = "SELECT each.value FROM outcomes o, json_each(o.types) each"
Kind = Literal["new", "changed", "gone"]
Said = dict[str, list[Any]]  # trees or items, by type or pattern
FIELDS = ("change", "url", "round", "type", "before", "after")


class Change(NamedTuple):
    """``type`` is an IRI, the name of a data pattern, or None; ``before`` and ``after`` are what was said of
    things of it, None if nothing."""

    change: Kind
    url: str
    round: int
    type: str | None
    before: list[Any] | None
    after: list[Any] | None


def changes(directory: Path | str, since: str | None = None, kind: str = "") -> Iterator[Change]:
    """Since a round (the last one, if none is named), a date or so long ago; of one type, if it is named."""
    with open_readonly(as_one(directory)) as reader:
        reader.connection.execute("BEGIN")  # all of it as of one commit
        yield from changes_of(reader, since, kind)


def changes_of(reader: CrawlReader, since: str | None = None, kind: str = "") -> Iterator[Change]:
    """As ``changes``, of a crawl that is open."""
    from sundog.results.moments import step_before

    if kind:
        _check_type(reader, kind)
    last = str(last_round(reader)) if since is None else since
    for change in _changes(reader, step_before(reader, last)):
        if not kind or _is_of(change.type, kind):
            yield change


def _changes(reader: CrawlReader, before: int) -> Iterator[Change]:
    rows = reader.connection.execute(CHANGED, (before,))
    for url, step, number, is_gone, is_copy, earlier in rows:
        was_there = earlier is not None and not _is_gone(reader, earlier)
        if not was_there and (is_gone or is_copy):
            continue
        old = said_at(reader, url, earlier) if was_there else {}
        new = said_at(reader, url, step)
        change: Kind = "gone" if is_gone else "changed" if was_there else "new"
        if change == "changed":
            differing = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
        else:
            differing = [*old, *new]
        for name in differing:
            yield Change(change, url, number, name, old.get(name), new.get(name))
        if not differing and (change != "changed" or not (old or new)):
            yield Change(change, url, number, None, None, None)


def _check_type(reader: CrawlReader, kind: str) -> None:
    """In whatever version of a page it was said: the nearest one is named if there is none."""
    known: set[str] = set()
    for (name,) in reader.connection.execute(TYPES):
        if _is_of(name, kind):
            return
        known.add(name)
    known |= reader.match_counts(()).keys() if reader.knows_patterns else set()
    if kind not in known:
        short = sorted({name.replace("#", "/").rpartition("/")[2] for name in known})
        there = nearest_or_all(kind, short) if short else ": it has no type at all"
        raise UsageError(f"nothing that was found is of the type '{kind[:200]}'{there}")


def _is_gone(reader: CrawlReader, step: int) -> bool:
    row = reader.connection.execute("SELECT trouble FROM outcomes WHERE step = ?", (step,)).fetchone()
    return bool(row[0] == GONE)


def said_at(reader: CrawlReader, url: str, step: int) -> Said:
    """What a version says of things, by their first type; things of none are not among them."""
    found: Said = {}
    texts = {syntax: triples for syntax, triples in reader.statements_of(step, step) if triples}
    for thing in things_of(PageStatements(url, texts)) if texts else ():
        if thing.types:
            found.setdefault(thing.types[0], []).append(thing.tree)
    return {**found, **(items_of(reader, step) if reader.knows_patterns else {})}


def _is_of(name: str | None, wanted: str) -> bool:
    """A type is named by its IRI, or by the end of it.

    >>> _is_of("http://schema.org/Product", "schema:Product"), _is_of("http://schema.org/Product", "Offer")
    (True, False)
    """
    if name is None or name == wanted:
        return name is not None
    short = wanted if "://" in wanted else wanted.rpartition(":")[2]
    return name.replace("#", "/").rpartition("/")[2] == short


# -- as texts ---------------------------------------------------------------------------------------------


def as_jsonl(found: Iterator[Change]) -> Iterator[str]:
    for change in found:
        yield orjson.dumps(change._asdict()).decode() + "\n"


def as_csv(found: Iterator[Change]) -> Iterator[str]:
    """Things are JSON. What spreadsheets would take for formulas is marked as text."""
    yield _csv_line(FIELDS)
    for change in found:
        cells = [orjson.dumps(each).decode() if isinstance(each, list) else each for each in change]
        yield _csv_line(
            ["" if cell is None else no_formula(cell) if isinstance(cell, str) else cell for cell in cells]
        )


def _csv_line(cells: Any) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


HEAD = """<!doctype html><meta charset="utf-8"><title>Changes</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{font:15px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #ccc}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;max-height:20rem;overflow:auto}
.new td:first-child{color:#060}.gone td:first-child{color:#900}</style>
<h1>Changes</h1><table><thead><tr>"""


def as_html(found: Iterator[Change]) -> Iterator[str]:
    """One file without scripts; all that strangers wrote is text."""
    yield HEAD + "".join(f"<th>{name}" for name in FIELDS) + "</thead><tbody>\n"
    for change in found:
        cells = "".join(f"<td>{_cell(each)}" for each in change)
        yield f'<tr class="{change.change}">{cells}\n'
    yield "</tbody></table>\n"


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return f"<pre>{escape(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())}</pre>"
    return "" if value is None else escape(str(value))


FORMATS = {"jsonl": as_jsonl, "csv": as_csv, "html": as_html}
