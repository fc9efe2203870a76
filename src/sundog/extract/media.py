"""What the bytes are: HTML or which RDF, in which encoding. Servers are often wrong, so the bytes decide."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import turbohtml

from sundog.media_types import (
    BYTES_TYPES,
    KIND_OF_ENDING,
    KIND_OF_TYPE,
    NO_TEXT,
    PACKED,
    PACKED_TYPES,
    TYPE_OF_KIND,
    media_type,
)

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';]+)", re.IGNORECASE)
UTF_8_MARK = b"\xef\xbb\xbf"
# Types that say little: the name and the bytes say more.
_VAGUE = frozenset({"", "text/plain", *BYTES_TYPES, *PACKED_TYPES})
_EXTENSION = re.compile(rf"\.(\w+?)(?:{PACKED})?(?:[?#].*)?$", re.IGNORECASE)
# What a file of the one kind may look like at its beginning without being misdeclared.
_LOOKS_LIKE = {
    "turtle": ("turtle", "ntriples"),
    "trig": ("trig", "turtle", "ntriples", "nquads"),
    "n3": ("turtle", "ntriples", "trig"),
    "ntriples": ("ntriples",),
    "nquads": ("nquads", "ntriples"),
    "rdfxml": ("rdfxml",),
    "jsonld": ("jsonld",),
}
_PROLOGUE = rb"(?>\s++|\xef\xbb\xbf|<\?[^>]*+>|<!--(?s:.*?)-->)*+"
_DOCTYPE = rb"(?:<!DOCTYPE[^>\[]*+(?:\[[^\]]*+\]\s*+)?>)?"
_RDF_ROOT = re.compile(_PROLOGUE + _DOCTYPE + _PROLOGUE + rb"<(?:[\w.-]+:)?RDF[\s>]")
_RDF_XML = re.compile(rb"\s*<(?:\?xml|!DOCTYPE|!--|rdf:RDF)(?s:.*)http://www\.w3\.org/1999/02/22-rdf-syntax-ns#")
_HTML = re.compile(_PROLOGUE + rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_JSON_LD = re.compile(rb"\s*[\[{](?s:.*)\"@(?:context|id|graph|type)\"\s*:")
_TERM = rb"(?:<[^<>\"{}|^`\\\s]*>|_:\S+)"
_LEAD = rb"(?:\s|#[^\n]*\n)*+"  # white space and comments
_LINE = re.compile(
    _LEAD
    + _TERM
    + rb"\s+<[^<>\s]+>\s+(?:"
    + _TERM
    + rb"|\"(?:[^\"\\\n]|\\.)*\"(?:@[\w-]+|\^\^<[^<>\s]+>)?)\s*("
    + _TERM
    + rb"\s*)?\.[^\S\n]*(?:\n|\r|$|#)"
)
_TURTLE = re.compile(
    _LEAD
    + rb"(?:@(?:prefix|base)\s|(?i:prefix|base)\s+[\w.-]*:?\s*<|"
    + rb"<(?:[a-z][\w+.-]*://[^<>\s]*|#[^<>\s]*|)>\s+(?:a|<[^<>\s]+>|[\w.-]*:[\w.-]+)\s)"
)
_TRIG_GRAPH = re.compile(rb"(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w.-]*:[\w.-]+)\s*\{")
_DECLARED = re.compile(rb"(\s*<\?xml\b[^>]*?\bencoding\s*=\s*)([\"'])([\w.:-]+)\2")
_OTHERWISE = "cp1252"  # what most files that lie about it are


def charset_of(content_type: str) -> str | None:
    """The encoding that the header declares, if it is one.

    >>> charset_of("text/html; charset=Latin1"), charset_of("text/html; charset=nonsense")
    ('Latin1', None)
    """
    match = _CHARSET.search(content_type)
    return match[1] if match is not None and is_charset(match[1]) else None


def is_charset(name: str) -> bool:
    """Whether browsers know it: Python knows others, some of which take hours for a page.

    >>> is_charset("koi8-r"), is_charset("punycode")
    (True, False)
    """
    try:
        turbohtml.parse(b"", encoding=name)
    except LookupError:
        return False
    return True


def kind_of(content_type: str, url: str, body: bytes) -> str:
    """``html``, a kind of RDF, or '' for what is neither: by header and name, unless the bytes say otherwise.

    >>> kind_of("text/html", "http://a.example/data", b"@prefix a: <http://a.example/> .")
    'turtle'
    """
    declared = media_type(content_type)
    start = body[:4096]
    known = KIND_OF_TYPE.get(declared)
    if known is None and declared in _VAGUE:
        match = _EXTENSION.search(url)
        known = KIND_OF_ENDING.get(match[1].lower()) if match else None
    if known == "html":
        return _not_html(start) or "html"
    seen = sniffed(start)
    if known is not None:
        return seen if seen and seen not in _LOOKS_LIKE[known] else known
    if declared in _VAGUE or declared.endswith(("/json", "+json", "/xml", "+xml")):
        return seen
    return "" if seen == "html" or declared.startswith(NO_TEXT) else seen


def _not_html(start: bytes) -> str:
    """The kind of RDF that was declared to be a page; '' for pages, which are mostly found so at once."""
    if _HTML.match(start):
        return ""
    seen = sniffed(start)
    if seen == "rdfxml" and not _RDF_ROOT.match(start):  # a page that uses the namespace
        return ""
    return "" if seen == "html" else seen


def is_plain_json(content_type: str) -> bool:
    """Whether it is JSON that may be JSON-LD by a context from elsewhere.

    >>> [is_plain_json(name) for name in ("application/json", "application/geo+json", "application/ld+json")]
    [True, True, False]
    """
    declared = media_type(content_type)
    return declared.endswith(("/json", "+json")) and declared not in KIND_OF_TYPE


def guessed_type(name: str, body: bytes) -> str:
    """The media type of a file whose server nobody asked: a page if name and bytes say nothing."""
    return TYPE_OF_KIND[kind_of("", name, body) or "html"]


def sniffed(start: bytes) -> str:
    """By the first bytes alone."""
    start = start.removeprefix(UTF_8_MARK)
    if _HTML.match(start):
        return "html"
    if _RDF_XML.match(start):
        return "rdfxml"
    if _JSON_LD.match(start):
        return "jsonld"
    line = _LINE.match(start)
    if line:
        return "nquads" if line[1] else "ntriples"
    if _TURTLE.match(start):
        return "trig" if _TRIG_GRAPH.search(start) else "turtle"
    return ""


def as_utf8(kind: str, body: bytes, charset: str | None, report: Callable[[str], None]) -> bytes:
    """The same text; ``charset`` is what the header says. Without a declaration it is UTF-8, or what it must be.

    >>> as_utf8("rdfxml", b'<?xml version="1.0" encoding="latin1"?><a>\\xe9</a>', None, print).decode()
    '<?xml version="1.0" encoding="utf-8"?><a>é</a>'
    """
    body = body.removeprefix(UTF_8_MARK)
    declared = _DECLARED.match(body) if kind == "rdfxml" else None
    charsets = [name] if declared and is_charset(name := declared[3].decode()) else []
    if charset:
        charsets.append(charset)
    if declared:
        body = b'%b"utf-8"%b' % (declared[1], body[declared.end() :])
    if _is_utf8(body):  # whatever is declared: hardly anything else looks like it
        return body
    for name in (*charsets, _OTHERWISE):
        with suppress(LookupError, UnicodeError):
            text = body.decode(name)
            if name not in charsets:
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
