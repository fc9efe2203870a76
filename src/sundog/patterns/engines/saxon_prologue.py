"""The functions that XQuery patterns see."""

from __future__ import annotations

import re

NAMESPACE = "urn:sundog:crawl"
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

DECLARATIONS = {
    "depth": "crawl:depth() { xs:integer($crawl/@depth) }",
    "order": "crawl:order() { xs:integer($crawl/@order) }",
    "pages": "crawl:pages() { xs:integer($crawl/@pages) }",
    "seconds": "crawl:seconds() { xs:double($crawl/@seconds) }",
    "time": "crawl:time() { xs:double($crawl/@time) }",
    "count": "crawl:count() { xs:integer($crawl/@items) }; "
    "declare function crawl:count($of) { ($crawl/count[@of = $of]/xs:integer(.), 0)[1] }",
    "via": "crawl:via($name) { tokenize($crawl/@via) = $name }",
    "parents": "crawl:parents() { $crawl/page }",
    "matched": "crawl:matched($name) { $crawl/page[tokenize(@matched) = $name] }",
    "path": "crawl:path() { $crawl/path/page }; "
    "declare function crawl:path($name) { $crawl/path/page[tokenize(@matched) = $name] }",
    "items": "crawl:items() { $crawl/(items/item, item) }; "
    "declare function crawl:items($name) { $crawl/(items/item, item)[@pattern = $name] }",
}
_USED = re.compile(r"\bcrawl:([\w-]+)")


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
