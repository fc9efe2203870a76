"""A URL as a request needs it: parsed as browsers do, and refused if a crawler has no business with it."""

from __future__ import annotations

from typing import NamedTuple

import ada_url

from sundog.fetch.values import Trouble, trouble
from sundog.urls.hosts import without_port


class Target(NamedTuple):
    href: str  # without its fragment
    host: str  # as in the Host header, with a port that is not the scheme's own
    hostname: str
    path: str  # and query


def parse_target(url: str, *, base: str = "", max_length: int) -> Target | Trouble:
    """
    >>> parse_target("../é?#x", base="https://Shop.example:443/a/b/c", max_length=99)
    Target(href='https://shop.example/a/%C3%A9?', host='shop.example', hostname='shop.example', path='/a/%C3%A9?')
    >>> parse_target("ftp://a.example/", max_length=99).kind
    'bad-url'
    """
    if len(url) > 4 * max_length:  # parsing may shorten it, but not so much
        return trouble("bad-url", f"longer than {max_length} characters", was_asked=False)
    try:
        href = ada_url.join_url(base, url) if base else ada_url.normalize_url(url)
    except ValueError:
        return trouble("bad-url", "not a URL", was_asked=False)
    return _split(href.partition("#")[0], max_length)


def _split(href: str, max_length: int) -> Target | Trouble:
    """Parsed http(s) URLs have an authority and a path, always."""
    scheme, separator, rest = href.partition("://")
    if scheme not in ("http", "https") or not separator:
        return trouble("bad-url", "not an http or https URL", was_asked=False)
    if len(href) > max_length:
        return trouble("bad-url", f"longer than {max_length} characters", was_asked=False)
    host, _, path = rest.partition("/")
    if "@" in host:
        return trouble("bad-url", "a user name or password in the URL", was_asked=False)
    return Target(href, host, without_port(host), f"/{path}")
