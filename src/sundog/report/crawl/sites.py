"""Hosts and the parts of their sites, by number."""

from __future__ import annotations

import re

_AUTHORITY = re.compile(r"(?:.*?://)?([^/?#]*)/?([^?#]*)", re.DOTALL)


def host_and_part(url: str) -> tuple[str, str]:
    """The host, as the views of ``crawl.db`` have it, and the host with the first directory of the path.

    >>> [host_and_part(f"http://a.example{rest}")[1] for rest in ("/shop/1?x=2/3", "/shop", "", "?q")]
    ['a.example/shop/', 'a.example/', 'a.example/', 'a.example/']
    """
    found = _AUTHORITY.match(url)
    host, path = (found[1].partition("@"), found[2]) if found else (("", "", url), "")
    name = host[2] or host[0]
    first, slash, _ = path.partition("/")
    return name, f"{name}/{first}/" if slash else f"{name}/"


class Sites:
    """Numbers hosts and parts as they come."""

    def __init__(self) -> None:
        self._hosts: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        self.host_of_part: list[int] = []

    @property
    def hosts(self) -> list[str]:
        return list(self._hosts)

    def enter(self, url: str) -> tuple[int, int]:
        host, part = host_and_part(url)
        number = self._hosts.setdefault(host, len(self._hosts))
        place = self._parts.setdefault(part, len(self._parts))
        if place == len(self.host_of_part):
            self.host_of_part.append(number)
        return number, place

    def find(self, url: str) -> tuple[int, int]:
        """As ``enter``, but -1 for what did not come."""
        host, part = host_and_part(url)
        return self._hosts.get(host, -1), self._parts.get(part, -1)
