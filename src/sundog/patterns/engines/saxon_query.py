"""A query as Saxon reads it, with our functions in its prologue; and Saxon's errors in the user's own lines."""

from __future__ import annotations

import re

from sundog.errors import nearest
from sundog.patterns.crawl_view import FUNCTIONS, NAMESPACE, VARIABLES
from sundog.patterns.engines import QueryError, error_at

_PART = re.compile(  # what must stand before variables and functions in a prologue
    r"""\s*+(?:
      xquery\s+(?:version|encoding)\b
    | declare\s+(?:namespace|default|boundary-space|base-uri|construction|ordering|copy-namespaces)\b
    | declare\s+decimal-format\b
    | import\s+(?:module|schema)\b
    )(?:[^;"']|"[^"]*+"|'[^']*+')*+;""",
    re.VERBOSE,
)
_COMMENT = re.compile(r"\s*\(:")
_OWN_DECLARATION = re.compile(r"\s*(?:declare|import|module)\b")
CONTEXT = "$crawl-context"
READ = "$crawl-read"
NOW = "$crawl-now"  # what ``$crawl`` is for a page, whatever a query binds to that name
DECLARATIONS = {  # each function of ``crawl_view.FUNCTIONS``, with every number of arguments
    "depth": "crawl:depth() { xs:integer($crawl/@depth) }",
    "order": "crawl:order() { xs:integer($crawl/@order) }",
    "pages": "crawl:pages() { xs:integer($crawl/@pages) }",
    "seconds": "crawl:seconds() { xs:double($crawl/@seconds) }",
    "time": "crawl:time() { xs:double($crawl/@time) }",
    "count": "crawl:count() { xs:integer($crawl/@items) }; "
    "declare function crawl:count($of) { ($crawl/count[@of = $of]/xs:integer(.), 0)[1] }",
    "via": "crawl:via() { exists(tokenize($crawl/@via)) }; "
    "declare function crawl:via($name) { tokenize($crawl/@via) = $name }",
    "parents": "crawl:parents() { $crawl/page }",
    "matched": "crawl:matched() { $crawl/page }; "
    "declare function crawl:matched($name) { $crawl/page[tokenize(@matched) = $name] }",
    "path": "crawl:path() { $crawl/path/page }; "
    "declare function crawl:path($name) { $crawl/path/page[tokenize(@matched) = $name] }",
    "items": "crawl:items() { $crawl/(items/item, item) }; "
    "declare function crawl:items($name) { $crawl/(items/item, item)[@pattern = $name] }",
    "waiting": "crawl:waiting() { $crawl/waiting/page }; "
    "declare function crawl:waiting($name) { $crawl/waiting/page[tokenize(@via) = $name] }",
}
PAGE_ARGUMENTS = ("$page", "$crawl", NOW)  # of a query as a function, behind its context
_USED = re.compile(r"\bcrawl:([\w-]+)")
_STRING_OR_CALL = re.compile(r"""("[^"]*"|'[^']*')|\bcrawl:([\w-]+)\s*\(\s*(\)?)""")
# What has texts in other quotes, and functions as values:
_NOT_ONLY_CALLS = re.compile(r"\(:|<[\w!?]|#|=>|``|Q\{")
# Saxon's messages:
_PLACE = re.compile(r"on line (\d+) (?:at )?column (\d+)")
_NEAR = re.compile(r"at char (\d+)")
_CODE = re.compile(r"\b((?:XP|XQ|FO|XT|SE|SX)[A-Z]{2}\d{4})\s+")
_OUR_NAME = re.compile(rf"Q\{{{NAMESPACE}\}}")
_THEIR_NAME = re.compile(r"Q\{http://www\.w3\.org/2005/xpath-functions\}")
_NO_FUNCTION = re.compile(r"Cannot find an? (\d+)-argument function named ([\w:.-]+)\(\)")
_NO_VARIABLE = re.compile(r"Unresolved reference to variable \$([\w:.-]+)")
_UNEXPECTED = re.compile(r"(?:found|Unexpected token) (?:`([^`]+)`|([^\s<`]\S*))")
_LAZY = re.compile(r"\s*During lazy evaluation of .*", re.DOTALL)
_FOLDER = re.compile(r" (?:in|of) file:\S*")  # where a stylesheet would be if it were a file
_FORBIDDEN = re.compile(r"has been (?:prohibited|disallowed)")


def functions_for(text: str) -> str:
    """Declarations of what a query uses, in one line; each of them would cost every page a little."""
    used = dict.fromkeys(_USED.findall(text))
    parts = [f'declare namespace crawl = "{NAMESPACE}"'] if used else []
    parts += ["declare variable $page external"] if "$page" in text else []
    parts += ["declare variable $crawl external"] if used or "$crawl" in text else []
    parts += [f"declare function {DECLARATIONS[name]}" for name in used if name in DECLARATIONS]
    return "".join(f"{part}; " for part in parts)


def with_functions(query: str) -> tuple[str, tuple[int, int]]:
    """The query with our functions in its prologue, and where they stand: offset and length, all in one line."""
    at, functions = _end_of_settings(query), functions_for(query)
    return f"{query[:at]} {functions}{query[at:]}", (at, len(functions) + 1)


