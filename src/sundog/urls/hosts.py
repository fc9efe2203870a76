"""Of a URL its host, its origin and the domain that somebody registered."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract

_PARTS = re.compile(r"([^/?#]*?)://([^/?#]*)(.*)", re.DOTALL)


def origin_of(url: str) -> str:
    """Scheme and authority; '' if there is no authority.

    >>> origin_of("https://a.example:8443/x?y"), origin_of("urn:isbn:1")
    ('https://a.example:8443', '')
    """
    found = _PARTS.match(url)
    return f"{found[1].lower()}://{found[2]}" if found and found[2] else ""


def host_of(url: str) -> str:
    """The host by which a server is asked, with its port if the URL has one: pace and leases go by it.

    >>> host_of("https://a.example:8443/x?y"), host_of("http://me@a.example?q"), host_of("urn:isbn:1")
    ('a.example:8443', 'a.example', '')
    """
    return split_host(url)[0]


def split_host(url: str) -> tuple[str, str]:
    """The host, as ``host_of`` has it, and all that follows it.

    >>> split_host("http://a.example/x?y"), split_host("http://a.example")
    (('a.example', '/x?y'), ('a.example', ''))
    """
    found = _PARTS.match(url)
    if not found:
        return "", url
    authority: str = found[2]
    return authority[authority.rfind("@") + 1 :], found[3]


def without_port(host: str) -> str:
    """
    >>> without_port("a.example:8443"), without_port("[::1]:80"), without_port("[::1]")
    ('a.example', '[::1]', '[::1]')
    """
    if host.startswith("["):
        return host[: host.rfind("]") + 1] or host
    return host.partition(":")[0]


@lru_cache(maxsize=65_536)
def registered_domain(host: str) -> str:
    """The host itself if it is an address or has no registered domain.

    >>> [registered_domain(host) for host in ("www.shop.co.uk", "a.me.github.io", "10.0.0.1", "web")]
    ['shop.co.uk', 'me.github.io', '10.0.0.1', 'web']
    """
    name = without_port(host)
    return _extractor().extract_str(name).top_domain_under_public_suffix or name


def is_public_suffix(name: str) -> bool:
    """Whether anybody can register names under this one. Of what the list does not know, top levels are.

    >>> [is_public_suffix(name) for name in ("co.uk", "github.io", "example", "shop.co.uk", "a.example")]
    [True, True, True, False, False]
    """
    return "." not in name or _extractor().extract_str(name).suffix == name


@cache
def _extractor() -> TLDExtract:
    """By the Public Suffix List that tldextract brings along. It never asks the network or writes a file."""
    from tldextract import TLDExtract  # slow to import, for it brings an HTTP client along

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
