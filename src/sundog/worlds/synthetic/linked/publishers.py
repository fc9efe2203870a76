"""Hosts, namespaces and URIs: who publishes what, and what one gets for a URI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.linked.kinds import KINDS, MEDIA, PAGE, QUERY, RECORD, ROLE, LinkedProfile
from sundog.worlds.synthetic.words import slug_words

CONTENT_TYPES = (
    "",
    "text/html",
    "application/rdf+xml",
    "text/turtle",
    "text/plain",
    "text/xml",
    "application/json",
    "image/jpeg",
    "application/pdf",
    "text/css",
    "application/octet-stream",
)
NOTHING, HTML, RDF_XML, TURTLE, PLAIN, XML, JSON, IMAGE, PDF, CSS, BYTES = range(len(CONTENT_TYPES))
EXTENSIONS = {".jpg": IMAGE, ".png": IMAGE, ".gif": IMAGE, ".pdf": PDF, ".css": CSS}
RDF_EXTENSIONS = (".rdf", ".owl", ".ttl", ".n3")
NAMED_SO = 0.97  # who names a file so has RDF in it
WRONG = np.array([HTML, PLAIN, XML, BYTES])
FEWEST = 0.02  # of a host's URIs: a smaller namespace is left out
_WORDS = slug_words()
_TLDS = ("org", "com", "net", "info", "de", "edu", "eu", "fr", "uk", "it")


@dataclass
class Hosts:
    kind: NDArray[np.int32]
    domain: NDArray[np.int32]
    size: NDArray[np.int64]
    dead: NDArray[np.bool_]
    names: list[str]


@dataclass
class Uris:
    """Per URI; ``rdf`` says whether dereferencing it yields RDF, ``embedded`` whether that is in HTML."""

    urls: list[str]
    host: NDArray[np.int32]
    role: NDArray[np.int32]
    rdf: NDArray[np.bool_]
    embedded: NDArray[np.bool_]
    dead: NDArray[np.bool_]
    content_type: NDArray[np.int32]


def build_hosts(profile: LinkedProfile, uris: int, hosts: int, rng: np.random.Generator) -> Hosts:
    shares = np.array([kind.hosts for kind in KINDS.values()])
    kind = rng.choice(len(KINDS), hosts, p=shares / shares.sum()).astype(np.int32)
    kind[: min(hosts, len(KINDS))] = np.arange(min(hosts, len(KINDS)))  # one of each, if there is room
    weight = np.zeros(hosts)
    for number, one in enumerate(KINDS.values()):
        mine = np.flatnonzero(kind == number)
        if len(mine):
            sizes = np.minimum(rng.pareto(profile.size_tail, len(mine)) + 0.2, 400.0)
            weight[mine] = one.uris * sizes / sizes.sum()
    taken: set[str] = set()
    kinds = list(KINDS.values())
    return Hosts(
        kind=kind,
        domain=rng.integers(profile.domains, size=hosts).astype(np.int32),
        size=_whole_sizes(weight, uris, profile.largest_host),
        dead=rng.random(hosts) < profile.dead_hosts,
        names=[host_name(kinds[one].prefixes, taken, rng) for one in kind.tolist()],
    )


def _whole_sizes(weight: NDArray[np.float64], total: int, largest: float) -> NDArray[np.int64]:
    """Whole numbers from 1 on, in proportion to the weights, that sum up to ``total``."""
    weight = np.minimum(weight / weight.sum(), max(largest, 1.5 / len(weight)))
    spare = (weight / weight.sum()) * (total - len(weight))
    size = np.floor(spare).astype(np.int64)
    size[np.argsort(size - spare, kind="stable")[: total - len(weight) - int(size.sum())]] += 1
    return size + 1


def build_uris(profile: LinkedProfile, hosts: Hosts, rng: np.random.Generator) -> Uris:
    parts = [_namespaces(profile, hosts, host, rng) for host in range(len(hosts.names))]
    flat = [part for of_host in parts for part in of_host]
    columns = ("host", "role", "rdf", "embedded", "dead", "content_type")
    return Uris(
        [url for part in flat for url in part.urls],
        *(np.concatenate([getattr(part, name) for part in flat]) for name in columns),
    )


def _namespaces(profile: LinkedProfile, hosts: Hosts, host: int, rng: np.random.Generator) -> list[Uris]:
    """The host's URIs, a namespace for each role that it has; some have a second one."""
    kind = list(KINDS.values())[hosts.kind[host]]
    size = int(hosts.size[host])
    roles = [role for role in kind.roles for _ in range(1 + (size > 40 and rng.random() < 0.3))]
    weights = np.array([kind.roles[role] for role in roles]) * rng.gamma(2.0, 0.5, len(roles))
    weights[weights < FEWEST * weights.sum()] = 0.0
    counts = rng.multinomial(size, weights / weights.sum())
    wrong = rng.random() < profile.misdeclared
    return [
        _namespace(profile, hosts, host, role, kind.rdf[role], int(count), bool(wrong), rng)
        for role, count in zip(roles, counts, strict=True)
        if count
    ]


