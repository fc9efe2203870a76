"""Media types and file endings, once: of HTML, of each format of RDF, of packed files, and of what is no page."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Format(NamedTuple):
    """``types`` are its media types, the standard's own first; ``endings`` those of its files."""

    kind: str
    types: tuple[str, ...]
    endings: tuple[str, ...]


HTML: Final = Format("html", ("text/html", "application/xhtml+xml"), ("html", "htm", "xhtml"))
RDF_FORMATS: Final = (
    Format("jsonld", ("application/ld+json",), ("jsonld",)),
    Format("rdfxml", ("application/rdf+xml",), ("rdf", "rdfs", "owl")),
    Format("ntriples", ("application/n-triples",), ("nt",)),
    Format("nquads", ("application/n-quads", "text/x-nquads"), ("nq",)),
    Format("trig", ("application/trig", "application/x-trig"), ("trig",)),
    Format("turtle", ("text/turtle", "application/x-turtle", "application/turtle"), ("ttl",)),
    Format("n3", ("text/n3", "text/rdf+n3", "application/n3"), ("n3",)),
)
FORMATS: Final = (HTML, *RDF_FORMATS)
KIND_OF_TYPE: Final = {name: each.kind for each in FORMATS for name in each.types}
KIND_OF_ENDING: Final = {ending: each.kind for each in FORMATS for ending in each.endings}
TYPE_OF_KIND: Final = {each.kind: each.types[0] for each in FORMATS}

STANDARD_RDF_TYPES: Final = tuple(each.types[0] for each in RDF_FORMATS)
RDF_TYPES: Final = frozenset(name for each in RDF_FORMATS for name in each.types)
RDF_ENDINGS: Final = tuple(ending for each in RDF_FORMATS for ending in each.endings)
# Relations of links that lead from a page to RDF about the same thing.
RDF_RELATIONS: Final = frozenset({"alternate", "describedby", "meta"})

PACKED_TYPES: Final = (
    "application/gzip",
    "application/x-gzip",
    "application/bzip2",
    "application/x-bzip2",
    "application/zip",
    "application/x-zip-compressed",
)
PACKED_ENDINGS: Final = ("gz", "bz2", "zip")
BYTES_TYPES: Final = ("application/octet-stream", "binary/octet-stream")  # say nothing of what the bytes are
LIST_TYPES: Final = ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml")
PAGE_TYPES: Final = (*HTML.types, *STANDARD_RDF_TYPES, "application/json", *LIST_TYPES, "text/plain")
# Other names of RDF, and what servers say of it when they know no better.
MISDECLARED_TYPES: Final = (
    *(name for each in RDF_FORMATS for name in each.types[1:]),
    "application/rdf",
    "text/rdf",
    "text/xml+rdf",
    *BYTES_TYPES,
    "application/x-unknown",
    "application/unknown",
)
DATA_TYPES: Final = (*PAGE_TYPES, *MISDECLARED_TYPES, *PACKED_TYPES)  # for those who look for RDF

NO_TEXT: Final = ("image/", "audio/", "video/", "font/")  # what media types of no text begin with
# Endings of files that are no pages, and no RDF unless it is packed.
NO_PAGES: Final = frozenset(
    "7z aac apk avi avif bin bmp css csv dmg doc docx eot epub exe flac flv gif ico iso jar jpeg jpg js "
    "m4a m4v map mid mjs mkv mobi mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf pdf pkg png pps ppt "
    "pptx ps psd rar rpm rtf svg swf tar tgz tif tiff ttf wasm wav webm webp wma wmv woff woff2 xls xlsx "
    "xz".split()
) | frozenset(PACKED_ENDINGS)

PACKED: Final = f"\\.(?:{'|'.join(PACKED_ENDINGS)})"  # as regular expressions
_RDF_FILE = re.compile(rf"\.(?:{'|'.join(RDF_ENDINGS)})(?:{PACKED})?(?:[?#]|$)", re.IGNORECASE).search
_PACKED_FILE = re.compile(rf"{PACKED}(?:[?#]|$)", re.IGNORECASE).search


def media_type(content_type: str) -> str:
    """A Content-Type without its parameters.

    >>> media_type("Text/HTML; charset=utf-8")
    'text/html'
    """
    return content_type.partition(";")[0].strip().lower()


def is_rdf_file(url: str) -> bool:
    """By its name; packed or not.

    >>> is_rdf_file("http://a.example/all.NT.gz?v=2"), is_rdf_file("http://a.example/resource/1")
    (True, False)
    """
    return _RDF_FILE(url) is not None


def is_packed_file(url: str) -> bool:
    """
    >>> is_packed_file("http://a.example/dump.zip"), is_packed_file("http://a.example/zip")
    (True, False)
    """
    return _PACKED_FILE(url) is not None
