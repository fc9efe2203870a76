"""A search form over a hidden database: nodes are keywords, worth the records that are new."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

import orjson

from sundog.engines.live.pages.reading import content_key
from sundog.engines.live.worlds.context import WorldContext
from sundog.engines.live.worlds.counted_requests import NodeRequests, NotAsked
from sundog.engines.live.worlds.json_answers import (
    WrongAnswerError,
    absolute_url,
    id_in,
    json_of,
    next_link,
    search_answer,
    texts_in,
)
from sundog.engines.live.worlds.nodes import NodeVisit, NodeWorld
from sundog.engines.live.worlds.world import Observation
from sundog.extract.dom import parse_html
from sundog.extract.media import charset_of
from sundog.fetch.values import Extras, Page, Trouble, trouble
from sundog.model import Fetched, Link
from sundog.spec.form import LONGEST_KEYWORD, Form, split_place
from sundog.store import CrawlStore
from sundog.urls.hosts import origin_of

SORTED = orjson.OPT_SORT_KEYS
MOST_RECORDS = 10_000  # of one page
LONGEST_TEXT = 100_000
WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w'’-]*[^\W_])?")  # begins with a letter
ENOUGH = 50  # records, before a word can be known to be in most of them
MOST_WORDS = 1_000  # of one query's records, the most frequent ones
MOST_KNOWN = 1_000_000  # words whose frequency is remembered


def open_world(context: WorldContext) -> FormWorld:
    return FormWorld(context.spec.form, context.node_requests(), context.store, context.max_depth)


class FormWorld(NodeWorld):
    """``store`` knows which records there were before."""

    def __init__(self, form: Form, node_requests: NodeRequests, store: CrawlStore, max_depth: float) -> None:
        super().__init__(node_requests, max_depth)
        self._form, self._store = form, store
        self._vocabulary = Vocabulary(min_length=form.min_length, max_share=form.max_share)
        for record in store.answers():
            self._vocabulary.learn(record["text"])

    async def visit(self, url: str, candidate: int) -> QueryVisit | Trouble | None:
        keyword = self._form.node_of(url)
        if keyword is None:
            return trouble("bad-url", "no query of this form", was_asked=False)
        target, extras = self._request(keyword, self._form.first_page)
        page = await self._node_requests.first(url, target, extras)
        if isinstance(page, NotAsked):
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
            visit.add(page)
            results = results_of(page, self._form)
            visit.pages += 1
            new = {record.id: record for record in results.records if record.id not in visit.records}
            visit.records |= new
            following = self._following(visit, results.next, known) if new else None
            if following is None:
                return
            result = await self._node_requests.further(*following)
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

    def observe(self, url: str, visit: QueryVisit, depth: int, candidate: int) -> Observation:
        keys = {_key(record): record for record in visit.records.values()}
        new = {key: record for key, record in keys.items() if self._store.seen_content(key) is None}
        for record in new.values():
            self._vocabulary.learn(record.text)
        answers = [{"id": each.id, "text": each.text, "keyword": visit.keyword} for each in new.values()]
        links = self._links(url, visit) if depth < self._max_depth else []
        return Observation(Fetched(float(len(new)), links), visit.record(other_keys=list(new)), answers=answers)

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
    return content_key([f"record {record.id}".encode("utf-8", "replace")])


@dataclass
class QueryVisit(NodeVisit):
    """What one keyword has brought, each record once."""

    keyword: str
    records: dict[str, Record] = field(default_factory=dict)


class Record(NamedTuple):
    id: str
    text: str


class Results(NamedTuple):
    """``next`` is the URL of the next page, if there is one."""

    records: list[Record]
    next: str | None = None


def results_of(page: Page, form: Form) -> Results:
    """Raises WrongAnswerError."""
    return _from_json(page, form) if form.format == "json" else _from_html(page, form)


def _from_json(page: Page, form: Form) -> Results:
    answer = json_of(page)
    values = search_answer(form.records, answer)
    values = values if isinstance(values, list) else [] if values is None else [values]
    records = []
    for value in values[:MOST_RECORDS]:
        text = " ".join(texts_in(search_answer(form.text, value) if form.text else value))[:LONGEST_TEXT]
        name = id_in(search_answer(form.id, value)) if form.id else _digest(orjson.dumps(value, option=SORTED))
        if name:
            records.append(Record(name, text))
    following = id_in(search_answer(form.next, answer)) if form.next else ""
    return Results(records, absolute_url(page.url, following) if following else next_link(page))


def _from_html(page: Page, form: Form) -> Results:
    if page.truncated:
        raise WrongAnswerError(f"the page has more than {len(page.body):,} bytes")
    tree = parse_html(page.body, encoding=charset_of(page.content_type)).parsed
    records = []
    for node in tree.select(form.records)[:MOST_RECORDS]:
        text = " ".join(_text(node.select_one(form.text) if form.text else node).split())[:LONGEST_TEXT]
        name = _name(node, form.id, page.url) if form.id else _digest(text.encode("utf-8", "replace"))
        if name:
            records.append(Record(name, text))
    more = tree.select_one(form.next) if form.next else None
    reference = (more.attr("href") or "") if more is not None else ""
    return Results(records, absolute_url(page.url, reference) if reference else None)


def _name(node: Any, place: str, base: str) -> str:
    """Addresses are made absolute, for a record may be linked by several relative URLs."""
    selector, attribute = split_place(place)
    element = node.select_one(selector) if selector else node
    if element is None:
        return ""
    if not attribute:
        return " ".join(_text(element).split())
    value = str(element.attr(attribute) or "").strip()
    return (absolute_url(base, value) or value) if attribute in ("href", "src") and value else value


def _text(node: Any) -> str:
    return "" if node is None else str(node.text)


def _digest(data: bytes) -> str:
    return content_key([data]).hex()


def words_of(text: str) -> list[str]:
    """
    >>> words_of("L'été à Far-Breton, 2nd ed. (1999)")
    ["l'été", 'à', 'far-breton', 'ed']
    """
    return WORD.findall(unicodedata.normalize("NFC", text).casefold())


class Vocabulary:
    """In how many records each word was. Of a record seen again nothing is learned."""

    def __init__(self, *, min_length: int, max_share: float) -> None:
        self._min_length, self._max_share = min_length, max_share
        self._records = 0
        self._in_records: Counter[str] = Counter()

    def learn(self, text: str) -> None:
        """A new record."""
        self._records += 1
        for word in set(words_of(text)):
            if word in self._in_records or len(self._in_records) < MOST_KNOWN:
                self._in_records[word] += 1

    def keywords(self, texts: Iterable[str]) -> list[tuple[str, int]]:
        """The words of some records that are worth a query, with the number of their occurrences."""
        counts = Counter(word for text in texts for word in words_of(text))
        worth = [(word, count) for word, count in counts.items() if self._is_worth_it(word)]
        return sorted(worth, key=lambda item: (-item[1], item[0]))[:MOST_WORDS]

    def _is_worth_it(self, word: str) -> bool:
        if not self._min_length <= len(word) <= LONGEST_KEYWORD:
            return False
        return self._records < ENOUGH or self._in_records[word] <= self._max_share * self._records
