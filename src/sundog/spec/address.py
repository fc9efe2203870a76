"""Where requests go, if not to the host that a URL names."""

from __future__ import annotations

from sundog.errors import UsageError


def parse_address(text: str, called: str = "connect_to") -> tuple[str, int] | None:
    """HOST:PORT in two parts; None if nothing is given.

    >>> parse_address("[::1]:8080")
    ('::1', 8080)
    """
    if not text:
        return None
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise UsageError(f"{called} '{text}': HOST:PORT is expected, such as 127.0.0.1:8080")
    return host.strip("[]"), int(port)
