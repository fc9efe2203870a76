"""The spec of a crawl: its keys, read from TOML, written as TOML, changed by ``--set``."""

from __future__ import annotations

import os
import tomllib
import typing
import warnings
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sundog.errors import SundogError, UsageError, nearest, unreadable
from sundog.fetch.values import AGENT, Limits, check_agent
from sundog.patterns.definitions import Patterns
from sundog.policies import DEFAULT
from sundog.policies.presets import check_parameters, find_policy
from sundog.scope.scope import Extent, Scope
from sundog.spec.access import Access, check_access
from sundog.spec.api import Api
from sundog.spec.archive import Archive
from sundog.spec.cluster import Cluster
from sundog.spec.explore import Explore
from sundog.spec.form import Form
from sundog.spec.rdf import Rdf
from sundog.spec.rendering import Render, Rendering
from sundog.spec.stop import Stop
from sundog.spec.tables import (
    check_number,
    check_numbers,
    defaults,
    field_types,
    read_table,
    read_text,
    read_value,
    table_text,
)
from sundog.spec.world import USUAL_OBJECTIVE, WEB, WorldKind

if TYPE_CHECKING:
    from sundog.objectives import Objective

CostUnit = Literal["bytes", "seconds"]
BUDGET = 1_000
RENAMED_KEYS = {"following.thrift": "following.worth_waiting"}  # the old ones work for one release


@dataclass(frozen=True, kw_only=True)
class Following:
    """What a crawl makes of what servers and pages ask of it. Times are seconds."""

    robots: bool = True  # obey robots.txt
    nofollow: bool = True  # do not follow links that pages mark so
    noindex: bool = True  # do not keep what pages mark so
    duplicates: Literal["skip", "keep"] | None = None  # skip, unless link patterns choose the pages
    sitemaps: bool = True  # those that robots.txt names are candidates
    retries: int = 2  # of what may heal
    patience: float = 600.0  # the longest wait while nothing at all may be fetched
    worth_waiting: float = 0.5  # a page worth less than this share of what a resting host would give must wait
    host_concurrency: int | None = None  # requests in flight to one host; 1 if there is a delay
    address_concurrency: int = 8


