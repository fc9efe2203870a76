"""Relative references to absolute ones: by RFC 3986 for statements, as browsers do for links.

The two differ on purpose. RDF compares IRIs letter by letter, so an absolute one stays as its author wrote
it; a link is fetched, so it is what a browser would request.
"""

from __future__ import annotations

import re
from functools import lru_cache

import ada_url

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_BLANKS = " \t\n\r\f"
_LONGEST = 8_192  # characters of a link: four times what a URL may have that is fetched
# What needs no normalising: no escapes, no capitals in the host, no default port, no number as host.
_LETTERS = "A-Za-z0-9_!$&()*+,;=@/~."
_PLAIN_REST = rf"[{_LETTERS}-]*)(\?[{_LETTERS}:%-]*)?"
_PLAIN_LINK = re.compile(rf"(https?://(?:[a-z0-9-]+\.)+[a-z]+)(/{_PLAIN_REST}")
_PLAIN_PATH = re.compile(rf"(/(?!/){_PLAIN_REST}")
_PLAIN_NAME = re.compile(rf"([A-Za-z0-9_.-]{_PLAIN_REST}")


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

    __slots__ = ("_base", "_directory", "_origin")

    def __init__(self, base: str) -> None:
        self._base = base
        plain = _PLAIN_LINK.fullmatch(base.partition("#")[0])
        self._origin = plain[1] if plain else ""
        self._directory = without_dots(plain[2][: plain[2].rfind("/") + 1]) if plain else ""

    def resolve(self, reference: str) -> str | None:
        """None for what nobody can fetch: javascript:, mailto:, data:, broken URLs.

        >>> LinkResolver("http://a.example/b/").resolve(" ../c?d#e ")
        'http://a.example/c?d'
        """
        reference = reference.strip(_BLANKS)
        if "#" in reference:
            reference = without_fragment(reference)
        if len(reference) > _LONGEST:
            return None
        directory, pattern = self._directory, _PLAIN_NAME
        if reference[:1] == "/":
            directory, pattern = "", _PLAIN_PATH
        elif "://" in reference:
            if _PLAIN_LINK.fullmatch(reference) and "xn--" not in reference and "/." not in reference:
                return reference
            return _by_standard(reference, self._base)
        plain = pattern.fullmatch(reference) if self._origin else None
        if plain is None:
            return _by_standard(reference, self._base)
        if reference[0] != "." and "/." not in reference:
            return f"{self._origin}{directory}{reference}"
        return self._origin + without_dots(directory + plain[1]) + (plain[2] or "")


@lru_cache(maxsize=4096)
def _by_standard(reference: str, base: str) -> str | None:
    try:
        url: str = ada_url.join_url(base, reference)
    except (ValueError, UnicodeError):
        return None
    return url.partition("#")[0] if url.startswith(("http://", "https://")) else None
