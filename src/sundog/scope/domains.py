"""Hosts and the domains that people register, by the Public Suffix List that tldextract brings along."""

from __future__ import annotations

from functools import cache, lru_cache

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


def host_of(url: str) -> str:
    """The host of a parsed http(s) URL, with its port if it has one.

    >>> host_of("https://a.example:8443/x")
    'a.example:8443'
    """
    return url.split("/", 3)[2]