@dataclass(frozen=True, kw_only=True)
class CrawlSpec:
    """Everything that decides what a crawl does.

    >>> CrawlSpec(seeds=("https://shop.example/",), objective="type:schema:Product", budget=500).policy
    'sundog'
    """

    seeds: tuple[str, ...]
    title: str = ""
    description: str = ""
    objective: str = ""  # patterns if there are data patterns, else any
    world: Literal["web", "api", "form", "archive"] = "web"  # all but the first are tables of their own
    budget: int | None = None
    seconds: float | None = None
    bytes: int | None = None
    policy: str = DEFAULT
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    delay: float = 1.0
    concurrency: int = 64
    workers: int | None = None  # one for each core but one
    connect_to: str = ""
    allow_private: bool = False
    proxy: str = ""
    user_agent: str = AGENT
    cookies: bool = False
    warc: bool = False
    free_disk: int = 500_000_000  # bytes; with less of them on its disk the crawl pauses
    contexts: Literal["bundled", "fetch"] = "bundled"
    render: Render = "never"
    extent: Extent = "web"
    scope: Scope = field(default_factory=Scope)
    following: Following = field(default_factory=Following)
    limits: Limits = field(default_factory=Limits)
    access: tuple[Access, ...] = ()
    rdf: Rdf = field(default_factory=Rdf)
    api: Api = field(default_factory=Api)
    form: Form = field(default_factory=Form)
    stop: Stop = field(default_factory=Stop)
    explore: Explore = field(default_factory=Explore)
    archive: Archive = field(default_factory=Archive)
    patterns: Patterns = field(default_factory=Patterns)
    rendering: Rendering = field(default_factory=Rendering)
    cluster: Cluster = field(default_factory=Cluster)

    def __post_init__(self) -> None:
        if not self.objective:
            object.__setattr__(self, "objective", self.usual_objective)
        check_numbers(self)
        check_agent(self.user_agent)
        policy = find_policy(self.policy)
        check_parameters(self.policy_parameters, [policy])
        policy.check_foresight()
        if isinstance(self.seeds, str) or not all(isinstance(seed, str) for seed in self.seeds):
            raise UsageError(
                f"seeds={self.seeds!r}: a tuple of texts is expected, such as ('https://a.example/',)"
            )
        if not self.seeds:
            raise UsageError(f"there is no seed: give at least one {self.world_kind.seed_word} to begin with")
        self._check_world()
        self.rdf.check()
        self.rendering.check()
        self.explore.check()
        check_access(self.access)
        _ = self.address, self.stop.left_share
        if self.proxy and not self.proxy.startswith(("http://", "https://")):
            raise UsageError(f"proxy '{self.proxy}': a URL is expected, such as http://proxy.example:3128")

    def _check_world(self) -> None:
        world = self.world_kind
        world.check()
        for name, table in _world_tables(self).items():
            if table is not world and table != type(table)():
                raise UsageError(f'there is a table [{name}], which is for world = "{name}"')
        if not world.has_pages:
            self._check_nothing_of_pages()
        self.patterns.check()
        for seed in self.seeds:
            world.check_seed(seed)

    def _check_nothing_of_pages(self) -> None:
        if self.rdf != Rdf():
            raise UsageError('there is a table [rdf], which is for world = "web"')
        if self.patterns != Patterns():
            raise UsageError(f'patterns are for pages: not for world = "{self.world}"')
        if self.render != "never":
            raise UsageError(f'render is for pages: not for world = "{self.world}"')
        if self.warc:
            raise UsageError(f'warc keeps pages: it is not for world = "{self.world}"')

    def check_objective(self, objective: Objective) -> None:
        """Raises UsageError if this world cannot say what it is after."""
        self.world_kind.check_objective(objective, os.environ)

    @property
    def world_kind(self) -> WorldKind:
        """What is explored; it answers for itself what its crawls are like."""
        table = getattr(self, self.world, WEB)  # a world with settings has a table of its name
        return table if isinstance(table, WorldKind) else WEB

    @property
    def usual_objective(self) -> str:
        """Of a spec that names none."""
        return _usual_objective(self.patterns)

    @property
    def seed_urls(self) -> list[str]:
        """The URLs by which the crawl knows its seeds."""
        seed_url = self.world_kind.seed_url
        return [url for seed in self.seeds if (url := seed_url(seed))]

    @property
    def fetches(self) -> int:
        """The budget. With rate windows and a time it is what they allow, n = kT/d, if no smaller one is given."""
        return _budget(self.budget, self.world_kind.windows_budget(self.seconds))

    @property
    def cost_unit(self) -> CostUnit | None:
        """What the crawl is short of, if that is not fetches: `sundog` looks for the most reward for it."""
        if self.bytes is not None:
            return "bytes"
        return "seconds" if self.seconds is not None and self.budget is None else None

    @property
    def patience(self) -> float:
        """A window is waited for, however long it is."""
        return max(self.following.patience, 2 * self.world_kind.longest_window)

    @property
    def address(self) -> tuple[str, int] | None:
        """Where every request goes, if not to the URL's own host."""
        return parse_address(self.connect_to)

    @property
    def whole_scope(self) -> Scope:
        """The scope with the hosts that ``extent`` adds to it."""
        around = Scope.around(self.seed_urls, self.extent)
        if not around.hosts and not around.domains:
            return self.scope
        return replace(
            self.scope, hosts=self.scope.hosts | around.hosts, domains=self.scope.domains | around.domains
        )

    @property
    def prefers_rdf(self) -> bool:
        """Whether the crawl looks for documents of RDF, rather than pages."""
        return self.world_kind.has_pages and self.rdf.is_preferred(self.policy, self.objective)

    @property
    def reads_dumps(self) -> bool:
        """Whether packed files of RDF are fetched and read."""
        return self.prefers_rdf and self.rdf.dumps

    @property
    def keeps_duplicates(self) -> bool:
        """Link patterns have chosen a page for how it was reached: its content may say as much twice."""
        return (self.following.duplicates or ("keep" if self.patterns.link else "skip")) == "keep"

    @property
    def policy_parameters(self) -> dict[str, Any]:
        """As texts, which the policy reads."""
        return {name: as_text(value) for name, value in self.parameters.items()}


def _usual_objective(patterns: Patterns) -> str:
    return "patterns" if patterns.data else USUAL_OBJECTIVE


def _budget(given: int | None, allowed: int | None) -> int:
    """``allowed``: by rate windows, if there are some."""
    if allowed is None:
        return BUDGET if given is None else given
    return allowed if given is None else min(allowed, given)


def _world_tables(spec: CrawlSpec) -> dict[str, WorldKind]:
    """The tables that are worlds, by the name of either."""
    values = {each.name: getattr(spec, each.name) for each in fields(spec)}
    return {name: value for name, value in values.items() if isinstance(value, WorldKind)}


@cache
def world_kinds() -> Mapping[str, WorldKind]:
    """All that a spec may name, as they are when it says no more of them."""
    hints = field_types(CrawlSpec)
    return {name: hints[name]() if name in hints else WEB for name in typing.get_args(hints["world"])}


