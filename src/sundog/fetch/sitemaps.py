"""Lists of pages: sitemaps in XML or text, sitemap index files, RSS and Atom feeds; packed or not.

They are hostile input: no entity is expanded, nothing is loaded, sizes are bounded. A broken file gives
what stands before the break.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import NamedTuple
from xml.parsers import expat

import ada_url

from sundog.fetch.unpack import GZIP_MAGIC, UnpackError, unpack
from sundog.fetch.values import Limits

SITEMAP_LIMITS = Limits(types=None, max_bytes=10_000_000)
MOST_UNPACKED = 50_000_000  # the protocol's own limit
MOST_ENTRIES = 50_000  # likewise
LONGEST_TEXT = 4_096
DEEPEST = 32
PARENTS = ("url", "sitemap", "item", "entry")
DATES = ("lastmod", "updated", "published", "pubdate", "date")


def moment_of(text: str) -> float | None:
    """A date as sitemaps, feeds and headers have it, as Unix seconds; of a day its end. None if it is none.

    >>> moment_of("1970-01-01T01:00:00+01:00"), moment_of("Fri, 02 Jan 1970 00:00:00 GMT"), moment_of("today")
    (0.0, 86400.0, None)
    """
    text = text.strip()[:64]
    try:
        if len(text) == 10:
            return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() + 86_399.0
        found = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


class Listing(NamedTuple):
    """``fault`` says why reading ended before the file did; ``dates``: when entries say that they last changed."""

    pages: list[str]
    sitemaps: list[str]
    fault: str = ""
    dates: Mapping[str, float] = MappingProxyType({})  # Unix seconds


class _Stop(Exception):  # noqa: N818 - not an error
    """Enough is read."""


def read_listing(body: bytes, base: str, *, most: int = MOST_ENTRIES, max_bytes: int = MOST_UNPACKED) -> Listing:
    """The pages and sitemaps that a file names, in its order, as absolute URLs.

    >>> read_listing(b"<urlset><url><loc>/a</loc><lastmod>1970-01-02</lastmod></url></urlset>", "http://b.example/")
    Listing(pages=['http://b.example/a'], sitemaps=[], fault='', dates={'http://b.example/a': 172799.0})
    """
    if body[:2] == GZIP_MAGIC:
        try:
            body = unpack(body, "gzip", max_bytes).body
        except UnpackError as error:
            return Listing([], [], str(error))
    reader = _Reader(base, most)
    text = body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text[:1] == b"<" or b"<\0" in body[:8] or b"\0<" in body[:8]:
        fault = reader.read_xml(body.lstrip())
    else:
        fault = reader.read_lines(text)
    return Listing(reader.pages, reader.sitemaps, fault, reader.dates)


class _Reader:
    def __init__(self, base: str, most: int) -> None:
        self.pages: list[str] = []
        self.sitemaps: list[str] = []
        self._base = base
        self._most = most
        self._path: list[str] = []
        self._text: list[str] = []
        self._length = 0
        self.dates: dict[str, float] = {}
        self._url, self._date = "", ""

    def read_lines(self, body: bytes) -> str:
        try:
            for line in body.decode("utf-8", "replace").splitlines():
                if line.strip().startswith(("http://", "https://")):
                    self._add(self.pages, line.strip())
        except _Stop as stop:
            return str(stop)
        return ""

    def read_xml(self, body: bytes) -> str:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._refuse_entity
        try:
            parser.Parse(body, True)
        except _Stop as stop:
            return str(stop)
        except (expat.ExpatError, ValueError, LookupError) as error:  # not well-formed, or an unknown charset
            return f"XML: {error}"
        return ""

    def _refuse_entity(self, *_: object) -> None:
        raise _Stop("entity declarations are not read")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower()
        self._path.append(name)
        if len(self._path) > DEEPEST:
            raise _Stop("nested too deep")
        self._text.clear()
        self._length = 0
        if name in PARENTS:
            self._url = self._date = ""
        elif name == "link" and self._parent() == "entry" and attributes.get("rel", "alternate") == "alternate":
            self._url = self._url or attributes.get("href", "")

    def _data(self, text: str) -> None:
        if self._length < LONGEST_TEXT:
            self._text.append(text)
            self._length += len(text)

    def _end(self, _: str) -> None:
        name, parent = self._path[-1], self._parent()
        text = "".join(self._text).strip()
        self._text.clear()
        self._length = 0
        if text and ((name == "loc" and parent in ("url", "sitemap")) or (name == "link" and parent == "item")):
            self._url = text
        elif text and parent in PARENTS and name in DATES:
            self._date = max(self._date, text) if name == "updated" else self._date or text
        elif name in PARENTS and self._url:
            self._add(self.sitemaps if name == "sitemap" else self.pages, self._url)
            self._url = ""
        self._path.pop()

    def _parent(self) -> str:
        return self._path[-2] if len(self._path) > 1 else ""

    def _add(self, entries: list[str], url: str) -> None:
        if len(self.pages) + len(self.sitemaps) >= self._most:
            raise _Stop(f"more than {self._most:,} entries")
        try:
            href: str = ada_url.join_url(self._base, url)
        except ValueError:
            return
        if href.startswith(("http://", "https://")):
            entries.append(href)
            if self._date and (at := moment_of(self._date)) is not None:
                self.dates[href] = at
