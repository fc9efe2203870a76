"""What happens in a crawl, as values: the calls made to a session, in their order. And as rows of ``log``.

Candidates and texts are named by the dense ids that the session's catalog gave them. Times are Unix
seconds of the engine's clock. Arrays of ids are int32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import orjson

from sundog.model import INTERNAL, Decision, Failed, Fetched, HeadResult, LinkBatch, Outcome, Refused

Kind = Literal["fetched", "failed", "refused"]
Triple = tuple[str, ...]  # N-Quads terms: subject, predicate, object; a fourth one, a graph, is not kept


def no_links() -> LinkBatch:
    nothing = np.empty(0, np.int32)
    return LinkBatch(nothing, nothing, nothing)


class Seeded(NamedTuple):
    """These candidates were offered as seeds."""

    candidates: Any


class Decided(NamedTuple):
    """This candidate was chosen. The numbers that say why are those of ``Decision``."""

    candidate: int
    now: float
    score: float
    estimate: float
    classifier_part: float
    host_part: float
    group_part: float
    exploration: float
    propensity: float

    @classmethod
    def of(cls, decision: Decision, now: float) -> Decided:
        return cls(decision.candidate, now, *decision[2:9])


DECISION_PARTS = tuple(name.removesuffix("_part") for name in Decided._fields[3:])  # behind the score, in ``data``


class Validators(NamedTuple):
    """By which a page is known to be as it was: what the server said for that, and a hash of its text where an
    objective looks at that."""

    etag: str = ""
    last_modified: str = ""
    text_hash: bytes = b""

    def __bool__(self) -> bool:
        return any(self)


class OwnHints(NamedTuple):
    """What a page says itself of when it changes: for how many seconds it may be kept (Cache-Control, Expires),
    and when it was last changed, by its header Last-Modified and by its markup."""

    fresh_for: float | None = None
    last_modified: float | None = None
    date_modified: float | None = None


class PageRecord(NamedTuple):
    """What is worth knowing of an attempt besides what the session learns from it."""

    status: int | None = None
    trouble: str | None = None  # the kind of failure, such as "timeout"
    final_url: str | None = None  # where redirects ended
    redirects: Sequence[str] = ()  # what redirects led to before that
    content_type: str | None = None
    size: int | None = None  # bytes of the body
    seconds: float | None = None  # from the request to the last byte
    content_hash: bytes | None = None
    other_keys: Sequence[bytes] = ()  # other keys by which the page is known from now on
    duplicate_of: int | None = None  # the candidate that had the same content before
    counts: Mapping[str, int] = {}  # statements by syntax
    types: Sequence[str] = ()
    faults: Sequence[tuple[str, str]] = ()  # (syntax, reason): what went wrong in the extraction
    validators: Validators | None = None  # None: nothing is known of them
    own_hints: OwnHints = OwnHints()

    @property
    def is_internal(self) -> bool:
        """Whether Sundog itself failed on it."""
        return self.trouble == INTERNAL or any(name == INTERNAL for name, _ in self.faults)


class PatternFindings(NamedTuple):
    """What patterns found on a page. ``followed``: the targets of link patterns, by candidate."""

    items: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    followed: Mapping[str, Sequence[int]] = {}
    stops: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.items or self.followed or self.stops)

    def with_targets(self, targets: Sequence[int]) -> PatternFindings:
        """Candidates in place of the places that they have among the page's links."""
        return self._replace(
            followed={name: [targets[place] for place in places] for name, places in self.followed.items()}
        )


class Observed(NamedTuple):
    """The outcome of a decision. ``record`` is None on replay: a session does not need it."""

    candidate: int
    now: float
    kind: Kind
    reward: float = 0.0
    reason: str = ""
    links: LinkBatch = no_links()
    record: PageRecord | None = None
    same_as: int | None = None  # of one that failed because it leads to what this candidate has brought
    near: float = 0.0  # of one that was fetched; logged as a ``NearMiss`` of its own, before this

    @property
    def outcome(self) -> Outcome:
        """What ``CrawlSession.observe`` takes."""
        if self.kind == "fetched":
            return Fetched(self.reward, self.links, self.near)
        return Failed(self.reason, self.same_as) if self.kind == "failed" else Refused(self.reason)


