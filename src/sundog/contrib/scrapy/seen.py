"""Which requests were asked for already: as Scrapy's own filter has it, in the file that has the requests too.

Scrapy writes its filter and its queues apart from each other; a kill between the two loses a request. A filter of
the project's own (``DUPEFILTER_CLASS``) is asked instead, and keeps what it keeps.
"""

from __future__ import annotations

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter, RFPDupeFilter
from scrapy.utils.misc import build_from_crawler, load_object

from sundog.contrib.job import Job

START = b"start "


class SeenRequests:
    def __init__(self, crawler: Crawler, job: Job | None) -> None:
        self._crawler = crawler
        self.custom = _custom_filter(crawler)
        self._default = RFPDupeFilter(
            debug=crawler.settings.getbool("DUPEFILTER_DEBUG"), fingerprinter=crawler.request_fingerprinter
        )
        self._seen = set(job.seen()) if job else set()
        self._starts = {each for each in self._seen if each.startswith(START)}  # of earlier runs

    def fingerprint(self, request: Request) -> bytes:
        assert self._crawler.request_fingerprinter is not None
        return self._crawler.request_fingerprinter.fingerprint(request)

    def is_new(self, request: Request, fingerprint: bytes) -> bool:
        """It is not from now on, as long as this process lives; ``keep`` makes it last."""
        if self.custom:
            return not self.custom.request_seen(request)
        if fingerprint in self._seen:
            return False
        self._seen.add(fingerprint)
        return True

    def is_repeated_start(self, request: Request) -> bool:
        """A job that is resumed begins with start() again, whose requests are not filtered."""
        return bool(request.meta.get("is_start_request")) and START + self.fingerprint(request) in self._starts

    def to_keep(self, request: Request) -> list[bytes]:
        """What the request is known by when the job goes on."""
        fingerprint = self.fingerprint(request)
        filtered = [] if request.dont_filter else [fingerprint]
        return [*filtered, START + fingerprint] if request.meta.get("is_start_request") else filtered

    def log(self, request: Request, spider: Spider) -> None:
        """That it is filtered."""
        (self.custom or self._default).log(request, spider)


def _custom_filter(crawler: Crawler) -> BaseDupeFilter | None:
    chosen = load_object(crawler.settings["DUPEFILTER_CLASS"])
    return None if chosen is RFPDupeFilter else build_from_crawler(chosen, crawler)
