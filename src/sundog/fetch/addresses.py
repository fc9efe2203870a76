"""Which addresses may be asked: public ones only. What is not surely public is refused."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

LOCAL_NAMES = ("localhost", "localhost.localdomain")
NOT_PUBLIC_4 = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local, and clouds' metadata services
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # relays from IPv6 to IPv4
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",  # multicast, reserved, broadcast
    )
)
PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
NOT_PUBLIC_6 = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "2001::/23",  # special purposes, among them Teredo
        "2001:db8::/32",
        "2002::/16",  # 6to4: carries any IPv4 address
        "3fff::/20",
    )
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@lru_cache(maxsize=4096)
def is_public(address: str) -> bool:
    """Whether an IP address, as text, belongs to the public Internet.

    >>> [is_public(text) for text in ("93.184.215.14", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "?")]
    [True, False, False, False, False]
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        return _is_public_6(ip)
    return not any(ip in network for network in NOT_PUBLIC_4)


def counted_as(address: str) -> str:
    """The one name of an address by which requests to it are counted; a translated one counts as its IPv4 address.

    >>> [counted_as(text) for text in ("1.2.3.4", "::ffff:1.2.3.4", "64:ff9b::102:304", "2606:4700:0::1")]
    ['1.2.3.4', '1.2.3.4', '1.2.3.4', '2606:4700::1']
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str((isinstance(ip, ipaddress.IPv6Address) and _inner_4(ip)) or ip)


def _inner_4(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that is reached by way of this one."""
    return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else ip.ipv4_mapped


def _is_public_6(ip: ipaddress.IPv6Address) -> bool:
    if ip.scope_id:
        return False
    if (inner := _inner_4(ip)) is not None:
        return is_public(str(inner))
    return ip in PUBLIC_6 and not any(ip in network for network in NOT_PUBLIC_6)


def names_private_address(host: str) -> bool:
    """Whether a host, as a parsed URL has it, is itself an address that is not public, or this machine's name.

    >>> [names_private_address(host) for host in ("[::1]", "10.1.2.3", "localhost", "example.org", "8.8.8.8")]
    [True, True, True, False, False]
    """
    if host.startswith("["):
        return not is_public(host[1:-1])
    bare = host.rstrip(".")
    if bare[-1:].isdigit():  # URL parsing lets a name end in a number only if it is an IPv4 address
        return not is_public(bare)
    return bare in LOCAL_NAMES or bare.endswith(".localhost")


def is_loopback(host: str) -> bool:
    """Whether a host, as a parsed URL has it, is this machine by its very name or address.

    >>> [is_loopback(host) for host in ("127.0.0.1", "[::1]", "localhost", "10.1.2.3", "localhost.example.org")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host in LOCAL_NAMES
