"""The Host header. A name that an attacker points at this machine must not make a browser talk to us."""

from __future__ import annotations

import ipaddress
import re

from sundog.web.settings import Settings, is_loopback

AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")


def is_allowed_host(host: str, settings: Settings) -> bool:
    """Addresses cannot be rebound; names must be known.

    >>> from pathlib import Path
    >>> site = Settings(root=Path("."), names=frozenset({"crawls.example"}))
    >>> [is_allowed_host(host, site) for host in ("localhost:8765", "[::1]", "crawls.example")]
    [True, True, True]
    >>> [is_allowed_host(host, site) for host in ("evil.example:8765", "10.0.0.1", "")]
    [False, False, False]
    """
    found = AUTHORITY.fullmatch(host)
    if not found:
        return False
    name = found[1].strip("[]").lower()
    if name in settings.names or is_loopback(name):
        return True
    return not is_loopback(settings.host) and _is_address(name)


def same_origin(origin: str, host: str) -> bool:
    """Whether the Origin header names the host that was asked."""
    return origin.partition("://")[2].lower() == host.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
