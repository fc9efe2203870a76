"""Local contexts applied to active ones (JSON-LD 1.1 API, 4.1 and 4.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from sundog.extract.guards import Report, TimeBox
from sundog.extract.jsonld import schema_org
from sundog.extract.jsonld.active_context import (
    KEYWORDS,
    Context,
    Term,
    looks_like_keyword,
    may_be_prefix,
)
from sundog.extract.remote_contexts import DEEPEST, RemoteContext, RemoteContexts
from sundog.urls.references import Base

_CONTAINERS = frozenset({"@graph", "@id", "@index", "@language", "@list", "@set", "@type"})
LONGEST_SHARED = 2_048  # characters
MOST_IN_A_LIST = 1_000  # contexts: each may be that of schema.org, with thousands of terms
_TYPES_WITHOUT_IRI = frozenset({"@id", "@vocab", "@json", "@none"})


class Surroundings(NamedTuple):
    """What the contexts of one document share. ``base`` is the document's own."""

    base: Base | None
    remote: RemoteContexts
    box: TimeBox
    report: Report


def apply(
    active: Context,
    local: Any,
    around: Surroundings,
    *,
    here: Base | None,
    overrides: bool = False,
    propagates: bool = True,
    within: tuple[str, ...] = (),
) -> Context:
    """The context that results from a ``@context`` entry.

    ``here`` is the place of the entry, and ``within`` are the remote contexts that it is part of.
    """
    fresh = propagates and not active.terms and active.vocab is None
    if fresh and isinstance(local, str) and schema_org.is_schema_org(local):
        return _schema_org(active)
    if isinstance(local, dict) and isinstance(local.get("@propagate"), bool):
        propagates = local["@propagate"]
    report = around.report
    result = active.copy()
    if not propagates and result.previous is None:
        result.previous = active
    for each in _some(local, report) if isinstance(local, list) else [local]:
        if each is None:
            if not overrides and any(term is not None and term.protected for term in result.terms.values()):
                report("a protected context cannot be cleared")
                continue
            cleared = Context(around.base)
            if not propagates:
                cleared.previous = result
            result = cleared
        elif isinstance(each, str):
            if schema_org.is_schema_org(each):
                _add_schema_org(result)
            elif (remote := _remote(each, around, here, within)) is not None:
                inner = (*within, remote.url)
                result = apply(result, remote.local, around, here=remote.here, overrides=overrides, within=inner)
        elif isinstance(each, dict):
            if "@import" in each:
                each = _with_import(each, around, here, within)
            _Definer(result, each, report, overrides, here).define_all()
        else:
            report("a context is neither an object nor a string")
    return result


def _some(contexts: list[Any], report: Report) -> list[Any]:
    if len(contexts) > MOST_IN_A_LIST:
        report(f"only the first {MOST_IN_A_LIST:,} contexts of a list are applied")
    return contexts[:MOST_IN_A_LIST]


def _schema_org(active: Context) -> Context:
    result = active.copy()
    known = _schema_org_context()
    result.terms, result.vocab, result.memo = known.terms, known.vocab, known.memo
    return result


@lru_cache(maxsize=1)
def _schema_org_context() -> Context:
    result = Context(None)
    _Definer(result, schema_org.context(), lambda reason: None, False, None).define_all()
    return result


def _add_schema_org(result: Context) -> None:
    known = _schema_org_context()
    result.terms.update(known.terms)
    result.vocab = known.vocab
    result.memo = {}


def _remote(name: str, around: Surroundings, here: Base | None, within: tuple[str, ...]) -> RemoteContext | None:
    """What the name leads to, unless that would never end."""
    around.box.check()  # a few contexts that include each other can be applied very often
    found = around.remote.find(name, here, around.report)
    if found is not None and (found.url in within or len(within) == DEEPEST):
        reason = "includes itself" if found.url in within else f"is more than {DEEPEST} deep in others"
        around.report(f"remote context {found.url[:200]} {reason}")
        return None
    return found


def _with_import(
    local: dict[str, Any], around: Surroundings, here: Base | None, within: tuple[str, ...]
) -> dict[str, Any]:
    name = local["@import"]
    rest = {key: value for key, value in local.items() if key != "@import"}
    if not isinstance(name, str):
        around.report("@import is no string")
        return rest
    if schema_org.is_schema_org(name):
        return {**schema_org.context(), **rest}
    found = _remote(name, around, here, within)
    if found is None:
        return rest
    if not isinstance(found.local, dict) or "@import" in found.local:
        around.report(f"remote context {found.url[:200]} cannot be imported")
        return rest
    return {**found.local, **rest}


class _IgnoredError(Exception):
    """A definition in the form of a keyword is kept for later versions of the language: as if not there."""


