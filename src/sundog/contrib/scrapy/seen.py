"""Which requests were asked for already: as Scrapy's own filter has it, in the file that has the requests too.

Scrapy writes its filter and its queues apart from each other; a kill between the two loses a request. A filter of
the project's own (``DUPEFILTER_CLASS``) is asked instead, and keeps what it keeps.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter, RFPDupeFilter
from scrapy.utils.misc import build_from_crawler, load_object

from sundog.contrib.job import Job
from sundog.contrib.scrapy.pages import OpenPage

MADE = b"made "
BY_START = ""  # in place of a page's name


class SeenRequests:
    def __init__(self, crawler: Crawler, job: Job | None) -> None:
        self._crawler = crawler
        self.custom = _custom_filter(crawler)
        self._default = RFPDupeFilter(
            debug=crawler.settings.getbool("DUPEFILTER_DEBUG"), fingerprinter=crawler.request_fingerprinter
        )
        self._seen = set(job.seen()) if job else set()
        self._made_before = {each for each in self._seen if each.startswith(MADE)}  # by earlier runs
        self._unfiltered_starts: Counter[bytes] = Counter()

    def fingerprint(self, request: Request) -> bytes:
        assert self._crawler.request_fingerprinter is not None
        return self._crawler.request_fingerprinter.fingerprint(request)

    def is_new(self, request: Request, fingerprint: bytes) -> bool:
        """It is not from now on."""
        if self.custom:
            return not self.custom.request_seen(request)
        if fingerprint in self._seen:
            return False
        self._seen.add(fingerprint)
        return True

    def admit(self, request: Request, page: OpenPage | None) -> list[bytes] | None:
        """What a request is known by when the job goes on; None if it is not new. ``page`` has led to it."""
        fingerprint = self.fingerprint(request)
        if not request.dont_filter:
            return [fingerprint] if self.is_new(request, fingerprint) else None
        if page is not None:
            mark = _mark(page.lease.name, page.unfiltered, fingerprint)
        elif request.meta.get("is_start_request"):
            mark = _mark(BY_START, self._unfiltered_starts, fingerprint)
        else:
            return []
        return None if mark in self._made_before else [mark]

    def log(self, request: Request, spider: Spider) -> None:
        """That it is filtered."""
        (self.custom or self._default).log(request, spider)


def _mark(maker: str, made: Counter[bytes], fingerprint: bytes) -> bytes:
    """Of a request that is not filtered: the nth such one of its maker.

    start() runs again when a job goes on, and so do the callbacks of pages that were in flight at a kill.
    """
    made[fingerprint] += 1
    text = f"{made[fingerprint]} {maker} ".encode("utf-8", "replace")
    return MADE + blake2b(text + fingerprint, digest_size=16).digest()


def _custom_filter(crawler: Crawler) -> BaseDupeFilter | None:
    chosen = load_object(crawler.settings["DUPEFILTER_CLASS"])
    return None if chosen is RFPDupeFilter else build_from_crawler(chosen, crawler)
