"""Styles of a page without all that asks for something, or leaves its place.

A sheet is read as browsers read it: comments, strings, escapes, brackets. Only what was understood is written
again: rules and the at-rules of a list, with the declarations that have no function of those that load.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

AT_RULES = frozenset({"media", "supports", "layer", "container"})  # those whose blocks have rules
DEEPEST = 12  # blocks in blocks
LONGEST = 2_000  # characters of a selector or a declaration
_LOADING = re.compile(r"url|src\(|image|element\(|paint|expression|cross-fade|behaviou?r|binding")
_STICKING = re.compile(r"position\s*:\s*(?:-webkit-)?(?:fixed|sticky)")  # it would hide what is to be clicked
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})[ \t\n\r\f]?|(.))", re.IGNORECASE | re.DOTALL)
_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?(?:\*/|\Z))|(?P<string>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')"""
    r"""|(?P<broken>"(?:[^"\\\n]|\\.)*+|'(?:[^'\\\n]|\\.)*+)|(?P<escape>\\.)"""
    r"""|(?P<mark>[{};()\[\]])|(?P<other>[^"'\\{};()\[\]/]++|/)""",
    re.DOTALL,
)
_CLOSING = {"(": ")", "[": "]"}


def safe_sheet(text: str) -> str:
    """
    >>> safe_sheet("@import 'x'; p { color: red; background: url(//evil) } @media print { p { color: blue } }")
    'p {color: red;} @media print {p {color: blue;}}'
    >>> safe_sheet("p { content: 'x\\n; margin: 0 } i { color: red !important }")
    'p {margin: 0;} i {color: red !important;}'
    >>> safe_sheet(r"p { background: \\75 rl(//evil) } @font-face { src: url(x) } .w-1\\/2 { width: 50% }")
    'p {} .w-1\\\\/2 {width: 50%;}'
    """
    written: list[str] = []
    depth = 0
    skipped = 0  # blocks that are open inside of one that is left out
    for piece, end in _pieces(text):
        if skipped:
            skipped += (end == "{") - (end == "}")
        elif end == "{":
            if depth < DEEPEST and _may_begin(piece):
                written.append(f"{piece} {{")
                depth += 1
            else:
                skipped = 1
        else:
            if depth and _is_safe(piece):
                written.append(f"{piece};")
            if end == "}" and depth:
                written.append("} " if depth == 1 else "}")
                depth -= 1
    return ("".join(written) + "}" * depth).strip()


def safe_declarations(text: str) -> str:
    """Those of an attribute.

    >>> safe_declarations("color: red; background: URL(x); position: fixed; } * { x: y")
    'color: red;'
    """
    safe: list[str] = []
    for piece, end in _pieces(text):
        if end in ("{", "}"):
            break
        if _is_safe(piece):
            safe.append(f"{piece};")
    return " ".join(safe)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """What stands before each ``{``, ``;`` and ``}`` that is in no bracket, and that mark; at the end none.

    Nothing stands there if it has a string or a bracket without an end.
    """
    parts: list[str] = []
    open_brackets: list[str] = []
    is_broken = False
    for token in _TOKEN.finditer(text):
        if token["comment"] is not None:
            parts.append(" ")
            continue
        if token["broken"] is not None:
            is_broken = True  # a string that ends with its line, and would not in what is written
        mark = token["mark"]
        if mark in _CLOSING:
            open_brackets.append(_CLOSING[mark])
        elif open_brackets and mark == open_brackets[-1]:
            open_brackets.pop()
        elif mark in ("{", "}", ";") and not open_brackets:
            yield _joined(parts) if not is_broken else "", mark
            parts, is_broken = [], False
            continue
        parts.append(token[0])
    yield _joined(parts) if not is_broken and not open_brackets else "", ""


def _joined(parts: list[str]) -> str:
    return " ".join("".join(parts).split())


def _may_begin(prelude: str) -> bool:
    """A rule with selectors, or an at-rule that is known."""
    if not prelude or len(prelude) > LONGEST:
        return False
    if not prelude.startswith("@"):
        return True
    return re.split(r"[\s({]", prelude[1:], maxsplit=1)[0].lower() in AT_RULES and not _LOADING.search(
        _plain(prelude)
    )


def _is_safe(declaration: str) -> bool:
    if ":" not in declaration or declaration.startswith("@") or len(declaration) > LONGEST:
        return False
    plain = _plain(declaration)
    return not _LOADING.search(plain) and not _STICKING.search(plain)


def _plain(text: str) -> str:
    """Without escapes, in small letters."""
    return _ESCAPE.sub(_meant, text).lower()


def _meant(escape: re.Match[str]) -> str:
    if not escape[1]:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
