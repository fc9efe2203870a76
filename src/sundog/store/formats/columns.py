"""Columns of tables, whatever file they go to: names, and kinds of values."""

from __future__ import annotations

from collections.abc import Sequence

Columns = Sequence[tuple[str, str]]
KINDS = ("integer", "number", "boolean", "date", "time", "duration", "url", "text")  # "text[]": several in a cell