class NearMiss(NamedTuple):
    """The page that is observed next came so near, from 0 to 1."""

    candidate: int
    near: float


class Charged(NamedTuple):
    """What the fetch that was observed last has cost, in the unit of the budget, if that is not fetches."""

    candidate: int
    cost: float


class RenderChoice(NamedTuple):
    """Whether the page that is observed next was rendered besides, why, and what came of it.

    ``gain``: what it earned more than its plain version; None: it was not rendered, or that failed. ``cost``: of
    the budget.
    """

    candidate: int
    cost: float
    action: str  # render, check or plain
    why: str
    template: str = ""
    sign: str = ""
    plain_reward: float = 0.0
    gain: float | None = None
    price: float = 0.0
    seconds: float = 0.0
    cpu: float = 0.0
    requests: int = 0
    size: int = 0  # bytes that these brought
    refused: int = 0  # requests
    failure: str = ""


RENDER_PARTS = RenderChoice._fields[2:]  # in ``data``


class Rested(NamedTuple):
    """A host, by the session's id of it, was put to sleep."""

    host: int
    until: float


class Waited(NamedTuple):
    """Nothing could be chosen, but the session has changed in looking for it."""

    now: float


class GivenBack(NamedTuple):
    """A decision was undone."""

    candidate: int


class HeadAnswered(NamedTuple):
    """A decision was a HEAD request, and this is its result. The candidate waits again."""

    candidate: int
    now: float
    result: HeadResult


class Budgeted(NamedTuple):
    """The crawl goes on with another budget."""

    budget: int


class Received(NamedTuple):
    """Links to this shard's hosts came from another shard: all that it had found up to its step ``through``.

    ``depths`` are those of the candidates that are new with it, in the order of their ids; None on replay.
    """

    sender: int
    through: int
    links: LinkBatch
    depths: Sequence[int] | None = None


class Taught(NamedTuple):
    """What other shards have learned was taken in: a ``LearningDelta``, packed."""

    delta: bytes


class Prepared(NamedTuple):
    """What earlier crawls have learned, to begin with: a ``Prior``, packed."""

    prior: bytes


class ForeignLinks(NamedTuple):
    """Links of a page to hosts of other shards: ``new`` ones are sent there, those ``known`` were before."""

    new: LinkBatch
    known: LinkBatch


class RoundBegun(NamedTuple):
    """A round of revisits and new pages. ``age`` is how long the crawl has been going on by then: seconds that do
    not shrink when somebody sets the clock back. ``budget``: fetches of this round."""

    number: int
    now: float
    age: float
    budget: int


class Revisiting(NamedTuple):
    """A page that is known was chosen again: what a visit is worth, what the page is, its changes per second, and
    seconds since the last visit. ``said``: what a sitemap or feed said of it, ``changed`` or ``unchanged`` since
    then; empty if nothing. ``own``: what the page itself had said, as ``OwnHints`` has it: 1 changed, 0 unchanged,
    -1 nothing."""

    candidate: int
    now: float
    worth: float
    value: float
    rate: float
    since: float
    said: str = ""
    own: Sequence[int] = ()


VisitResult = Literal["unchanged", "changed", "gone", "failed", "refused"]


class Revisited(NamedTuple):
    """What became of that. Only ``changed`` and ``gone`` make a version of the page; ``links`` are all of its
    links then, and else those to pages that nobody knew. ``found`` counts the latter. What is ``refused`` was not
    asked."""

    candidate: int
    now: float
    age: float
    result: VisitResult
    reward: float = 0.0
    reason: str = ""
    links: LinkBatch = no_links()
    found: int = 0
    record: PageRecord | None = None

    @property
    def is_version(self) -> bool:
        return self.result in ("changed", "gone")


