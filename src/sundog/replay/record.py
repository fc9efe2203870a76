"""What the log of a crawl says of its pages, as another policy would need it: who was asked, and what came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from sundog.errors import SundogError
from sundog.frontier.catalog import Catalog
from sundog.model import Decision, LinkBatch
from sundog.replay.log import filled_catalog, replay
from sundog.session import CrawlSession
from sundog.spec.crawl import as_text, read_leniently
from sundog.store import CrawlReader, Decided, Observed, Received, Seeded

JUDGE = "sundog"  # whose probabilities of relevance are taken
NOT_ASKED, CAME, FAILED, REFUSED = range(4)
KINDS = {"fetched": CAME, "failed": FAILED, "refused": REFUSED}
UNKNOWN = "unknown"  # the policy of a crawl whose spec is lost
LEFT = """SELECT 1 FROM urls u WHERE NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.candidate = u.id) LIMIT 1"""
RANDOM = 0.5  # an own choice has a higher propensity than this, a random page a lower one


class Settings(NamedTuple):
    """Of the crawl, as far as its spec can still be read."""

    policy: str
    parameters: Mapping[str, Any]
    seed: int
    budget: int
    explores: bool  # it has drawn random pages

    @classmethod
    def of(cls, reader: CrawlReader) -> Settings:
        try:
            text = reader.spec_text
        except SundogError:
            text = ""
        spec = read_leniently(text)
        parameters = {name: as_text(value) for name, value in spec["parameters"].items()}
        policy = spec["policy"] if text else UNKNOWN
        return cls(policy, parameters, spec["seed"], spec["budget"], spec["explore"].log > 0)


class Fetch(NamedTuple):
    """One fetch in the order of the crawl. ``expected``: the judge's probability, before it was made. ``alone``:
    one by the number of pages that were known of its host, if nobody had asked for any of them; else 0."""

    page: int
    relevant: bool
    expected: float
    is_random: bool
    propensity: float
    is_left: bool  # a random page of a host that had been asked: the crawl had chosen others of it
    alone: float


@dataclass
class Record:
    """``offers``: pages that no link of this crawl brought, each with the number of fetches before it."""

    catalog: Catalog
    kind: Any  # of each page: NOT_ASKED …
    relevant: Any
    links: dict[int, LinkBatch] = field(default_factory=dict)
    offers: list[tuple[int, Any]] = field(default_factory=list)
    fetches: list[Fetch] = field(default_factory=list)
    chances: Any = None  # the judge's, of all pages that wait at the end; nan of the others

    def note(self, event: Observed) -> None:
        """What became of a page."""
        self.kind[event.candidate] = KINDS[event.kind]
        if event.kind == "fetched":
            self.links[event.candidate] = event.links
            self.relevant[event.candidate] = event.reward > 0

    @property
    def found(self) -> int:
        """Relevant pages."""
        return sum(fetch.relevant for fetch in self.fetches)

    @property
    def random_fetches(self) -> list[Fetch]:
        return [fetch for fetch in self.fetches if fetch.is_random]


def session_like(settings: Settings, catalog: Catalog, policy: str, budget: int) -> CrawlSession:
    """A session of another policy, with the parameters that it has by default; it draws no random pages."""
    parameters = settings.parameters if policy == settings.policy else {}
    return CrawlSession(policy=policy, budget=budget, seed=settings.seed, source=catalog, **parameters)


def complete_record(reader: CrawlReader) -> Record | None:
    """Of a crawl that has asked for every page that it knows of: no policy would ask for another one. So nothing
    has to be guessed, and no judge has to learn. None: it has left pages."""
    if reader.connection.execute(LEFT).fetchone():
        return None
    record = _new_record(filled_catalog(reader))
    for event in reader.replay(plain_choices=False):
        if isinstance(event, Observed):
            record.note(event)
            if event.kind != "refused":
                relevant = bool(record.relevant[event.candidate])
                record.fetches.append(Fetch(event.candidate, relevant, np.nan, False, np.nan, False, 0.0))
        elif isinstance(event, Seeded):
            record.offers.append((len(record.fetches), event.candidates))
        elif isinstance(event, Received):
            record.offers.append((len(record.fetches), event.links.targets))
    return record if bool((record.kind != NOT_ASKED).all()) else None


def _new_record(catalog: Catalog) -> Record:
    return Record(catalog, np.zeros(catalog.size, np.int8), np.zeros(catalog.size, bool))


def read_record(reader: CrawlReader, settings: Settings) -> Record:
    """Read the log once, and let the judge learn from it as if the choices had been its own."""
    catalog = filled_catalog(reader)
    record = _new_record(catalog)
    judge = session_like(settings._replace(parameters={}), catalog, JUDGE, settings.budget)
    expected: dict[int, tuple[float, float, float]] = {}
    asked: set[int] = set()  # hosts
    is_known, pages_of = np.zeros(catalog.size, bool), np.zeros(catalog.hosts, np.int64)

    def decide(session: CrawlSession, event: Decided) -> Decision:
        (chance,) = session.chooser.chances(np.array([event.candidate], np.int32)).tolist()
        host = int(catalog.facts.host[event.candidate])
        alone = 0.0 if host in asked else 1.0 / max(1, int(pages_of[host]))
        expected[event.candidate] = chance, event.propensity, alone
        return session.lease(event.candidate)

    def found(pages: Any) -> None:
        new = pages[~is_known[pages]]
        if not len(new):
            return
        new = np.unique(new)
        is_known[new] = True
        np.add.at(pages_of, catalog.facts.host[new], 1)

    def observed(event: Observed) -> None:
        page = event.candidate
        record.note(event)
        if event.kind == "fetched":
            found(event.links.targets)
        if event.kind != "refused":
            chance, propensity, alone = expected.pop(page, (np.nan, np.nan, 0.0))
            is_random, host = settings.explores and propensity < RANDOM, int(catalog.facts.host[page])
            is_left = is_random and host in asked
            asked.add(host)
            is_relevant = bool(record.relevant[page])
            record.fetches.append(Fetch(page, is_relevant, chance, is_random, propensity, is_left, alone))

    def offered(pages: Any) -> None:
        record.offers.append((len(record.fetches), pages))
        found(pages)

    replay(reader, judge, observed, decide=decide, offered=offered)
    waiting = np.flatnonzero([judge.is_waiting(page) for page in range(catalog.size)]).astype(np.int32)
    record.chances = np.full(catalog.size, np.nan)
    if len(waiting):
        record.chances[waiting] = judge.chooser.chances(waiting)
    return record
