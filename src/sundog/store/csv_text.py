"""Texts of CSV cells that no spreadsheet takes for formulas.

Spreadsheets calculate cells that begin with = + - or @, and a formula can fetch a URL or start a program. What a
crawl exports was written by strangers, so such a text gets an apostrophe in front, which spreadsheets read as
"this is text". Numbers, dates and telephone numbers stay as they are: without letters, nothing can be called.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(
    r"""[=@\t\r\n＝＠]                      # and the wide forms, which some spreadsheets read alike
      | [+\-＋－] (?! [\d\s.,:/()%+\-]* (?: e[+-]?\d+ )? \Z )""",
    re.VERBOSE | re.IGNORECASE,
)


def as_text(text: str) -> str:
    """
    >>> [as_text(text) for text in ("=1+1", "@handle", "- salt", "+cmd|' /C calc'!A0", "Tea = good")]
    ["'=1+1", "'@handle", "'- salt", "'+cmd|' /C calc'!A0", 'Tea = good']
    >>> [as_text(text) for text in ("-5", "-1.5e-7", "+33 (0)1 23-45", "-3.50", "")]
    ['-5', '-1.5e-7', '+33 (0)1 23-45', '-3.50', '']
    """
    return f"'{text}" if _FORMULA.match(text) else text
