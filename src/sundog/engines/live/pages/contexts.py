"""Remote contexts of JSON-LD, fetched as politely as pages and kept while the crawl runs.

A page is read with the contexts that its host has used before. If it asks for others, they are fetched and it is
read once more. A context that cannot be had is a fault of each page that asks for it, and is not asked for again.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from sundog.extract.remote_contexts import DEEPEST, ContextDocument
from sundog.fetch.link_headers import alternate_jsonld
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Extras, Limits, Page, Trouble
from sundog.urls.hosts import host_of, registered_domain
from sundog.urls.references import LinkResolver

# As JSON-LD 1.1 has it: any JSON may be a context, and servers that have several documents know which is meant.
ACCEPT = (
    'application/ld+json;profile="http://www.w3.org/ns/json-ld#context",application/ld+json;q=0.9,'
    "application/json;q=0.5,*/*;q=0.1"
)
LONGEST = 1_000_000  # bytes of a context
MOST_BYTES = 20_000_000  # of all contexts
MOST_CONTEXTS = 1_000  # that a crawl asks for
MOST_A_SITE = 20  # of them for the pages of one registered domain
MOST_A_PAGE = 20
SECONDS = 60.0  # for one of them, with the time that its host must rest
MOST_HOSTS = 10_000  # whose contexts are remembered
LONGEST_REMEMBERED = 300_000  # bytes
CONTEXT = Extras(accept=ACCEPT, cookies=False)

Contexts = Mapping[str, ContextDocument]


class Read(Protocol):
    """What was read of a page: a ``Reading``, or an ``Extraction``."""

    @property
    def missing_contexts(self) -> Sequence[str]: ...


R = TypeVar("R", bound=Read)


class FetchedContexts:
    """``on_fetch`` is called for each that is asked for."""

    def __init__(self, polite: PoliteFetcher, on_fetch: Callable[[], None] = lambda: None) -> None:
        self._polite, self._on_fetch = polite, on_fetch
        self._limits = replace(Limits(), max_bytes=LONGEST, total=SECONDS / 2, types=None)
        self._known: dict[str, ContextDocument] = {}
        self._asking: dict[str, asyncio.Task[ContextDocument]] = {}
        self._asked_for: Counter[str] = Counter()  # by the registered domain of the pages
        self._used_by: OrderedDict[str, Iterable[str]] = OrderedDict()  # by host
        self._bytes = 0

    async def read(self, url: str, read_with: Callable[[Contexts], Awaitable[R]]) -> R:
        """What a page says, with all contexts that it asks for and that can be had."""
        host = host_of(url)
        given = {name: self._known[name] for name in self._used_by.get(host, ()) if name in self._known}
        usual = len(given)
        reading = await read_with(given)
        for _ in range(DEEPEST):
            if not reading.missing_contexts:
                break
            most = MOST_A_PAGE - len(given) + usual
            given |= await self._fetched(reading.missing_contexts, most, registered_domain(host))
            reading = await read_with(given)
        if given:
            self._remember(host, given)
        return reading

    async def _fetched(self, urls: Iterable[str], most: int, site: str) -> Contexts:
        wanted = list(urls)
        found = await asyncio.gather(*(self._document(url, site) for url in wanted[: max(0, most)]))
        rest = [
            ContextDocument(url, fault=f"the page asks for more than {MOST_A_PAGE}")
            for url in wanted[len(found) :]
        ]
        return dict(zip(wanted, [*found, *rest], strict=True))

    async def _document(self, url: str, site: str) -> ContextDocument:
        if url in self._known:
            return self._known[url]
        if url not in self._asking:
            if len(self._known) + len(self._asking) >= MOST_CONTEXTS or self._bytes > MOST_BYTES:
                return ContextDocument(url, fault="the crawl has asked for too many")
            if self._asked_for[site] >= MOST_A_SITE:
                return ContextDocument(url, fault=f"the pages of {site} have asked for too many")
            self._asked_for[site] += 1
            self._asking[url] = asyncio.create_task(self._ask(url))
        return await asyncio.shield(self._asking[url])

    async def _ask(self, url: str) -> ContextDocument:
        try:
            async with asyncio.timeout(SECONDS):
                found = await self._load(url)
        except TimeoutError:
            found = ContextDocument(url, fault=f"it took more than {SECONDS:g} seconds")
        finally:
            self._asking.pop(url, None)
        self._known[url] = found
        self._bytes += len(found.body)
        return found

    async def _load(self, url: str) -> ContextDocument:
        """A page that is no JSON may name another document that is, in a Link header."""
        result = await self._get(url)
        if isinstance(result, Page) and not _is_json(result) and (other := alternate_jsonld(result.raw_headers)):
            result = await self._get(LinkResolver(result.url).resolve(other) or "")
        if isinstance(result, Trouble):
            return ContextDocument(url, fault=str(result))
        if result.truncated:
            return ContextDocument(url, fault=f"more than {LONGEST:,} bytes")
        return ContextDocument(result.url, result.body)

    async def _get(self, url: str) -> Page | Trouble:
        """Wherever it is: the scope is for pages, and a vocabulary is seldom at home where it is used."""
        self._on_fetch()
        return await self._polite.fetch(
            url, limits=self._limits, extras=CONTEXT, redirect_filter=lambda target, asked: None
        )

    def _remember(self, host: str, used: Contexts) -> None:
        """Not what is large: it would be handed to each reader with each page."""
        small = [url for url, document in used.items() if len(document.body) <= LONGEST_REMEMBERED]
        self._used_by[host] = small[-MOST_A_PAGE:]
        self._used_by.move_to_end(host)
        while len(self._used_by) > MOST_HOSTS:
            self._used_by.popitem(last=False)


def _is_json(page: Page) -> bool:
    return page.media_type.endswith(("/json", "+json"))
