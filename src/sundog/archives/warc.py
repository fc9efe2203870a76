"""Pages of WARC files, whoever wrote them: a record at a time, each bounded, none trusted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple

from sundog.archives.http_answer import Headers, HttpAnswer, parse_answer, plain_body
from sundog.errors import SundogError
from sundog.fetch.fetch_attempt import REDIRECTS
from sundog.fetch.values import Limits
from sundog.media_types import media_type
from sundog.urls.references import LinkResolver

MOST_METADATA = 10_000  # bytes of a metadata record
HEAD_ROOM = 70_000  # bytes that an HTTP response may have besides its body
LIMITS = Limits()  # of a page, as in a crawl


class ArchivedPage(NamedTuple):
    """``other_urls`` lead to it by redirects. ``seconds`` are nan if the archive does not tell them."""

    url: str
    status: int
    content_type: str
    body: bytes
    headers: Headers = ()
    truncated: bool = False
    at: float = 0.0
    seconds: float = float("nan")
    other_urls: tuple[str, ...] = ()


class ArchivedRedirect(NamedTuple):
    url: str
    target: str


class ArchivedCopy(NamedTuple):
    """A revisit record: at ``url`` was what stands in the archive for ``original``."""

    url: str
    original: str


class Unusable(NamedTuple):
    """A record that brings no page, and why: ``other type``, ``damaged``, ``packed``."""

    url: str
    reason: str


Archived = ArchivedPage | ArchivedRedirect | ArchivedCopy | Unusable
Record = tuple[int, Archived]  # where it begins in the file as it lies on disk


def read_warc(
    stream: BinaryIO, name: str, tell: Callable[[str], None], limits: Limits = LIMITS
) -> Iterator[Record]:
    """What the file has about pages, in its order. ``tell`` gets a sentence if the rest of it cannot be read."""
    waiting: Record | None = None  # metadata of a page follow it
    count = 0
    try:
        for record in _records(stream):
            count += 1
            kind = str(record.record_type)
            if kind == "metadata":
                waiting = _with_metadata(waiting, record)
                continue
            found = _archived(record, kind, limits)
            if found is None:
                continue
            if waiting is not None:
                yield waiting
            waiting = (record.stream_pos, found)
    except (OSError, ValueError) as error:  # fastwarc: neither record nor member of gzip
        tell(f"{name} is damaged after {count:,} records, and the rest of it was left out ({error})")
    if waiting is not None:
        yield waiting


def _records(stream: BinaryIO) -> Iterator[Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # it warns of its own former names
            fastwarc = import_module("fastwarc")
    except ImportError:
        raise SundogError("WARC files need the package fastwarc: pip install 'sundog[archives]'") from None
    kinds = fastwarc.WarcRecordType
    wanted = kinds.response | kinds.resource | kinds.revisit | kinds.metadata
    records: Iterator[Any] = fastwarc.ArchiveIterator(stream, record_types=wanted, parse_http=False)
    return records


def _archived(record: Any, kind: str, limits: Limits) -> Archived | None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    if not url.startswith(("http://", "https://")):
        return None
    if kind == "revisit":
        original = (record.headers.get("WARC-Refers-To-Target-URI") or "").strip("<> ")
        return ArchivedCopy(url, original)
    declared, most = record.content_length, limits.max_bytes + HEAD_ROOM
    block = record.reader.read(most)
    if len(block) < min(declared, most):
        return Unusable(url, "damaged")
    at = record.record_date.timestamp() if record.record_date else 0.0
    if kind == "resource":
        content_type = record.headers.get("Content-Type") or ""
        page = ArchivedPage(url, 200, content_type, block[: limits.max_bytes], at=at)
        return _wanted(page._replace(truncated=len(block) > limits.max_bytes), limits)
    answer = parse_answer(block)
    if answer is None:
        return Unusable(url, "damaged")
    return _of_answer(url, answer, at, limits)


def _of_answer(url: str, answer: HttpAnswer, at: float, limits: Limits) -> Archived | None:
    if answer.status in REDIRECTS and (location := answer.header(b"location")):
        target = LinkResolver(url).resolve(location)
        return ArchivedRedirect(url, target) if target else Unusable(url, "damaged")
    if answer.status >= 400:
        return ArchivedPage(url, answer.status, answer.header(b"content-type"), b"", answer.headers, at=at)
    if not 200 <= answer.status < 300:
        return None
    page = ArchivedPage(url, answer.status, answer.header(b"content-type"), answer.body, answer.headers, at=at)
    usable = _wanted(page, limits)
    if isinstance(usable, Unusable):
        return usable
    body = plain_body(answer, limits)
    if body is None:
        return Unusable(url, "packed")
    return page._replace(body=body[0], truncated=body[1])


def _wanted(page: ArchivedPage, limits: Limits) -> ArchivedPage | Unusable:
    """Pictures and scripts are no pages: a crawl would not have read them either."""
    if limits.types is None or not page.content_type or media_type(page.content_type) in limits.types:
        return page
    return Unusable(page.url, "other type")


def _with_metadata(waiting: Record | None, record: Any) -> Record | None:
    """Of the page before it: how long it took, and from where it was redirected."""
    if waiting is None or not isinstance(waiting[1], ArchivedPage):
        return waiting
    place, page = waiting[0], waiting[1]
    if (record.headers.get("WARC-Target-URI") or "").strip("<> ") != page.url:
        return waiting
    text = record.reader.read(MOST_METADATA).decode("utf-8", "replace")
    fields = dict(line.partition(": ")[::2] for line in text.splitlines())
    if (time := fields.get("fetchTimeMs", "").strip()).isdecimal() and len(time) < 10:
        page = page._replace(seconds=int(time) / 1_000)
    if origin := fields.get("redirected-from", "").strip():
        page = page._replace(other_urls=(origin,))
    return place, page
