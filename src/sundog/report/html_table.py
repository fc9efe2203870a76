"""Tables as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


class Column(NamedTuple):
    """``why`` is shown when the mouse rests on the name."""

    name: str
    why: str = ""
    is_text: bool = False


def html_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Cells are HTML; the first column names the row."""
    head = "".join(_head(column) for column in columns)
    body = "\n".join(_row(columns, row) for row in rows)
    return (
        '<div class="scroll" tabindex="0"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _head(column: Column) -> str:
    title = f' title="{escape(column.why)}"' if column.why else ""
    return f'<th scope="col"{_kind(column)}{title}>{escape(column.name)}</th>'


def _row(columns: Sequence[Column], row: Sequence[str]) -> str:
    name, *cells = row
    rest = "".join(f"<td{_kind(column)}>{cell}</td>" for column, cell in zip(columns[1:], cells, strict=True))
    return f'<tr><th scope="row">{name}</th>{rest}</tr>'


def _kind(column: Column) -> str:
    return ' class="text"' if column.is_text else ""
