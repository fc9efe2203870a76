"""Native RDF in UTF-8, which is all that parsers of it read. Old files of RDF/XML often are in Latin-1."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from sundog.extract.media import is_charset

_DECLARED = re.compile(rb"(\s*<\?xml\b[^>]*?\bencoding\s*=\s*)([\"'])([\w.:-]+)\2")
_MARK = b"\xef\xbb\xbf"
_OTHERWISE = "cp1252"  # what most files that lie about it are


def as_utf8(kind: str, body: bytes, charset: str | None, report: Callable[[str], None]) -> bytes:
    """The same text; ``charset`` is what the header says. Without a declaration it is UTF-8, or what it must be.

    >>> as_utf8("rdfxml", b'<?xml version="1.0" encoding="latin1"?><a>\\xe9</a>', None, print).decode()
    '<?xml version="1.0" encoding="utf-8"?><a>é</a>'
    """
    body = body.removeprefix(_MARK)
    declared = _DECLARED.match(body) if kind == "rdfxml" else None
    told = [name] if declared and is_charset(name := declared[3].decode()) else []
    if charset:
        told.append(charset)
    if declared:
        body = b'%b"utf-8"%b' % (declared[1], body[declared.end() :])
    if _is_utf8(body):  # whatever is declared: hardly anything else looks like it
        return body
    for name in (*told, _OTHERWISE):
        with suppress(LookupError, UnicodeError):
            text = body.decode(name)
            if name not in told:
                report(f"not UTF-8, read as {name}")
            return text.encode()
    report("not UTF-8, and nothing else that is known")
    return body.decode("utf-8", "replace").encode()


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True
