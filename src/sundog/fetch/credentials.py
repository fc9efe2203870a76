"""Headers that only one origin gets, and how what is secret in them is kept out of everything that is stored.

A server may repeat a secret in its answer: in a page that shows the request, in an error, in a redirect. So
answers to requests with secrets are searched for them, however they are spelt.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, quote_plus

SHORTEST = 8  # characters: what is shorter stands in pages by chance, and is not looked for
MARK = b"********"
NOT_KEPT = (b"set-cookie", b"set-cookie2")
Headers = tuple[tuple[bytes, bytes], ...]


class Credentials(NamedTuple):
    """What the requests to one origin carry; ``secrets`` are patterns of what must not be kept of it."""

    headers: Mapping[str, str]
    secrets: frozenset[bytes] = frozenset()

    def joined(self, other: Credentials | None) -> Credentials:
        """With those of the other, whose headers win."""
        if other is None:
            return self
        return Credentials({**self.headers, **other.headers}, self.secrets | other.secrets)


def patterns_of(secrets: Iterable[str]) -> frozenset[bytes]:
    """Regular expressions of the secrets, however an answer writes them.

    >>> redacted(b"p%26w-0123, p&amp;w-0123, p&#38;w-0123", patterns_of(["p&w-0123"]))
    b'********, ********, ********'
    """
    return frozenset(b"".join(map(_spelt, secret)) for secret in secrets if len(secret) >= SHORTEST)


@lru_cache(maxsize=256)
def _spelt(letter: str) -> bytes:
    """One character: in a URL, in HTML, in JSON, or as it is."""
    if letter.isascii() and (letter.isalnum() or letter in "-_.~"):
        return re.escape(letter).encode()
    code, percent = ord(letter), quote(letter, safe="")
    ways = {letter, percent, percent.lower(), quote_plus(letter), html.escape(letter), f"&#{code};"}
    ways |= {f"&#x{code:x};", f"&#x{code:X};", f"&#x{code:02x};", f"&#x{code:02X};", f"\\{letter}"}
    ways |= {json.dumps(letter)[1:-1], f"\\u{code:04x}", f"\\u{code:04X}"}
    return f"(?:{'|'.join(map(re.escape, sorted(ways, key=len, reverse=True)))})".encode()


@lru_cache(maxsize=1_024)
def _any_of(patterns: frozenset[bytes]) -> re.Pattern[bytes]:
    longest_first = sorted(patterns, key=len, reverse=True)
    return re.compile(b"|".join(longest_first))


def redacted(data: bytes, patterns: frozenset[bytes], *, truncated: bool = False) -> bytes:
    """Without the secrets. What is ``truncated`` may end with a part of one, at most as long as its pattern."""
    if not patterns:
        return data
    if truncated:
        data = data[: -max(map(len, patterns))]
    return _any_of(patterns).sub(MARK, data)


def redacted_text(text: str, patterns: frozenset[bytes]) -> str:
    if not patterns:
        return text
    return redacted(text.encode("utf-8", "surrogatepass"), patterns).decode("utf-8", "replace")


def redacted_headers(headers: Headers, patterns: frozenset[bytes]) -> Headers:
    return tuple((redacted(name, patterns), redacted(value, patterns)) for name, value in headers)


def without_cookies(headers: Headers) -> Headers:
    """To whoever has logged in, these are secrets too."""
    return tuple(header for header in headers if header[0].lower() not in NOT_KEPT)