def _namespace(
    profile: LinkedProfile, hosts: Hosts, host: int, role: int, chance: float, count: int, wrong: bool,
    rng: np.random.Generator,
) -> Uris:  # fmt: skip
    patterns = ROLE[role].patterns
    pattern = patterns[int(rng.integers(len(patterns)))]
    dead = hosts.dead[host] | (rng.random(count) < profile.dead_uris)
    if pattern.endswith(RDF_EXTENSIONS):
        chance = max(chance, NAMED_SO)
    rdf = ~dead & (rng.random(count) < _habit(profile, chance, rng))
    embedded = rdf & (role == PAGE) & (rng.random() < profile.embedded)
    content_type = _other_types(role, pattern, count, rng)
    content_type[rdf] = _rdf_type(pattern, wrong, rng)
    content_type[embedded] = HTML
    content_type[dead] = NOTHING
    urls = urls_of(hosts.names[host], pattern, a_word(rng), count, rng)
    all_alike = np.full(count, 1, np.int32)
    return Uris(urls, all_alike * host, all_alike * role, rdf, embedded, dead, content_type)


def _habit(profile: LinkedProfile, chance: float, rng: np.random.Generator) -> float:
    """The share of a namespace's URIs that lead to RDF."""
    if chance == 0.0 or rng.random() < profile.strictness:
        return 1.0 - profile.lapses if rng.random() < chance else profile.lapses * (chance > 0.0)
    return float(rng.beta(4.0 * chance, 4.0 * (1.0 - chance)))


def _rdf_type(pattern: str, wrong: bool, rng: np.random.Generator) -> int:
    """Turtle or RDF/XML, as the namespace's server says; some servers do not know either."""
    if wrong:
        return int(WRONG[rng.integers(len(WRONG))])
    turtle = ".ttl" in pattern or ".n3" in pattern or (".rdf" not in pattern and rng.random() < 0.2)
    return TURTLE if turtle else RDF_XML


def _other_types(role: int, pattern: str, count: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """What comes where there is no RDF: mostly HTML, even for the URIs of things."""
    kind = next((type_ for end, type_ in EXTENSIONS.items() if pattern.endswith(end)), HTML)
    if kind == HTML and role == MEDIA:
        kind = IMAGE
    if role == QUERY:
        kind = int(rng.choice([HTML, JSON, XML], p=[0.5, 0.35, 0.15]))
    if role == RECORD and rng.random() < 0.3:
        kind = XML
    return np.full(count, kind, np.int32)


def a_word(rng: np.random.Generator) -> str:
    return _WORDS[int(rng.integers(len(_WORDS)))]


def host_name(prefixes: Sequence[str], taken: set[str], rng: np.random.Generator) -> str:
    """A new host name; ``.example`` is what it ends with, for none of them exists."""
    while True:
        prefix = prefixes[int(rng.integers(len(prefixes)))]
        name = f"{prefix}{a_word(rng)}-{a_word(rng)}.{_TLDS[int(rng.integers(len(_TLDS)))]}.example"
        if name not in taken:
            taken.add(name)
            return name


def urls_of(host: str, pattern: str, word: str, count: int, rng: np.random.Generator) -> list[str]:
    """So many different URLs of one namespace.

    Of the pattern, ``{Name}`` and ``{name}`` are words of things, ``{word}`` is a word of the namespace.
    """
    first = int(rng.integers(1, 50_000))
    numbers = first + np.cumsum(rng.integers(1, 9, count))
    picks = rng.integers(len(_WORDS), size=(count, 2)).tolist()
    makers = _compiled(pattern, host, word)
    return [
        makers.format(
            Name=f"{_WORDS[a].title()}_{_WORDS[b].title()}_{n}"
            if "{number}" not in pattern
            else _WORDS[a].title(),
            name=_WORDS[a] if "{number}" in pattern else f"{_WORDS[a]}-{_WORDS[b]}-{n}",
            number=n,
            hex=f"{n * 2654435761 % 4294967296:08x}{n:x}",
            year=2000 + n % 15,
        )
        for n, (a, b) in zip(numbers.tolist(), picks, strict=True)
    ]


def _compiled(pattern: str, host: str, word: str) -> str:
    return f"http://{host}{pattern.replace('{word}', word)}"
