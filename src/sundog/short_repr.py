"""How objects show themselves: one line in a shell, a small table in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

LONGEST = 80  # characters of a value; URLs and types come from strangers' pages


class ShortRepr:
    """For classes whose fields are too many or too long to read.

    >>> class Page(ShortRepr):
    ...     def _shown(self):
    ...         return {"url": "http://a.example/<b>", "links": 3}
    >>> Page()
    Page(url='http://a.example/<b>', links=3)
    >>> print(Page()._repr_html_().replace("</tr>", "</tr>\\n"))
    <table><caption>Page</caption><tr><th>url</th><td>http://a.example/&lt;b&gt;</td></tr>
    <tr><th>links</th><td>3</td></tr>
    </table>
    """

    def _shown(self) -> dict[str, Any]:
        raise NotImplementedError

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={_cut(repr(value))}" for name, value in self._shown().items())
        return f"{type(self).__name__}({values})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(_cut(str(value)))}</td></tr>"
            for name, value in self._shown().items()
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def rows_as_html(columns: Sequence[str], rows: Sequence[Sequence[str]], *, more: bool = False) -> str:
    """A table of texts; ``more``: there are rows that it does not show."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    note = "<p>There are more rows.</p>" if more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
