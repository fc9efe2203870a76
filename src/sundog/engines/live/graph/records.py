"""The records on a page of results, in HTML by CSS selectors or in JSON by JMESPath."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import orjson

from sundog.engines.live.graph.answers import WrongAnswerError, found, id_in, json_of, texts_in
from sundog.engines.live.graph.paging import joined, next_link
from sundog.extract.dom import parse_html
from sundog.extract.media import charset_of
from sundog.fetch.values import Page
from sundog.spec.form import Form, split_place

SORTED = orjson.OPT_SORT_KEYS
MOST_RECORDS = 10_000  # of one page
LONGEST_TEXT = 100_000


class Record(NamedTuple):
    id: str
    text: str


class Results(NamedTuple):
    """``next`` is the URL of more, or what the form's page field is to say."""

    records: list[Record]
    next: str | None = None


def results_of(page: Page, form: Form) -> Results:
    """Raises WrongAnswerError."""
    return _from_json(page, form) if form.format == "json" else _from_html(page, form)


def _from_json(page: Page, form: Form) -> Results:
    answer = json_of(page)
    values = found(form.records, answer)
    values = values if isinstance(values, list) else [] if values is None else [values]
    records = []
    for value in values[:MOST_RECORDS]:
        text = " ".join(texts_in(found(form.text, value) if form.text else value))[:LONGEST_TEXT]
        name = id_in(found(form.id, value)) if form.id else _digest(orjson.dumps(value, option=SORTED))
        if name:
            records.append(Record(name, text))
    following = id_in(found(form.next, answer)) if form.next else ""
    return Results(records, joined(page.url, following) if following else next_link(page))


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
    return Results(records, joined(page.url, reference) if reference else None)


def _name(node: Any, place: str, base: str) -> str:
    """Addresses are made absolute, for one record may be linked in several ways."""
    selector, attribute = split_place(place)
    element = node.select_one(selector) if selector else node
    if element is None:
        return ""
    if not attribute:
        return " ".join(_text(element).split())
    value = str(element.attr(attribute) or "").strip()
    return (joined(base, value) or value) if attribute in ("href", "src") and value else value


def _text(node: Any) -> str:
    return "" if node is None else str(node.text)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
