"""Relative references to absolute ones: by RFC 3986 for statements, as browsers do for links.

The two differ on purpose. RDF compares IRIs letter by letter, so an absolute one stays as its author wrote
it; a link is fetched, so it is what a browser would request.
"""

from __future__ import annotations

import re
from functools import lru_cache

import ada_url

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:")
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_BLANKS = " \t\n\r\f"
_LONGEST = 8_192  # characters of a link: four times what a URL may have that is fetched
# What links lead to, by the origin or directory they start from: pages of a site have three of four in common.
_known: dict[str, dict[str, str | None]] = {}
_MOST_KNOWN = 10_000  # of all of them
_left = _MOST_KNOWN
_LONGEST_KNOWN = 300  # characters
_NONE_KNOWN: dict[str, str | None] = {}
_ABSOLUTE = ("http://", "https://")
# What needs no normalising: no escapes, no capitals in the host, no default port, no number as host.
_LETTERS = "A-Za-z0-9_!$&()*+,;=@/~."
_PLAIN_REST = rf"[{_LETTERS}-]*+(?:\?[{_LETTERS}:%-]*+)?"
_PLAIN_LINK = re.compile(rf"(https?://(?:[a-z0-9-]++\.)+[a-z]++)(/[{_LETTERS}-]*+)(?:\?[{_LETTERS}:%-]*+)?")
_plain_link = re.compile(rf"https?://(?:[a-z0-9-]++\.)+[a-z]++/{_PLAIN_REST}").fullmatch
_plain_path = re.compile(rf"/(?!/){_PLAIN_REST}").fullmatch
_plain_name = re.compile(rf"[A-Za-z0-9_-]{_PLAIN_REST}").fullmatch
_plain_above = re.compile(rf"((?:\.\./)++)((?:[A-Za-z0-9_-]{_PLAIN_REST})?)").fullmatch


def is_absolute(reference: str) -> bool:
    return _SCHEME.match(reference) is not None


class Base:
    """What relative references on a page are relative to."""

    __slots__ = ("_parts", "url")

    def __init__(self, url: str) -> None:
        self.url = url
        self._parts = _PARTS.fullmatch(url)

    def resolve(self, reference: str) -> str:
        """RFC 3986, 5.2, for statements.

        >>> Base("http://a.example/b/c?d#e").resolve("../f")
        'http://a.example/f'
        >>> Base("http://a.example/b/c?d#e").resolve("")
        'http://a.example/b/c?d'
        """
        if _SCHEME.match(reference):
            return reference
        base, parts = self._parts, _PARTS.fullmatch(reference)
        if base is None or parts is None or base[1] is None:
            return reference
        authority, path, query, fragment = parts[2], parts[3], parts[4], parts[5]
        if authority is not None:
            path = without_dots(path)
        else:
            authority = base[2]
            if not path:
                path = base[3]
                query = base[4] if query is None else query
            elif path.startswith("/"):
                path = without_dots(path)
            elif authority is not None and not base[3]:
                path = without_dots("/" + path)
            else:
                path = without_dots(base[3][: base[3].rfind("/") + 1] + path)
        return _joined(base[1], authority, path, query, fragment)


def _joined(scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    return "".join(
        (
            scheme,
            ":",
            "" if authority is None else f"//{authority}",
            path,
            "" if query is None else f"?{query}",
            "" if fragment is None else f"#{fragment}",
        )
    )


def without_dots(path: str) -> str:
    """
    >>> without_dots("/a/b/../c/./d/..")
    '/a/c/'
    """
    if "/." not in path and not path.startswith("."):
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if kept and kept != [""]:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    result = "/".join(kept)
    return result if result.startswith("/") or not path.startswith("/") else "/" + result


def without_fragment(url: str) -> str:
    """Before it is parsed. A blank before the fragment is part of the URL, but at the end it would not be.

    >>> without_fragment("http://a.example/b#c"), without_fragment("http://a.example/b #c")
    ('http://a.example/b', 'http://a.example/b #c')
    """
    before = url.partition("#")[0]
    return url if before[-1:] <= " " and before else before


class LinkResolver:
    """By the WHATWG URL standard, for links; only http and https come out, without fragment."""

    __slots__ = ("_above", "_base", "_directory", "_in_directory", "_origin", "known")

    def __init__(self, base: str) -> None:
        self._base = base
        plain = _PLAIN_LINK.fullmatch(base.partition("#")[0])
        self._origin = plain[1] if plain else ""
        self._directory = plain[1] + without_dots(plain[2][: plain[2].rfind("/") + 1]) if plain else ""
        self._above: dict[str, str] = {}  # the directory that so many "../" lead to
        # Those that begin with a slash or a scheme, for loops that cannot wait for a call.
        self.known = _known.get(self._origin, _NONE_KNOWN)
        self._in_directory = _known.get(self._directory, _NONE_KNOWN)

    def resolve(self, reference: str) -> str | None:
        """None for what nobody can fetch: javascript:, mailto:, data:, broken URLs.

        >>> LinkResolver("http://a.example/b/").resolve(" ../c?d#e ")
        'http://a.example/c?d'
        """
        url = self.known.get(reference, "")
        if url == "":
            url = self._in_directory.get(reference, "")
        return self._remembered(reference) if url == "" else url

    def _remembered(self, reference: str) -> str | None:
        url, first = self._resolved(reference), reference[:1]
        if self._origin and len(reference) <= _LONGEST_KNOWN:
            if first == "/" or reference.startswith(_ABSOLUTE):
                self.known = _remember(self._origin, reference, url)
            elif ":" not in reference and (first == "." or first.isalnum()):
                self._in_directory = _remember(self._directory, reference, url)
            # What comes of others may depend on all of the base.
        return url

    def _resolved(self, reference: str) -> str | None:
        plain = without_fragment(reference) if "#" in reference else reference
        if len(plain) > _LONGEST:
            return self._by_standard(reference)
        if plain[:3] == "../":
            if self._origin and (match := _plain_above(plain)) and "/." not in match[2]:
                ups = match[1]
                return (self._above.get(ups) or self._climbed(ups)) + match[2]
        elif "/." not in plain:
            if plain[:1] == "/":
                if self._origin and _plain_path(plain):
                    return self._origin + plain
            elif "://" in plain:
                if _plain_link(plain) and "xn--" not in plain:
                    return plain
            elif self._origin and _plain_name(plain):
                return self._directory + plain
        return self._by_standard(reference)

    def _by_standard(self, reference: str) -> str | None:
        reference = without_fragment(reference.strip(_BLANKS))
        return _by_standard(reference, self._base) if len(reference) <= _LONGEST else None

    def _climbed(self, ups: str) -> str:
        path = self._directory[len(self._origin) :] + ups
        self._above[ups] = self._origin + without_dots(path)
        return self._above[ups]


def _remember(start: str, reference: str, url: str | None) -> dict[str, str | None]:
    """Returns all that is known of links from there."""
    global _left
    if _left <= 0:
        _known.clear()
        _left = _MOST_KNOWN
    _left -= 1
    there = _known.setdefault(start, {})
    there[reference] = url
    return there


@lru_cache(maxsize=4096)
def _by_standard(reference: str, base: str) -> str | None:
    try:
        url: str = ada_url.join_url(base, reference)
    except (ValueError, UnicodeError):
        return None
    return url.partition("#")[0] if url.startswith(("http://", "https://")) else None
