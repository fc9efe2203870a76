"""Active contexts of JSON-LD: what the names in a document stand for (JSON-LD 1.1 API, section 4).

Errors that the specification calls fatal are faults here: the offending term is left out and the rest of the
document is still read, because a page's other statements are right all the same.
"""

from __future__ import annotations

import re
from typing import Any

from sundog.urls.references import Base

KEYWORDS = frozenset(
    """@base @container @context @default @direction @graph @id @import @included @index @json @language @list
    @nest @none @prefix @propagate @protected @reverse @set @type @value @version @vocab""".split()
)
_KEYWORD_LIKE = re.compile(r"@[A-Za-z]+")
_IRI_LIKE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*")
_GENERIC_DELIMITERS = ":/?#[]@"
_MAX_MEMO = 5_000


class Term:
    """A term's definition."""

    __slots__ = (
        "container",
        "context",
        "direction",
        "here",
        "index",
        "iri",
        "is_prefix",
        "language",
        "name",
        "nest",
        "protected",
        "reverse",
        "scoped",
        "type",
    )

    def __init__(self, iri: str | None = None) -> None:
        self.iri = iri
        self.name: str | None = None  # that it has in the context
        self.type: str | None = None
        self.container: tuple[str, ...] = ()
        self.language: str | None = None
        self.direction: str | None = None
        self.context: Any = None
        self.here: Base | None = None  # where that context stands
        self.scoped = False  # a context of null is one, too
        self.index: str | None = None
        self.nest: str | None = None
        self.reverse = False
        self.is_prefix = False
        self.protected = False

    def same_as(self, other: Term) -> bool:
        """Protection aside, wherever they are defined."""
        return all(getattr(self, name) == getattr(other, name) for name in _COMPARED)


_COMPARED = [name for name in Term.__slots__ if name not in ("protected", "here")]
PLAIN = Term("")  # of keys that only the vocabulary defines


class Context:
    """An active context. It is changed only while it is being made."""

    __slots__ = ("base", "has_scoped", "language", "memo", "previous", "scoped", "terms", "vocab")

    def __init__(self, base: Base | None) -> None:
        self.base = base
        self.vocab: str | None = None
        self.language: str | None = None
        self.terms: dict[str, Term | None] = {}
        self.has_scoped = False  # whether any of its terms brings a context with it
        self.previous: Context | None = None
        self.memo: dict[str, str | None] = {}  # answers of expand_iri for property names
        self.scoped: dict[Term, Context] = {}  # what it becomes inside terms that bring a context with them

    def copy(self) -> Context:
        twin = Context(self.base)
        twin.vocab, twin.language, twin.previous = self.vocab, self.language, self.previous
        twin.terms, twin.has_scoped = dict(self.terms), self.has_scoped
        return twin

    def own(self, term: Term) -> Term:
        """What this context, further inside, makes of a term."""
        return term if term.name is None else self.terms.get(term.name) or PLAIN

    def property_iri(self, name: str) -> str | None:
        """What a key stands for; remembered, since keys repeat."""
        try:
            return self.memo[name]
        except KeyError:
            found = self.expand_iri(name, vocab=True)
            if len(self.memo) < _MAX_MEMO:
                self.memo[name] = found
            return found

    def meanings(self, document: dict[str, Any]) -> list[str]:
        """What the keys that say something stand for."""
        names = (self.property_iri(key) for key, value in document.items() if value is not None)
        return [name for name in names if name and name != "@context" and (name[0] == "@" or ":" in name)]

    def expand_iri(self, value: str, *, relative: bool = False, vocab: bool = False) -> str | None:
        """IRI expansion (5.2.2), once all terms are defined."""
        if value[:1] == "@":
            if value in KEYWORDS:
                return value
            if _KEYWORD_LIKE.fullmatch(value):
                return None
        terms = self.terms
        if value in terms:
            term = terms[value]
            if vocab:
                return term.iri if term is not None else None
            if term is not None and term.iri in KEYWORDS:
                return term.iri
        if ":" in value[1:]:
            prefix, _, suffix = value.partition(":")
            if prefix == "_" or suffix[:2] == "//":
                return value
            term = terms.get(prefix)
            if term is not None and term.iri is not None and term.is_prefix:
                return term.iri + suffix
            if is_iri_like(value):
                return value
        if vocab and self.vocab is not None:
            return self.vocab + value
        if relative:
            return self.base.resolve(value) if self.base is not None else value
        return value


def is_iri_like(value: str) -> bool:
    """Absolute, that is, with a scheme; blank node names are no IRIs."""
    return _IRI_LIKE.fullmatch(value) is not None


def looks_like_keyword(value: str) -> bool:
    return _KEYWORD_LIKE.fullmatch(value) is not None


def may_be_prefix(iri: str) -> bool:
    return iri[-1:] in _GENERIC_DELIMITERS or iri.startswith("_:")
