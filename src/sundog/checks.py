"""What every plug-in must fulfil: run these over yours in a test. Each raises AssertionError.

``check_policy(MyPolicy)``, ``check_objective(parse_objective("my:word"), pages)``, ``check_extractor(MY_EXTRACTOR,
pages)`` and ``check_export(MY_FORMAT)``.
"""

from __future__ import annotations

import math
import pickle
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from sundog.extract.dom import parse_html
from sundog.extract.guards import TimeBox
from sundog.extract.output import Statements, room_of
from sundog.extract.page import HtmlPage
from sundog.extract.registry import Extractor
from sundog.model import Decision, Failed, Fetched, Link
from sundog.objectives.checks import check_objective
from sundog.policies.objects.policy import policy_of
from sundog.policies.objects.values import Candidate, PageOutcome, PolicyObject
from sundog.rdf.terms import TYPE
from sundog.session import CrawlSession
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Seeded
from sundog.store.formats.format import Format, write_export

__all__ = ["check_export", "check_extractor", "check_objective", "check_policy"]

NAME = "<http://schema.org/name>"
HOSTS, PAGES, KINDS = 4, 30, ("item", "tag", "about")
PLACES = [(host, kind, page) for host in range(HOSTS) for kind in KINDS for page in range(PAGES)]


def check_policy(make: Callable[..., PolicyObject]) -> None:
    """``make`` is the class, or what else makes a new object with ``scores`` and ``learn``."""
    policy = policy_of(make)
    _check_scores(make())
    first, second = (_crawl(make) for _ in range(2))
    assert first == second, "the same seed gives the same crawl"
    assert len(first) == len(set(first)) == len(PLACES), "every page is chosen once"
    assert policy.summary, "its class has a docstring, whose first line `sundog policies` shows"


def _check_scores(policy: PolicyObject) -> None:
    candidates = [Candidate(_url(*place), f"h{place[0]}.example", f"{place[1]} {place[2]}") for place in PLACES]
    for outcomes in (0, 10):
        for candidate in candidates[:outcomes]:
            policy.learn(PageOutcome(candidate, float("item" in candidate.url)))
        scores = [float(score) for score in policy.scores(candidates)]
        assert len(scores) == len(candidates), "there is one score for each candidate"
        assert all(map(math.isfinite, scores)), "scores are finite numbers"
        assert list(policy.scores(candidates)) == scores, "asking for scores changes nothing"
        assert len(policy.scores(candidates[:1])) == 1
        copy = pickle.loads(pickle.dumps(policy))
        assert list(copy.scores(candidates)) == scores, "it can be pickled, as sessions that are saved are"


def _url(host: int, kind: str, page: int) -> str:
    return f"http://h{host}.example/{kind}/{page}"


def _links(place: tuple[int, str, int]) -> list[Link]:
    """To two pages of the same kind, one of another kind and one of another host: all can be reached."""
    host, kind, page = place
    other = KINDS[(KINDS.index(kind) + 1) % len(KINDS)]
    targets = [(host, kind, (page + 1) % PAGES), (host, kind, (page + 7) % PAGES), (host, other, page)]
    targets.append(((host + 1) % HOSTS, kind, page))
    return [Link(_url(*target), anchor=f"{target[1]} {target[2]}", tag_path="ul li a") for target in targets]


def _crawl(make: Callable[..., PolicyObject]) -> list[str]:
    places = {_url(*place): place for place in PLACES}
    session = CrawlSession(policy=policy_of(make), budget=10 * len(PLACES), seed=1)
    session.add([_url(*PLACES[0])])
    chosen: list[str] = []
    while isinstance(decision := session.next_decision(), Decision):
        url = decision.url
        if len(chosen) % 10 == 5:  # a lease may be given back, and the page is chosen again at some time
            session.give_back(decision)
            decision = session.next_decision()
            assert isinstance(decision, Decision)
            url = decision.url
        place = places[url]
        fails = place[2] == 3 and place[1] == "about"  # nothing is found there that is not found elsewhere
        outcome = Failed("not there") if fails else Fetched(float(place[1] == "item"), _links(place))
        session.observe(decision, outcome)
        chosen.append(url)
    return chosen


def check_extractor(extractor: Extractor, pages: Iterable[bytes]) -> None:
    """At least one of the pages should have what it reads; a broken one and an empty one are added."""
    found = [_extracted(extractor, page) for page in pages]
    assert any(found), "some page has statements"
    for page in (b"", b"<", b"<meta", b"\xff\xfe\x00<p>" * 20):
        _extracted(extractor, page)


def _extracted(extractor: Extractor, body: bytes) -> list[Any]:
    first: list[Any] = []
    second: list[Any] = []
    for out in (first, second):
        page = HtmlPage(parse_html(body), "http://a.example/page")
        found = Statements(room_of(len(body)))
        if not extractor.selector or page.document.has(extractor.selector):
            extractor.read(page, TimeBox(10.0), found, lambda _: None)
        out += found
        page.document.release()
    assert first == second, "the same page gives the same statements"
    for statement in first:
        assert len(statement) in (3, 4), "a statement has three terms, or four"
        assert all(isinstance(term, str) and term for term in statement), "terms are texts, as N-Quads has them"
    return first


def check_export(format: Format, crawl: Path | str | None = None) -> None:
    """``crawl``: the directory of one; a small one is made if none is named."""
    with tempfile.TemporaryDirectory() as folder:
        directory = _small_crawl(Path(folder) / "crawl") if crawl is None else Path(crawl)
        written = [write_export(format, directory, Path(folder) / str(number)) for number in range(2)]
        for each in written:
            assert each.is_dir() == format.is_folder, "a format with parts is a folder, others are a file"
        if not format.is_folder:
            assert written[0].read_bytes() == written[1].read_bytes(), "the same crawl gives the same file"


def _small_crawl(directory: Path) -> Path:
    """Three pages, two of which have a product."""
    urls = [_url(0, "item", page) for page in range(3)]
    with CrawlStore.create(directory, spec_text=f'seeds = ["{urls[0]}"]\nbudget = 3\n') as store:
        store.append(Seeded(np.arange(3, dtype=np.int32)), urls=urls)
        for page in range(3):
            store.append(Decided(page, 100.0 + page, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 1.0))
            product = [("_:p", TYPE, "<http://schema.org/Product>"), ("_:p", NAME, f'"Kettle {page}"')]
            statements = {"jsonld": product} if page else {}
            counts = {name: len(said) for name, said in statements.items()}
            record = PageRecord(status=200, counts=counts, content_hash=bytes([page]))
            outcome = Observed(page, 101.0 + page, "fetched", float(page > 0), record=record)
            store.append(outcome, statements=statements)
        store.commit()
    return directory