Event = (
    Seeded
    | Decided
    | NearMiss
    | RenderChoice
    | Observed
    | Charged
    | Rested
    | GivenBack
    | HeadAnswered
    | Waited
    | Budgeted
    | RoundBegun
    | Revisiting
    | Revisited
    | Received
    | Taught
    | Prepared
)
LogRow = tuple[str, int | None, float | None, float | None, str | bytes | None]  # event, subject, at, value, data


def clean(text: str) -> str:
    """Without halves of surrogate pairs, which no file can hold; the catalog replaces them in the same way."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def packed_ids(ids: Any) -> str:
    """As JSON, which SQL can take apart."""
    return orjson.dumps(np.ascontiguousarray(ids, np.int32), option=orjson.OPT_SERIALIZE_NUMPY).decode()


def unpacked_ids(text: str) -> Any:
    return np.array(orjson.loads(text), np.int32)


def packed_links(links: LinkBatch) -> str:
    """A triple a link: target, anchor, tag path; -1 for each text that is unknown. A fourth number is its score, a
    fifth one its group.

    >>> ids = np.array([7, 8], np.int32)
    >>> packed_links(LinkBatch(ids, ids[:0], ids))
    '[[7,-1,7],[8,-1,8]]'
    """
    triples = np.full((len(links.targets), 3), -1, np.int32)
    for place, ids in enumerate(links[:3]):
        if len(ids):
            triples[:, place] = ids
    if len(links.groups):
        return packed_ids(np.column_stack((triples, np.zeros(len(triples), np.int32), links.groups)))
    if not len(links.scores):
        return packed_ids(triples)
    rows = zip(triples.tolist(), np.asarray(links.scores).tolist(), strict=True)
    return orjson.dumps([[*triple, score] for triple, score in rows]).decode()


def unpacked_links(text: str) -> LinkBatch:
    """
    >>> unpacked_links("[[7,-1,7],[8,-1,8]]").anchors.tolist()
    [-1, -1]
    >>> unpacked_links("[[7,-1,7,0.5]]").scores.tolist()
    [0.5]
    >>> unpacked_links("[[7,-1,7,0,2]]").groups.tolist()
    [2]
    """
    if text == "[]":
        return no_links()
    commas = text.count(",", 0, text.index("]"))
    if commas == 4:  # whoever wants groups wants no scores
        fives = np.fromstring(text[2:-2].replace("],[", ","), np.int32, sep=",").reshape(-1, 5)
        targets, anchors, paths, _, groups = np.ascontiguousarray(fives.T)
        return LinkBatch(targets, anchors, paths, groups=groups)
    if commas == 3:
        rows = np.fromstring(text[2:-2].replace("],[", ","), np.float64, sep=",").reshape(-1, 4)
        targets, anchors, paths = np.ascontiguousarray(rows[:, :3].T.astype(np.int32))
        return LinkBatch(targets, anchors, paths, rows[:, 3].copy())
    triples = np.fromstring(text[2:-2].replace("],[", ","), np.int32, sep=",").reshape(-1, 3)
    return LinkBatch(*np.ascontiguousarray(triples.T))


def row_of(event: Event, decided: int = 0) -> LogRow:
    """``decided``: the step of the decision that a ``GivenBack`` or a ``HeadAnswered`` ends."""
    match event:
        case Observed():
            if event.kind == "fetched":
                return ("fetched", event.candidate, event.now, event.reward, packed_links(event.links))
            return (event.kind, event.candidate, event.now, None, clean(event.reason))
        case Decided():
            parts = orjson.dumps(event[3:]).decode()
            return ("decided", event.candidate, event.now, event.score, parts)
        case NearMiss():
            return ("near", event.candidate, None, event.near, None)
        case Charged():
            return ("charged", event.candidate, None, event.cost, None)
        case RenderChoice():
            return ("rendered", event.candidate, None, event.cost, orjson.dumps(event[2:]).decode())
        case Rested():
            return ("rested", event.host, event.until, None, None)
        case GivenBack():
            return ("given back", event.candidate, None, decided, None)
        case HeadAnswered():
            return ("looked", event.candidate, event.now, decided, orjson.dumps(tuple(event.result)).decode())
        case Waited():
            return ("waited", None, event.now, None, None)
        case Budgeted():
            return ("budgeted", None, None, event.budget, None)
        case RoundBegun():
            return ("round", event.number, event.now, event.age, orjson.dumps([event.budget]).decode())
        case Revisiting():
            return ("revisiting", event.candidate, event.now, event.worth, orjson.dumps(event[3:]).decode())
        case Revisited():
            reward = event.reward if event.result == "changed" else None
            links = None if event.result == "refused" else packed_links(event.links)
            return ("revisited", event.candidate, event.now, reward, links)
        case Received():
            return ("received", event.sender, None, event.through, packed_links(event.links))
        case Taught():
            return ("taught", None, None, None, event.delta)
        case Prepared():
            return ("prepared", None, None, None, event.prior)
        case Seeded():
            return ("seeded", None, None, None, packed_ids(event.candidates))


def _number(value: float | None) -> float:
    return np.nan if value is None else value  # neither SQLite nor JSON has a NaN


def _decided(subject: int, at: float, value: Any, data: str) -> Decided:
    parts = orjson.loads(data)
    if None in parts or value is None:
        value, parts = _number(value), map(_number, parts)
    return Decided(subject, at, value, *parts)


def _revisited(subject: int, at: float, value: Any, data: str | None) -> Revisited:
    """As a session needs it, which is told of links and of whether somebody was asked."""
    if data is None:
        return Revisited(subject, at, 0.0, "refused")
    result: VisitResult = "unchanged" if value is None else "changed"
    return Revisited(subject, at, 0.0, result, value or 0.0, links=unpacked_links(data))


READERS: dict[str, Callable[[Any, Any, Any, Any], Event]] = {
    "seeded": lambda subject, at, value, data: Seeded(unpacked_ids(data)),
    "decided": _decided,
    "fetched": lambda subject, at, value, data: Observed(
        subject, at, "fetched", value, "", unpacked_links(data), None
    ),
    "failed": lambda subject, at, value, data: Observed(subject, at, "failed", reason=data, same_as=value),
    "refused": lambda subject, at, value, data: Observed(subject, at, "refused", reason=data),
    "near": lambda subject, at, value, data: NearMiss(subject, value),
    "charged": lambda subject, at, value, data: Charged(subject, value),
    "rendered": lambda subject, at, value, data: RenderChoice(subject, value, *orjson.loads(data)),
    "rested": lambda subject, at, value, data: Rested(subject, at),
    "waited": lambda subject, at, value, data: Waited(at),
    "budgeted": lambda subject, at, value, data: Budgeted(int(value)),
    "received": lambda subject, at, value, data: Received(subject, int(value), unpacked_links(data)),
    "taught": lambda subject, at, value, data: Taught(data),
    "prepared": lambda subject, at, value, data: Prepared(data),
    "looked": lambda subject, at, value, data: HeadAnswered(subject, at, HeadResult(*orjson.loads(data))),
    "given back": lambda subject, at, value, data: GivenBack(subject),
    "round": lambda subject, at, value, data: RoundBegun(subject, at, value, *orjson.loads(data)),
    "revisiting": lambda subject, at, value, data: Revisiting(subject, at, value, *orjson.loads(data)),
    "revisited": _revisited,
}


def events_of(rows: Iterable[Sequence[Any]]) -> Iterator[Event]:
    for event, subject, at, value, data in rows:
        yield READERS[event](subject, at, value, data)
