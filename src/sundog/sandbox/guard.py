"""Which SPARQL may run: queries that read, ask nobody else, and are not nested to crash a parser.

The check reads tokens, not the text: a word in a string, an IRI, a comment or a name is no keyword. It is made
on the text as it stands and with code point escapes resolved, for an engine may do either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sundog.errors import UsageError

MOST_CHARACTERS = 200_000
DEEPEST = 200
FORMS = {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
PROLOGUE = {"PREFIX", "BASE", "VERSION"}

_TOKEN = re.compile(
    r"""
      (?P<comment>  \#[^\r\n]* )
    | (?P<string>   \"\"\"(?:\\.|(?!\"\"\").)*\"\"\" | '''(?:\\.|(?!''').)*'''
                  | "(?:\\.|[^"\\\r\n])*"            | '(?:\\.|[^'\\\r\n])*' )
    | (?P<iri>      <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<escape>   \\. )
    | (?P<variable> [?$]\w+ )
    | (?P<tag>      @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<name>     (?:\w(?:[\w.-]*[\w-])?)?:(?:[\w:%.-]|\\.)* )
    | (?P<word>     \w+ )
    | (?P<open>     [({\[] )
    | (?P<close>    [)}\]] )
    """,
    re.VERBOSE | re.DOTALL,
)
_CODE_POINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def check_query(text: str) -> str:
    """The form of the query, or a ``UsageError`` that says what may not be.

    >>> check_query('SELECT * { ?s ?p "SERVICE <x>" }  # no SERVICE here')
    'SELECT'
    >>> check_query("SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }")
    Traceback (most recent call last):
    sundog.errors.UsageError: SERVICE would reach the network: a query sees this crawl only
    """
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a query of {len(text):,} characters: at most {MOST_CHARACTERS:,} are read")
    form = _checked_form(text)
    unescaped = _CODE_POINT.sub(_character, text)
    if unescaped != text:
        _checked_form(unescaped)
    return form


def first_group(text: str) -> int:
    """Where the pattern of a SELECT or ASK begins: the place after its first brace.

    >>> first_group('ASK # {\\n { ?s ?p ?o }')
    10
    """
    for match in _TOKEN.finditer(text):
        if match[0] == "{":
            return match.end()
    return len(text)


def _checked_form(text: str) -> str:
    depth = 0
    words: list[str] = []
    for kind, token in _tokens(text):
        if kind == "word":
            words.append(token.upper())
        elif kind == "open":
            depth += 1
            if depth > DEEPEST:
                raise UsageError(f"a query nested more than {DEEPEST} levels deep")
        elif kind == "close":
            depth -= 1
    if "SERVICE" in words:
        raise UsageError("SERVICE would reach the network: a query sees this crawl only")
    form = next((word for word in words if word not in PROLOGUE), "nothing")
    if form not in FORMS:
        raise UsageError(
            f"a query begins with {', '.join(sorted(FORMS))}, not with {form}: nothing can be changed"
        )
    return form


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        yield match.lastgroup or "", match[0]


def _character(match: re.Match[str]) -> str:
    number = int(match[1] or match[2], 16)
    return chr(number) if number < 0x110000 else match[0]
