"""Hosts and the domains that people register, by the Public Suffix List that tldextract brings along."""

from __future__ import annotations

from functools import cache, lru_cache
from urllib.parse import urlsplit

import tldextract


@cache
def _extractor() -> tldextract.TLDExtract:
    """Loaded when first used; never asks the network, never writes a file."""
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@lru_cache(maxsize=65_536)
def registered_domain(host: str) -> str:
    """The host itself if it is an address or has no registered domain.

    >>> [registered_domain(host) for host in ("www.shop.co.uk", "a.me.github.io", "10.0.0.1", "web")]
    ['shop.co.uk', 'me.github.io', '10.0.0.1', 'web']
    """
    name = host if host.startswith("[") else host.partition(":")[0]
    return _extractor().extract_str(name).top_domain_under_public_suffix or name


def host_of_parsed(url: str) -> str:
    """The host of a parsed http(s) URL, with its port if it has one.

    >>> host_of_parsed("https://a.example:8443/x")
    'a.example:8443'
    """
    return url.split("/", 3)[2]


def origin_of(url: str) -> str:
    """
    >>> origin_of("https://a.example:8443/x?y")
    'https://a.example:8443'
    """
    end = url.find("/", url.find("://") + 3)
    origin = url if end < 0 else url[:end]
    return origin.partition("?")[0].partition("#")[0] if "?" in origin or "#" in origin else origin


def host_of(url: str) -> str:
    """The host by which a server is asked, with its port if the URL has one: pace and leases go by it.

    >>> host_of("https://a.example:8443/x?y")
    'a.example:8443'
    """
    return origin_of(url).partition("://")[2]


def origin_of_iri(url: str) -> str:
    """Scheme and authority; '' if there is none.

    >>> origin_of_iri("http://a.example/x")
    'http://a.example'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
