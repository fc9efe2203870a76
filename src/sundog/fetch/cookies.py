"""Cookies of a crawl by RFC 6265: in memory only, and few, whatever servers send.

aiohttp's jar parses them and knows domains, paths, expiry and ``Secure``. Around it there are walls: each site has
a jar of its own, so no site can have or displace another's cookies, and no cookie is for all of a public suffix.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

import aiohttp
from yarl import URL

from sundog.fetch.target import Target
from sundog.urls.hosts import is_public_suffix, registered_domain

MOST_SITES = 1_000  # then those that were asked longest ago lose theirs
MOST_A_SITE = 50
MOST_AN_ANSWER = 20
LONGEST = 4_096  # bytes of a cookie with its attributes
LONGEST_HEADER = 8_000  # of all that are sent at once; many servers refuse more
NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII).fullmatch
DOMAIN = re.compile(r"[;\s]domain\s*=[\s\".]*([^;\s\"]*)", re.IGNORECASE)
SECURE = re.compile(r"[;\s]secure(?:[;\s=]|$)", re.IGNORECASE)
HIDDEN = re.compile(r"[;\s]httponly(?:[;\s=]|$)", re.IGNORECASE)  # from scripts, as what proves a login is
SHORTEST_SECRET = 16  # characters


class Sent(NamedTuple):
    """``header`` is empty if there are no cookies for the URL; ``secrets`` are values that prove who one is."""

    header: str = ""
    secrets: tuple[str, ...] = ()


class Cookies:
    """What the servers of a crawl want to be told again.

    A jar belongs to a registered domain, and cookies of http and https to one jar. URLs decide, not connections: a
    ``connect_to`` stands for every host.
    """

    def __init__(self) -> None:
        self._jars: OrderedDict[str, aiohttp.CookieJar] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._jars.values()))

    def sent_to(self, target: Target) -> Sent:
        site = registered_domain(target.hostname)
        jar = self._jars.get(site)
        if jar is None:
            return Sent()
        self._jars.move_to_end(site)
        pairs: list[str] = []
        room = LONGEST_HEADER
        for name, morsel in jar.filter_cookies(URL(target.href, encoded=True)).items():
            pairs.append(f"{name}={morsel.coded_value}")
            room -= len(pairs[-1]) + len("; ")
            if room < 0:
                pairs.pop()
                break
        return Sent("; ".join(pairs), _secrets(morsel.value for morsel in jar if morsel["httponly"]))

    def take(self, headers: Iterable[tuple[bytes, bytes]], target: Target) -> tuple[str, ...] | None:
        """What an answer sets; returns secrets among the values. None if it sets nothing."""
        given = [value.decode("latin-1") for name, value in headers if name.lower() == b"set-cookie"]
        wanted = [text for text in given[:MOST_AN_ANSWER] if _is_acceptable(text, target)]
        if not wanted:
            return None
        site = registered_domain(target.hostname)
        jar = self._jars.get(site)
        if jar is None:
            # unsafe: hosts may be addresses; unquoted: values go back as they came, not in Python's escapes
            jar = self._jars[site] = aiohttp.CookieJar(unsafe=True, quote_cookie=False)
        self._jars.move_to_end(site)
        for text in wanted:
            known = {morsel.key for morsel in jar}
            if len(jar) < MOST_A_SITE or _name(text) in known:  # what is known may be changed and ended
                jar.update_cookies_from_headers([text], URL(target.href, encoded=True))
            if len(jar) > MOST_A_SITE:  # one name for ever more paths
                jar.clear()
        while len(self._jars) > MOST_SITES:
            self._jars.popitem(last=False)
        return _secrets(text.partition(";")[0].partition("=")[2] for text in wanted if HIDDEN.search(text))


def _is_acceptable(text: str, target: Target) -> bool:
    """Not what is long or broken, for a whole public suffix, or ``Secure`` without being so."""
    if len(text) > LONGEST or not (text.isascii() and text.isprintable()) or not NAME(_name(text)):
        return False
    if SECURE.search(text) and not target.href.startswith("https:"):
        return False
    domains = [name.lower() for name in DOMAIN.findall(text) if name]
    return all(name == target.hostname or not is_public_suffix(name) for name in domains)


def _name(text: str) -> str:
    return text.partition(";")[0].partition("=")[0].strip()


def _secrets(values: Iterable[str]) -> tuple[str, ...]:
    """Others are names of languages, pages and products, which stand in pages for good reasons."""
    bare = (value.strip(' "') for value in values)
    return tuple(value for value in bare if len(value) >= SHORTEST_SECRET)
