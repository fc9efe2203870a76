"""Names that mean something: which classes and ids a pattern may rest on, and what a field may be called."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40
GENERIC = frozenset(
    "active body clear clearfix col column container content current div element even first flex grid hidden "
    "inner item last left main node odd outer page row right section selected text visible wrapper".split()
)
_MADE_BY_A_MACHINE = re.compile(
    r"\d{3,}|[-_]\d+$|^[a-z]{1,3}-?[0-9a-f]{4,}$|^(?:css|sc|jsx|_)-?[a-z0-9]{4,}$|__[a-z0-9]{5,}$"
    r"|[A-Z][a-z]?[0-9][A-Za-z]"
)
_NO_LETTERS = re.compile(r"[^\w]+")


def is_telling(name: str) -> bool:
    """Whether a class or id says what the thing is, so that other pages are likely to have it too.

    >>> [is_telling(name) for name in ("price", "firstHeading", "css-1x2y3z", "item-48213", "main-content", "a")]
    [True, True, False, False, False, False]
    """
    if not 2 <= len(name) <= LONGEST or not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        return False
    words = re.split(r"[-_]+|(?<=[a-z])(?=[A-Z])", name)
    return not all(word.lower() in GENERIC for word in words) and not _MADE_BY_A_MACHINE.search(name)


def field_name(text: str, default: str = "value") -> str:
    """A key for TOML and a column for CSV.

    >>> field_name("Lord Mayor:"), field_name("firstHeading"), field_name("2008"), field_name("Größe (m²)")
    ('lord_mayor', 'first_heading', 'value', 'grosse')
    """
    text = text.partition("(")[0].replace("ß", "ss")
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _NO_LETTERS.sub("_", plain.replace("-", "_")).strip("_").lower()
    name = re.sub(r"_+", "_", name)[:LONGEST].strip("_")
    return name if re.match(r"[a-z_]", name) else default
