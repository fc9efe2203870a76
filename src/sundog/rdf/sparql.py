"""SPARQL as text: which queries may run, and what is wrong with one that cannot be read, in one line.

Only queries run that read, ask nobody else, and are not nested to crash a parser. The check reads tokens, not the
text: a word in a string, an IRI, a comment or a name is no keyword. It is made on the text as it stands and with
code point escapes resolved, for an engine may do either.

The parser reads as many characters as a keyword has before it sees that they are another word, and names the place
where it has got to: with ``FILTR(?x)`` it is some characters after ``FILTR``, and it says that ``OPTIONAL`` was
expected. So the place is put back by the length of the shortest keyword, and what stands there is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sundog.errors import UsageError, nearest

MOST_CHARACTERS = 200_000
QUERY_ENDINGS = (".rq", ".sparql")  # of files that hold a query
DEEPEST = 200
FORMS = {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
PROLOGUE = {"PREFIX", "BASE", "VERSION"}
AROUND = 30  # characters of the query that are shown on either side of the place
MOST_EXPECTED = 6  # a longer list helps nobody
KEYWORDS = (
    "ASK BASE BIND BY CONSTRUCT DESCRIBE DISTINCT EXISTS FILTER FROM GRAPH GROUP HAVING LIMIT MINUS NAMED NOT "
    "OFFSET OPTIONAL ORDER PREFIX REDUCED SELECT UNION VALUES WHERE"
).split()
_PLACE = re.compile(r"error at (\d+):(\d+): (?:expected )?(?:one of )?(.*)", re.DOTALL)
_EXPECTED_TOKEN = re.compile(r"""("(?:[^"\\]|\\.)*")|(\[(?:[^\]']|'[^']*')*\])|([^,\s\["][^,\["]*)""")
_WORD = re.compile(r"\s*([?$]?\w+|\S)")
_PREFIX_BEFORE = re.compile(r"([\w.-]*):[^\s:]*$")
_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*):", re.IGNORECASE)
_QUERY_TOKEN = re.compile(
    r"""
      (?P<comment>  \#[^\r\n]* )
    | (?P<string>   \"\"\"(?:\\.|(?!\"\"\").)*\"\"\" | '''(?:\\.|(?!''').)*'''
                  | "(?:\\.|[^"\\\r\n])*"            | '(?:\\.|[^'\\\r\n])*' )
    | (?P<iri>      <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<escape>   \\. )
    | (?P<variable> [?$]\w+ )
    | (?P<tag>      @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<name>     (?:\w(?:[\w.-]{0,100}[\w-])?)?:(?:[\w:%.-]|\\.)* )  # a longer prefix is read as words
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
    for match in _QUERY_TOKEN.finditer(text):
        if match[0] == "{":
            return match.end()
    return len(text)


def names_graphs(text: str) -> bool:
    """Whether the query itself says, by FROM, which graphs it is about.

    >>> names_graphs("SELECT * FROM <http://a.example/> { ?s ?p ?o }"), names_graphs("ASK { ?from ?p 'FROM' }")
    (True, False)
    """
    return any(kind == "word" and token.upper() == "FROM" for kind, token in _tokens(text))


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
    for match in _QUERY_TOKEN.finditer(text):
        yield match.lastgroup or "", match[0]


def _character(match: re.Match[str]) -> str:
    number = int(match[1] or match[2], 16)
    return chr(number) if number < 0x110000 else match[0]


class _Expected(NamedTuple):
    """What the parser would have taken; ``letters`` says whether some of it were letters or digits of a name."""

    signs: list[str]
    keywords: list[str]
    sentences: list[str]
    letters: bool


def readable_error(message: str, query: str, prefixes: Iterable[str]) -> str:
    """
    >>> readable_error("error at 1:7: expected one of HAVING, ['0'..='9'], LIMIT", "SELECT", [])
    "error at 1:7, in 'SELECT': the query ends too early"
    >>> readable_error("error at 1:16: expected one of DISTINCT, WHERE", "SELECT ?x WHER { ?x a ?y }", [])
    "error at 1:11, in 'SELECT ?x WHER { ?x a ?y }': 'WHER' is not expected there; did you mean 'WHERE'?"
    """
    found = _PLACE.fullmatch(message)
    if not found:
        return " ".join(message.split())
    expected = _expected(found[3])
    offset = _offset(query, int(found[1]), int(found[2]))
    if expected.keywords and not (expected.signs or expected.sentences or expected.letters):
        offset = max(0, offset - min(map(len, expected.keywords)))
    begin = query.rfind("\n", 0, offset) + 1
    row, column = query.count("\n", 0, offset) + 1, offset - begin + 1
    line = query[begin:].partition("\n")[0] or query[:begin].rstrip().rpartition("\n")[2]
    near = line[max(0, column - 1 - AROUND) : column - 1 + AROUND].strip()
    names = [*prefixes, *_DECLARED.findall(query)]
    reason = _reason(expected, query[begin:offset], query[offset:], names)
    return f"error at {row}:{column}, in '{near}': {reason}"


def _expected(text: str) -> _Expected:
    expected = _Expected([], [], [], letters=False)
    for sign, letters, words in _EXPECTED_TOKEN.findall(text):
        if sign:
            expected.signs.append(sign)
        elif letters:
            expected = expected._replace(letters=expected.letters or letters != "[_]")
        elif words.strip():
            (expected.sentences if " " in words.strip() else expected.keywords).append(words.strip())
    return expected


def _offset(query: str, row: int, column: int) -> int:
    lines = query.split("\n")
    return min(len(query), sum(len(line) + 1 for line in lines[: row - 1]) + column - 1)


def _reason(expected: _Expected, before: str, after: str, prefixes: Iterable[str]) -> str:
    if "Prefix not found" in expected.sentences:
        return _unknown_prefix(before, prefixes)
    if expected.sentences:
        return expected.sentences[0]
    here = _WORD.match(after)
    if not here:
        return "the query ends too early"
    signs = expected.signs
    if not signs or len(signs) > MOST_EXPECTED:
        return f"'{here[1]}' is not expected there{nearest(here[1].upper(), KEYWORDS)}"
    return f"expected {', '.join(signs[:-1])} or {signs[-1]}" if len(signs) > 1 else f"expected {signs[0]}"


def _unknown_prefix(before: str, prefixes: Iterable[str]) -> str:
    name = _PREFIX_BEFORE.search(before)
    if not name:
        return "a prefix is not declared"
    return f"prefix '{name[1]}' is not declared{nearest(name[1], prefixes)}"
