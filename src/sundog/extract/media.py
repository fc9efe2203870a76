"""What the bytes are: unpacked if packed, cut if too long, and of which kind."""

from __future__ import annotations

import re
import zlib

import turbohtml

from sundog.extract.result import Fault

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';]+)", re.IGNORECASE)
_GZIP = b"\x1f\x8b\x08"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_UTF_8_MARK = b"\xef\xbb\xbf"
_BY_TYPE = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/turtle": "turtle",
    "application/x-turtle": "turtle",
    "application/turtle": "turtle",
    "application/trig": "trig",
    "application/x-trig": "trig",
    "application/n-triples": "ntriples",
    "application/n-quads": "nquads",
    "text/x-nquads": "nquads",
    "text/n3": "n3",
    "text/rdf+n3": "n3",
    "application/n3": "n3",
    "application/rdf+xml": "rdfxml",
    "application/ld+json": "jsonld",
}
# Types that say little: the name and the bytes say more.
_VAGUE = frozenset(
    ("", "text/plain", "application/octet-stream", "binary/octet-stream", "application/gzip", "application/x-gzip")
)
_BY_EXTENSION = {
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "ttl": "turtle",
    "trig": "trig",
    "nt": "ntriples",
    "nq": "nquads",
    "n3": "n3",
    "rdf": "rdfxml",
    "owl": "rdfxml",
    "jsonld": "jsonld",
}
_EXTENSION = re.compile(r"\.(\w+?)(?:\.gz)?(?:[?#].*)?$")
_RDF_XML = re.compile(rb"\s*<(?:\?xml|!DOCTYPE|!--|rdf:RDF)(?s:.*)http://www\.w3\.org/1999/02/22-rdf-syntax-ns#")
_HTML = re.compile(rb"(?>\s*+<!--(?s:.*?)-->)*+\s*+<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
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
_TURTLE = re.compile(_LEAD + rb"(?:@(?:prefix|base)\s|(?i:prefix|base)\s+[\w.-]*:?\s*<)")
_TRIG_GRAPH = re.compile(rb"(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w.-]*:[\w.-]+)\s*\{")


def charset_of(content_type: str) -> str | None:
    """The encoding that the header declares, if it is one.

    >>> charset_of("text/html; charset=Latin1"), charset_of("text/html; charset=nonsense")
    ('Latin1', None)
    """
    match = _CHARSET.search(content_type)
    if match is None:
        return None
    try:
        turbohtml.parse(b"", encoding=match[1])
    except LookupError:
        return None
    return match[1]


def kind_of(content_type: str, url: str, body: bytes) -> str:
    """``html``, a kind of RDF, or '' for what is neither: by header, then by name, then by the bytes.

    >>> kind_of("text/plain", "http://a.example/data", b"@prefix a: <http://a.example/> .")
    'turtle'
    """
    declared = content_type.partition(";")[0].strip().lower()
    if declared in _BY_TYPE:
        return _BY_TYPE[declared]
    start = body[:4096]
    if declared.endswith(("/json", "+json")):
        return "jsonld" if _JSON_LD.match(start) else ""
    if declared.endswith(("/xml", "+xml")):
        return "rdfxml" if _RDF_XML.match(start) else "html" if _HTML.match(start) else ""
    if declared not in _VAGUE:
        return ""
    match = _EXTENSION.search(url)
    by_name = _BY_EXTENSION.get(match[1].lower()) if match else None
    return by_name or sniffed(start)


def guessed_type(name: str, body: bytes) -> str:
    """The media type of a file whose server nobody asked: a page if name and bytes say nothing."""
    kind = kind_of("", name, body) or "html"
    return next(media for media, each in _BY_TYPE.items() if each == kind)


def sniffed(start: bytes) -> str:
    """By the first bytes alone."""
    start = start.removeprefix(_UTF_8_MARK)
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


def unpacked(body: bytes, max_bytes: int, faults: list[Fault]) -> bytes:
    """The first ``max_bytes``, after gunzipping; of a bomb no more than that is ever in memory."""
    if body.startswith(_GZIP):
        body = _gunzipped(body, max_bytes + 1, faults)
    if len(body) > max_bytes:
        faults.append(Fault("page", f"cut at {max_bytes:,} bytes"))
        body = body[:max_bytes]
    if body.startswith(_UTF_16):
        body = _UTF_8_MARK + body.decode("utf-16", "replace").encode()
    return body


def _gunzipped(body: bytes, most: int, faults: list[Fault]) -> bytes:
    pieces: list[bytes] = []
    left = most
    while body.startswith(_GZIP) and left > 0:  # a file may have several members
        unpacker = zlib.decompressobj(wbits=31)
        try:
            pieces.append(unpacker.decompress(body, left))
        except zlib.error as error:
            faults.append(Fault("page", f"broken gzip: {error}"))
            break
        left -= len(pieces[-1])
        body = unpacker.unused_data
    return b"".join(pieces)