def as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_spec(path: Path, **otherwise: Any) -> CrawlSpec:
    """The spec in a TOML file; ``otherwise``: values of keys that it does not have."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SundogError(f"{path} cannot be read: it is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    return parse_spec(text, str(path), is_stored=False, otherwise=otherwise)


def keys_in(path: Path) -> set[str]:
    """The keys at the top of a TOML file that ``read_spec`` can read."""
    return set(tomllib.loads(path.read_text(encoding="utf-8")))


def parse_spec(
    text: str, name: str = "spec.toml", *, is_stored: bool = True, otherwise: Mapping[str, Any] = {}
) -> CrawlSpec:
    """``is_stored``: a crawl has it, so former names of keys in it are read without a warning.

    >>> parse_spec('seeds = ["https://a.example/"]\\nbudgt = 5')
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: spec.toml: unknown key 'budgt'; did you mean 'budget'?
    """
    try:
        table = tomllib.loads(text)
        for old, new in _rename_keys(table):
            if not is_stored:
                _warn_of_renamed_key(f"{name}: {old}", new)
        return read_table(CrawlSpec, {**otherwise, **table})
    except ValueError as error:  # also numbers of more digits than Python reads
        raise UsageError(f"{name} is no TOML: {error}") from None
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None


def read_leniently(text: str) -> Mapping[str, Any]:
    """Every key of a spec that anybody may have written: a value that cannot be read counts as not given.

    For those who show crawls; tables are dataclasses, and ``objective`` and ``budget`` are what the crawl goes by.

    >>> found = read_leniently('delay = "long"\\nbudgt = 5\\n[scope]\\nmax_depth = 2')
    >>> found["delay"], found["scope"].max_depth, found["budget"], found["objective"], found["seeds"]
    (1.0, 2, 1000, 'any', ())
    """
    values: dict[str, Any] = {"seeds": (), **defaults(CrawlSpec)}
    known = field_types(CrawlSpec)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        table = {}
    _rename_keys(table)
    for name in known.keys() & table.keys():
        with suppress(UsageError, RecursionError):
            value = read_value(known[name], table[name], name)
            if isinstance(value, int | float) and not isinstance(value, bool):
                check_number(name, value)
            values[name] = value
    values["objective"] = values["objective"] or _usual_objective(values["patterns"])
    allowed = None
    with suppress(ArithmeticError):  # windows of 0 seconds
        allowed = values.get(values["world"], WEB).windows_budget(values["seconds"])
    return {**values, "budget": _budget(values["budget"], allowed)}


def _rename_keys(table: dict[str, Any]) -> list[tuple[str, str]]:
    """Give keys their new names; returns the pairs that were there."""
    found = []
    for old, new in RENAMED_KEYS.items():
        place, _, key = old.rpartition(".")
        part = table.get(place)
        if isinstance(part, dict) and key in part:
            part.setdefault(new.rpartition(".")[2], part.pop(key))
            found.append((old, new))
    return found


def _warn_of_renamed_key(old: str, new: str) -> None:
    warnings.warn(
        f"{old} is now called {new}; the old name goes with the next release", FutureWarning, stacklevel=3
    )


def spec_text(spec: CrawlSpec) -> str:
    """The spec as TOML, from which ``parse_spec`` makes an equal one."""
    written = copy(spec)
    if spec.objective == spec.usual_objective:
        object.__setattr__(written, "objective", "")
    return table_text(written)


def changed(spec: CrawlSpec, values: Mapping[str, Any]) -> CrawlSpec:
    """With other values of some keys, checked like those of a file."""
    known = field_types(CrawlSpec)
    return replace(spec, **{name: read_value(known[name], value, name) for name, value in values.items()})


def parse_address(text: str, called: str = "connect_to") -> tuple[str, int] | None:
    """HOST:PORT in two parts; None if nothing is given.

    >>> parse_address("[::1]:8080")
    ('::1', 8080)
    """
    if not text:
        return None
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise UsageError(f"{called} '{text}': HOST:PORT is expected, such as 127.0.0.1:8080")
    return host.strip("[]"), int(port)


def with_settings(spec: CrawlSpec, settings: Mapping[str, str]) -> CrawlSpec:
    """With keys set as on a command line: ``scope.max_depth=3``; what is no key of the spec is the policy's."""
    parameters: dict[str, Any] = dict(spec.parameters)
    known = field_types(CrawlSpec)
    for given, text in settings.items():
        name = RENAMED_KEYS.get(given, given)
        if name != given:
            _warn_of_renamed_key(given, name)
        first, dot, rest = name.partition(".")
        if dot:
            spec = replace(spec, **{first: _with_key(_table_of(spec, first, name), rest, text, name)})
        elif first in known and not is_dataclass(known[first]) and first not in find_policy(spec.policy).accepts:
            spec = _with_key(spec, first, text, name)
        else:
            parameters[name] = text
    _check_no_misspelt_key(parameters, [*known, *find_policy(spec.policy).accepts])
    return replace(spec, parameters=parameters)


def _check_no_misspelt_key(parameters: Mapping[str, Any], known: list[str]) -> None:
    """What is nothing like a key is left to the policy, which says what it accepts."""
    for name in parameters:
        if name in known and is_dataclass(field_types(CrawlSpec).get(name)):
            raise UsageError(f"'{name}' is a table: set one of its keys, as {name}.KEY=VALUE")
        if name not in known and (hint := nearest(name, known)):
            raise UsageError(f"there is no key or parameter '{name}'{hint}")


def _table_of(spec: CrawlSpec, name: str, whole: str) -> Any:
    part = getattr(spec, name, None)
    if not is_dataclass(part):
        tables = [each.name for each in fields(spec) if is_dataclass(getattr(spec, each.name))]
        raise UsageError(f"'{whole}': there are the tables {', '.join(tables)}")
    return part


def _with_key(part: Any, name: str, text: str, whole: str) -> Any:
    known = field_types(type(part))
    if name not in known:
        read_table(type(part), {name: text}, whole.removesuffix(name))  # says which key is nearest
    return replace(part, **{name: read_text(known[name], text, whole)})
