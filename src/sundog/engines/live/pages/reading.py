"""What a page says, as plain values; runs in worker processes.

So it imports neither the session nor the store: a worker is small and starts quickly.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sundog.extract import Extraction, extract
from sundog.extract.packed import is_packed
from sundog.extract.registry import PLUGINS
from sundog.extract.remote_contexts import ContextDocument
from sundog.extract.robot_tags import RobotTags, meta_tags
from sundog.extract.statement_links import Follow
from sundog.fetch.sitemaps import read_listing
from sundog.model import Link
from sundog.syntaxes import STORED

if TYPE_CHECKING:
    from sundog.objectives.judge import TextScore
    from sundog.patterns.runner import Found

IN_SITEMAP, OF_SITEMAPS, IN_FEED = "sitemap url", "sitemapindex sitemap", "feed item"  # as tag paths of links
LISTING = re.compile(  # the root element, after the prologue
    rb"(?>\s++|\xef\xbb\xbf|<\?[^>]*+>|<!--(?s:.*?)-->|<!DOCTYPE[^>\[]*+>)*+<(?:\w+:)?(urlset|sitemapindex|rss|feed)[\s>]",
    re.IGNORECASE,
).match
START = 4_096  # bytes to look at
GZIP = b"\x1f\x8b"
Statements = Mapping[str, Sequence[tuple[str, ...]]]


class Reading(NamedTuple):
    """``canonical`` and ``language`` are as the page declares them, empty if it does not."""

    statements: Statements
    counts: Mapping[str, int]
    types: Sequence[str]
    faults: Sequence[tuple[str, str]]
    links: Sequence[Link]
    content_hash: bytes
    canonical: str = ""
    language: str = ""
    tags: RobotTags = RobotTags()
    text: str = ""
    found: Found | None = None  # by patterns, if there are any
    missing_contexts: Sequence[str] = ()  # of JSON-LD, that the page asks for
    dates: Mapping[str, float] = {}  # by URL, when a sitemap or feed says that it last changed


class PageContexts(NamedTuple):
    """Remote contexts of JSON-LD by URL, and the one that a Link header gives to plain JSON."""

    documents: Mapping[str, ContextDocument] = {}
    linked: str = ""


NO_CONTEXTS = PageContexts()


class DumpCaps(NamedTuple):
    """As ``extract`` calls them."""

    max_bytes: int
    max_unpacked: int
    max_statements: int
    seconds: float


def is_dump(body: bytes, max_bytes: int) -> bool:
    return len(body) > max_bytes or is_packed(body)


def read(
    body: bytes,
    url: str,
    content_type: str,
    contexts: PageContexts = NO_CONTEXTS,
    *,
    max_bytes: int,
    seconds: float | None = None,
    with_text: bool,
    text_score: TextScore | None = None,
    follow: Follow | None = None,
    dump: DumpCaps | None = None,
    robot: str = "",
) -> Reading:
    """A page's statements and links, or those of a sitemap or feed.

    With ``text_score``, links are scored by the text around them. ``follow`` says which URIs in statements are
    links; ``dump`` is for packed files and those that are longer than pages may be; ``robot`` is the name by which
    pages may address us.
    """
    path = "" if "html" in content_type else _listing_path(body, url, content_type)
    if path:
        return _read_listing(body, url, path)
    caps = {} if dump is None or not is_dump(body, max_bytes) else dump._asdict()
    found = extract(
        body,
        base=url,
        content_type=content_type,
        syntaxes=(*STORED, *(plugged := PLUGINS.all())),
        contexts=contexts.documents,
        linked_context=contexts.linked,
        **{"max_bytes": max_bytes, "seconds": seconds, **caps},
    )
    links = found.find_links(with_context=text_score is not None, follow=follow)
    language = _language(found)
    content_hash = content_key(chain([body], _named_terms(found.by_syntax["rdf"])))
    for name in plugged:
        found.by_syntax["rdf"] += found.by_syntax.pop(name)
    return Reading(
        {name: statements for name, statements in found.by_syntax.items() if statements},
        found.counts,
        found.types,
        found.faults,
        scored(links, text_score, language) if text_score else links,
        content_hash,
        next((link.url for link in links if "canonical" in link.rel.split()), ""),
        language,
        meta_tags(found.page.metas, robot) if found.page is not None else RobotTags(),
        _text(found) if with_text else "",
        missing_contexts=found.missing_contexts,
    )


def content_key(parts: Iterable[bytes]) -> bytes:
    """By which the store knows a content, a page's name or a record again, also in crawls that are resumed."""
    key = hashlib.blake2b(digest_size=16)
    for part in parts:
        key.update(part)
    return key.digest()


def scored(links: Sequence[Link], text_score: TextScore, language: str) -> list[Link]:
    """By what stands on the link and within 100 characters before and after it.

    >>> from sundog.model import Sides
    >>> from sundog.objectives.keyword import Keyword
    >>> around = Sides("From Bretagne:", "(the best of bretagne)")
    >>> link = Link("http://a.example/", "Far breton", around=around)
    >>> scored([link], Keyword(("bretagne",)).text_score, "")[0].score
    1.6931471805599454
    """
    texts = [f"{link.before} {link.anchor} {link.after}" for link in links]
    scores = [text_score(text, language) for text in texts]
    return [link._replace(score=score) if score else link for link, score in zip(links, scores, strict=True)]


def _listing_path(body: bytes, url: str, content_type: str) -> str:
    """How links of a sitemap or feed are found, in place of a tag path; empty if it is neither."""
    start = body[:START]
    if body.startswith(GZIP):
        with suppress(zlib.error):
            start = zlib.decompressobj(wbits=31).decompress(body[: 16 * START], START)
    root = LISTING(start)
    if root:
        return IN_FEED if root[1].lower() in (b"rss", b"feed") else IN_SITEMAP
    return IN_SITEMAP if "sitemap" in url and content_type.startswith("text/plain") else ""


def _named_terms(statements: Iterable[tuple[str, ...]]) -> Iterator[bytes]:
    """Two documents of RDF with the same bytes may speak of different things: of what their own URLs name."""
    for statement in statements:
        named = [term for term in statement if not term.startswith("_:")]
        yield "\n".join(named).encode("utf-8", "replace")


def _read_listing(body: bytes, url: str, path: str) -> Reading:
    listing = read_listing(body, url)
    links = [Link(sitemap, tag_path=OF_SITEMAPS) for sitemap in listing.sitemaps]
    links += [Link(page, tag_path=path) for page in listing.pages]
    faults = [("listing", listing.fault)] if listing.fault else []
    return Reading({}, {}, (), faults, links, content_key([body]), dates=dict(listing.dates))


def _language(found: Extraction) -> str:
    if found.page is None:
        return ""
    return next((attrs["lang"].strip() for attrs in found.page.document.attributes("html") if "lang" in attrs), "")


def _text(found: Extraction) -> str:
    return " ".join(found.page.document.shown_text().split()) if found.page is not None else ""
