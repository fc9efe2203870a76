"""Tables as CSV, for spreadsheets.

Spreadsheets calculate cells that begin with = + - or @, and a formula can fetch a URL or start a program. What a
crawl exports was written by strangers, so such a text gets an apostrophe in front, which spreadsheets read as
"this is text". Numbers, dates and telephone numbers stay as they are: without letters, nothing can be called.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

from sundog.store.formats.columns import Columns
from sundog.texts import iso_duration, iso_time

_FORMULA = re.compile(
    r"""[=@\t\r\n＝＠]                      # and the wide forms, which some spreadsheets read alike
      | [+\-＋－] (?! [\d\s.,:/()%+\-]* (?: e[+-]?\d+ )? \Z )""",
    re.VERBOSE | re.IGNORECASE,
)


def no_formula(text: str) -> str:
    """
    >>> [no_formula(text) for text in ("=1+1", "@handle", "- salt", "+cmd|' /C calc'!A0", "Tea = good")]
    ["'=1+1", "'@handle", "'- salt", "'+cmd|' /C calc'!A0", 'Tea = good']
    >>> [no_formula(text) for text in ("-5", "-1.5e-7", "+33 (0)1 23-45", "-3.50", "")]
    ['-5', '-1.5e-7', '+33 (0)1 23-45', '-3.50', '']
    """
    return f"'{text}" if _FORMULA.match(text) else text


class CsvTable:
    """Several values in one cell stand in lines of their own; times are ISO 8601; nothing is a formula."""

    suffix = ".csv"

    def __init__(self, out: Path | BinaryIO, columns: Columns) -> None:
        self._closes = isinstance(out, Path)
        file = out.open("wb") if isinstance(out, Path) else out
        self._file = io.TextIOWrapper(file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow([no_formula(name) for name, _ in columns])

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        self._writer.writerows([[_cell(value) for value in row] for row in rows])

    def close(self) -> None:
        if self._closes:
            self._file.close()
        else:
            self._file.flush()
            self._file.detach()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return no_formula(value)
    if isinstance(value, list):
        return no_formula("\n".join([each if isinstance(each, str) else str(_cell(each)) for each in value]))
    if isinstance(value, datetime):
        return iso_time(value.timestamp())
    if isinstance(value, timedelta):
        return iso_duration(value.total_seconds())
    return int(value) if isinstance(value, bool) else value