def as_function(query: str, each: str = "", *, read: bool = False) -> str:
    """A query that gives this one as a function of its context and, if it needs more, of ``PAGE_ARGUMENTS``.

    ``each`` is what becomes of each thing that it finds. With ``read`` the second argument is a function, which is
    given what was found. Empty: it has declarations of its own, or asks for the crawl in a way that is not
    understood here.
    """
    at = _end_of_settings(query)
    settings, body, whole = query[:at], query[at:], query + each
    if _OWN_DECLARATION.match(body) or (each and settings.strip()):  # which are not for ``each``
        return ""
    of_crawl = bool(functions_for(whole))
    if of_crawl:
        if _USED.search(whole) and _NOT_ONLY_CALLS.search(whole):
            return ""
        settings += _functions_of_crawl(whole)
        body, each = _told_the_crawl(body), _told_the_crawl(each)
    found = f"{CONTEXT} ! ({body}\n)"
    found = f"({found}) ! {each}" if each else found
    found = f"{READ}({found})" if read else found
    parameters = (CONTEXT, *((READ,) if read else ()), *(PAGE_ARGUMENTS if of_crawl else ()))
    return f"{settings} function({', '.join(parameters)}) {{ {found} }}"


def _functions_of_crawl(query: str) -> str:
    """Declarations of what a query uses, as functions of the crawl and of what else they take."""
    used = [name for name in dict.fromkeys(_USED.findall(query)) if name in DECLARATIONS]
    declared = [f"declare function {DECLARATIONS[name].replace('$crawl', NOW)}; " for name in used]
    return "".join([f'declare namespace crawl = "{NAMESPACE}"; ' if used else "", *map(_told_the_crawl, declared)])


def _told_the_crawl(text: str) -> str:
    """Calls of our functions, or declarations of them, with the crawl as their first argument."""
    return _STRING_OR_CALL.sub(
        lambda found: found[1] or f"crawl:{found[2]}({NOW}{')' if found[3] else ', '}", text
    )


def _end_of_settings(query: str) -> int:
    """Where a prologue's namespaces and settings end."""
    at = 0
    while True:
        at = _after_comments(query, at)
        part = _PART.match(query, at)
        if part is None:
            return at
        at = part.end()


def _after_comments(query: str, at: int) -> int:
    """Comments may be nested."""
    while opening := _COMMENT.match(query, at):
        depth, at = 1, opening.end()
        for mark in re.finditer(r"\(:|:\)", query[at:]):
            depth += 1 if mark[0] == "(:" else -1
            if depth == 0:
                at += mark.end()
                break
        else:
            return at
    return at


def readable_error(message: str, query: str, inserted: tuple[int, int]) -> QueryError:
    """``inserted``: where our own functions stand in the text that Saxon has read, and how long they are."""
    code = _CODE.search(message)
    lines = [line.strip() for line in message.strip().splitlines() if line.strip()]
    text = " ".join(lines[1:]) if len(lines) > 1 else " ".join(lines)
    reason = _LAZY.sub("", _CODE.sub("", text, count=1)).strip() or "cannot be run"
    reason = _FOLDER.sub("", _THEIR_NAME.sub("", _OUR_NAME.sub("crawl:", reason)))
    if name := _NO_FUNCTION.search(reason):
        near = nearest(name[2].removeprefix("crawl:"), FUNCTIONS) if name[2].startswith("crawl:") else ""
        reason = f"unknown function {name[2]}() with {name[1]} arguments{near}"
        return error_at(query, _called(name[2], query), reason)
    if name := _NO_VARIABLE.search(reason):
        reason = f"unknown variable ${name[1]}{nearest(name[1], VARIABLES)}"
    text = f"{reason} ({code[1]})" if code else reason
    offset = _offset(message, query, inserted)
    if word := _UNEXPECTED.search(reason):  # Saxon has read on: what it did not expect stands before
        before = query.rfind(word[1] or word[2], 0, offset + 1)
        offset = before if before >= 0 else offset
    return error_at(query, offset, text)


def _called(function: str, query: str) -> int:
    found = re.search(rf"(?<![\w:.-]){re.escape(function)}\s*\(", query)
    return found.start() if found else 0


def is_for_every_page(message: str) -> bool:
    """Whether the query itself is wrong: some errors come from what a page has or has not."""
    return message.lstrip().startswith("Static") or bool(_FORBIDDEN.search(message))


def _offset(message: str, query: str, inserted: tuple[int, int]) -> int:
    """The place that Saxon names, in the user's own text."""
    if place := _PLACE.search(message):
        line, column = _own_place(query, inserted, int(place[1]), int(place[2]))
        begin = sum(len(each) for each in query.splitlines(keepends=True)[: line - 1])
        return min(begin + column - 1, len(query))
    if near := _NEAR.search(message):
        offset = int(near[1]) - 1
        return offset - inserted[1] if offset > inserted[0] else offset
    return 0


def _own_place(query: str, inserted: tuple[int, int], line: int, column: int) -> tuple[int, int]:
    """Ours is all in one line: what follows it there stands further left in the query itself."""
    before = query[: inserted[0]]
    own_line, own_column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1)
    if line == own_line and column > own_column:
        column = max(1, column - inserted[1])
    return line, max(1, column - (line > 1))  # Saxon counts the end of the line before
