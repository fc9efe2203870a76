"""A search form over a hidden database: its nodes are keywords, and a query is worth the records that are new."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from sundog.engines.live.graph.answers import WrongAnswerError
from sundog.engines.live.graph.asking import Asking, Undone
from sundog.engines.live.graph.records import Record, results_of
from sundog.engines.live.graph.words import Vocabulary
from sundog.engines.live.intake import Arrival
from sundog.fetch.robots import origin_of
from sundog.fetch.values import Extras, Page, Trouble, trouble
from sundog.model import Fetched, Link, Step
from sundog.spec.form import Form
from sundog.store import CrawlStore, PageRecord

FAULTS = 20  # kept of one query


@dataclass
class QueryVisit:
    """What one keyword has brought, each record once."""

    keyword: str
    records: dict[str, Record] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)
    pages: int = 0
    status: int = 0
    content_type: str = ""
    size: int = 0
    seconds: float = 0.0


class FormWorld:
    """``store`` knows which records there were before."""

    requests = None  # the budget is of queries
    needed = math.inf

    def __init__(self, form: Form, asking: Asking, store: CrawlStore, max_depth: float) -> None:
        self._form, self._asking, self._store, self._max_depth = form, asking, store, max_depth
        self._vocabulary = Vocabulary(min_length=form.min_length, max_share=form.max_share)
        for record in store.answers():
            self._vocabulary.learn(record["text"])

    @property
    def waiting(self) -> int:
        return self._asking.waiting

    def offers(self, origin: str, now: float) -> Sequence[Link]:
        return ()

    async def visit(self, url: str, candidate: int) -> QueryVisit | Trouble | None:
        keyword = self._form.node_of(url)
        if keyword is None:
            return trouble("bad-url", "no query of this form", was_asked=False)
        target, extras = self._request(keyword, self._form.first_page)
        page = await self._asking.first(url, target, extras)
        if isinstance(page, Undone):
            return None
        if isinstance(page, Trouble):
            return page
        visit = QueryVisit(keyword, status=page.status, content_type=page.content_type[:200])
        try:
            await self._walk(visit, page, {target} if extras.form is None else set())
        except WrongAnswerError as error:
            if not visit.pages:
                return trouble("other", str(error))
            visit.faults.append(("form", str(error)))
        return visit

    async def _walk(self, visit: QueryVisit, page: Page, known: set[str]) -> None:
        """Page after page, while there are records that this query has not brought yet."""
        while True:
            visit.size += len(page.body)
            visit.seconds += page.finished_at - page.asked_at
            results = results_of(page, self._form)
            visit.pages += 1
            new = {record.id: record for record in results.records if record.id not in visit.records}
            visit.records |= new
            following = self._following(visit, results.next, known) if new else None
            if following is None:
                return
            result = await self._asking.further(*following)
            if isinstance(result, str):
                visit.faults.append(("form", result))
                return
            page = result

    def _following(self, visit: QueryVisit, url: str | None, known: set[str]) -> tuple[str, Extras] | None:
        if visit.pages >= self._form.max_pages:
            return None
        if self._form.page_field:
            return self._request(visit.keyword, self._form.first_page + visit.pages)
        if url is None or url in known or origin_of(url) != origin_of(self._form.action):
            return None
        known.add(url)
        return url, Extras()

    def _request(self, keyword: str, page: int) -> tuple[str, Extras]:
        """The first page of a GET is the keyword's own URL."""
        entries = self._form.entries(keyword, page if page != self._form.first_page else None)
        if self._form.method == "get":
            return self._form.with_query(entries), Extras()
        return self._form.action, Extras(form=urlencode(entries).encode())

    # -- taking in -----------------------------------------------------------------------------------

    def is_at_hand(self, url: str) -> bool:
        return False

    def settled(self, candidate: int, arrival: Arrival, step: Step) -> str:
        return ""

    def take_in(self, url: str, visit: QueryVisit, depth: int, candidate: int) -> Arrival:
        keys = {_key(record): record for record in visit.records.values()}
        new = {key: record for key, record in keys.items() if self._store.seen_content(key) is None}
        for record in new.values():
            self._vocabulary.learn(record.text)
        kept = PageRecord(
            status=visit.status,
            content_type=visit.content_type,
            size=visit.size,
            seconds=visit.seconds,
            names=list(new),
            faults=visit.faults[:FAULTS],
        )
        answers = [{"id": each.id, "text": each.text, "keyword": visit.keyword} for each in new.values()]
        links = self._links(url, visit) if depth < self._max_depth else []
        return Arrival(Fetched(float(len(new)), links), kept, answers=answers)

    def _links(self, here: str, visit: QueryVisit) -> list[Link]:
        """A link for each keyword in the records, new or not, with the number of its occurrences."""
        words = self._vocabulary.keywords(record.text for record in visit.records.values())
        urls = {self._form.node_url(word): (word, count) for word, count in words}
        return [
            Link(url, anchor=word, score=float(count))
            for url, (word, count) in urls.items()
            if url and url != here
        ]


def _key(record: Record) -> bytes:
    return hashlib.blake2b(f"record {record.id}".encode("utf-8", "replace"), digest_size=16).digest()