class _Definer:
    """Defines the terms of one local context; a term that another one needs is defined before it."""

    def __init__(
        self, active: Context, local: dict[str, Any], report: Report, overrides: bool, here: Base | None
    ) -> None:
        self.here = here
        self.active = active
        self.local = local
        self.report = report
        self.overrides = overrides
        self.protects = local.get("@protected") is True
        self.state: dict[str, bool] = {}  # False while a term is being defined

    def define_all(self) -> None:
        self._settings()
        for name in self.local:
            if name not in KEYWORDS:
                self.define(name)

    def _settings(self) -> None:
        active, local = self.active, self.local
        if "@base" in local:
            base = local["@base"]
            if base is None:
                active.base = None
            elif isinstance(base, str):
                base = active.base.resolve(base) if active.base is not None else base
                if not self._too_long(base):
                    active.base = Base(base)
        if "@vocab" in local:
            vocab = local["@vocab"]
            if vocab is None:
                active.vocab = None
            elif isinstance(vocab, str):
                vocab = active.expand_iri(vocab, vocab=True, relative=True)
                if not self._too_long(vocab or ""):
                    active.vocab = vocab
        if "@language" in local and (local["@language"] is None or isinstance(local["@language"], str)):
            active.language = local["@language"]

    def define(self, name: str) -> None:
        if name in self.state:
            if not self.state[name]:
                self.report(f"term '{name[:100]}' is defined by itself")
            return
        if not name or (looks_like_keyword(name) and name != "@type"):
            return
        value = self.local[name]
        if name in KEYWORDS and not (name == "@type" and isinstance(value, dict)):
            return
        self.state[name] = False
        previous = self.active.terms.pop(name, None)
        try:
            term = self._made(name, value)
        except _IgnoredError:
            self.state[name] = True
            return
        if previous is not None and previous.protected and not self.overrides:
            if term is None or not term.same_as(previous):
                self.report(f"term '{name[:100]}' is protected")
            term = previous
        self.active.terms[name] = term
        if term is not None and term.scoped:
            self.active.has_scoped = True
        self.state[name] = True

    def _made(self, name: str, value: Any) -> Term | None:
        simple = isinstance(value, str)
        definition: dict[str, Any] = {"@id": value} if simple or value is None else value
        if not isinstance(definition, dict):
            self.report(f"term '{name[:100]}' has no definition that can be read")
            return None
        term = Term()
        term.name = name
        term.protected = definition.get("@protected", self.protects) is True
        if isinstance(definition.get("@type"), str):
            term.type = self._type(definition["@type"])
        if "@reverse" in definition:
            reverse = definition["@reverse"]
            if not isinstance(reverse, str):
                return None
            if looks_like_keyword(reverse):
                raise _IgnoredError
            term.iri, term.reverse = self.expand(reverse, vocab=True), True
            term.container = _containers(definition.get("@container"))
            return term
        if not self._identify(term, name, definition, simple):
            return None
        self._qualify(term, definition)
        return term

    def _too_long(self, shared: str) -> bool:
        """What all names begin with must be short: a long one makes a few megabytes hundreds of gigabytes."""
        if len(shared) <= LONGEST_SHARED:
            return False
        self.report(f"a base, vocabulary or prefix of {len(shared):,} characters is left out")
        return True

    def _type(self, name: str) -> str | None:
        if name in _TYPES_WITHOUT_IRI:
            return name
        return self.expand(name, vocab=True)

    def _identify(self, term: Term, name: str, definition: dict[str, Any], simple: bool) -> bool:
        """Find the term's IRI; False if it is defined to be nothing."""
        identity = definition.get("@id", name)
        if "@id" in definition and identity != name:
            if identity is None:
                return False
            if not isinstance(identity, str):
                return False
            if identity not in KEYWORDS and looks_like_keyword(identity):
                raise _IgnoredError
            term.iri = self.expand(identity, vocab=True)
            if term.iri == "@context" or term.iri is None:
                return False
            term.is_prefix = ":" not in name[1:-1] and "/" not in name and simple and may_be_prefix(term.iri)
            term.is_prefix = term.is_prefix and not self._too_long(term.iri)
        elif ":" in name[1:]:
            prefix, _, suffix = name.partition(":")
            self._define_first(prefix)
            known = self.active.terms.get(prefix)
            start = known.iri if known is not None else None
            term.iri = start + suffix if start is not None and not self._too_long(start) else name
        elif "/" in name:
            term.iri = self.active.expand_iri(name, vocab=True, relative=True)
        elif name == "@type":
            term.iri = "@type"
        elif self.active.vocab is not None:
            term.iri = self.active.vocab + name
        else:
            return False
        return True

    def _qualify(self, term: Term, definition: dict[str, Any]) -> None:
        term.container = _containers(definition.get("@container"))
        if "@type" in term.container and term.type is None:
            term.type = "@id"
        index = definition.get("@index")
        if isinstance(index, str):
            term.index = index
        if "@context" in definition:
            term.context, term.here, term.scoped = definition["@context"], self.here, True
        if "@language" in definition and "@type" not in definition:
            language = definition["@language"]
            term.language = language if isinstance(language, str) else ""  # "" is: none, whatever the default
        if isinstance(definition.get("@nest"), str):
            term.nest = definition["@nest"]
        if isinstance(definition.get("@prefix"), bool):
            term.is_prefix = definition["@prefix"] and not self._too_long(term.iri or "")

    def expand(self, value: str, *, vocab: bool) -> str | None:
        """IRI expansion while terms are still being defined."""
        self._define_first(value)
        if ":" in value[1:]:
            prefix, _, suffix = value.partition(":")
            if prefix != "_" and suffix[:2] != "//":
                self._define_first(prefix)
        return self.active.expand_iri(value, vocab=vocab)

    def _define_first(self, name: str) -> None:
        if name in self.local and self.state.get(name) is not True and name not in KEYWORDS:
            self.define(name)


def _containers(value: Any) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    return tuple(name for name in names if isinstance(name, str) and name in _CONTAINERS)
