"""What a visit has brought, compared with what the page said before.

A page has changed if its statements have, the items of patterns, or its text where the objective looks at that.
It is gone if the server says so (410), if it has moved for good to another page that is known (301, 308), or if in
three visits in a row it was not found (404) or led to such a page for a time (302, 303, 307). Where a redirect
leads to a host of another shard, that is a page of its own. A host that does not answer, an error, a challenge or
a login change nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from sundog.engines.live.worlds.world import Observation
from sundog.fetch.values import REDIRECT_ELSEWHERE, TEMPORARY
from sundog.model import Failed, Fetched, Refused
from sundog.store import CrawlStore, PageRecord, VisitResult
from sundog.store.buffer import as_json
from sundog.store.database import GONE
from sundog.store.statements import ntriples
from sundog.store.versions import (
    Version,
    items_of,
    latest_version,
    same_statements,
    times_missing,
    validators_of,
)

NOT_MODIFIED = 304
MOST_MISSES = 3


class Compared(NamedTuple):
    """What became of the page, and why. ``record`` is what is kept of the visit."""

    result: VisitResult
    reason: str
    record: PageRecord
    reward_before: float = 0.0


def compare(store: CrawlStore, candidate: int, observation: Observation) -> Compared:
    record, before = observation.record, latest_version(store, candidate)
    match observation.outcome:
        case Refused(reason):
            return Compared("refused", reason, record)
        case Failed(reason):
            gone = before.is_there and _is_gone(store, candidate, record)
            if gone:
                return Compared("gone", reason, _of_gone(record))
            return Compared("failed", reason, record)
        case Fetched():
            if record.status == NOT_MODIFIED:
                return Compared("unchanged", "", record._replace(validators=None))
            known = validators_of(store, candidate)
            new = record._replace(validators=record.validators if record.validators != known else None)
            if _is_same(store, candidate, before, observation):
                return Compared("unchanged", "", new)
            return Compared("changed", "", new, before.reward)


def _is_gone(store: CrawlStore, candidate: int, record: PageRecord) -> bool:
    is_elsewhere = record.duplicate_of is not None or record.trouble == REDIRECT_ELSEWHERE
    if record.status == 410 or (is_elsewhere and record.status not in TEMPORARY):
        return True
    is_missing = is_elsewhere or record.status == 404
    return is_missing and times_missing(store, candidate, MOST_MISSES - 1) == MOST_MISSES - 1


def _of_gone(record: PageRecord) -> PageRecord:
    return record._replace(trouble=GONE, counts={}, types=(), faults=(), validators=None)


def _is_same(store: CrawlStore, candidate: int, before: Version, observation: Observation) -> bool:
    record = observation.record
    if not before.is_there:
        return False
    if record.content_hash is not None and record.content_hash == before.content_hash:
        return True
    texts = {name: ntriples(candidate, found) for name, found in (observation.statements or {}).items()}
    if not same_statements(dict(store.statements_of(before.step, before.step)), texts):
        return False
    items = observation.findings.items if observation.findings else {}
    if as_json(items_of(store, before.step)) != as_json({name: found for name, found in items.items() if found}):
        return False
    text_hash = record.validators.text_hash if record.validators else b""
    return not text_hash or text_hash == validators_of(store, candidate).text_hash
