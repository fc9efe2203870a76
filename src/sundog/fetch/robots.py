"""robots.txt: who may go where, and how often (RFC 9309, read by protego)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

import ada_url
from protego import Protego

from sundog.fetch.values import NO_ANSWER, Limits, Page, Trouble

ROBOTS_LIMITS = Limits(types=None, max_bytes=500 * 1024, max_redirects=5, total=30.0)  # RFC 9309: 500 KiB
KEPT_FOR = 86_400.0
FIRST_WAIT, LONGEST_WAIT = 60.0, 3_600.0
MOST_SITEMAPS = 100
MOST_KNOWN = 100_000
MOST_CHARACTERS = 30_000_000  # of all files together; parsed, they take ten times as much
AGENT_LINE = re.compile(r"user[- ]?agent\s*:?\s*([^#]*)", re.IGNORECASE).match
SITEMAP_LINE = re.compile(r"site-?maps?\b", re.IGNORECASE).match


@dataclass(frozen=True, slots=True)
class Rules:
    """What one origin's robots.txt says to us until ``expires``.

    ``wait_until`` is set if there was no answer: then nothing is allowed, and it is to be asked again then;
    ``tries`` counts how often that has been so in a row. ``why``: what kept us from reading it.
    """

    expires: float
    file: Protego | None = None
    agent: str = ""
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    wait_until: float | None = None
    tries: int = 0
    size: int = 0
    why: Trouble | None = None
    digest: str = ""  # of what it says to us

    def allows(self, url: str) -> bool:
        if self.wait_until is not None:
            return False
        return self.file is None or bool(self.file.can_fetch(url, self.agent))


class Robots:
    """Rules by origin, such as ``https://a.example:8443``, kept for a day.

    >>> robots = Robots("sundog/0.1 (+https://crawler.example)")
    >>> rules = robots.read("https://a.example", "User-agent: *\\nDisallow: /private\\nCrawl-delay: 3", 0.0)
    >>> rules.allows("https://a.example/private/1"), rules.allows("https://a.example/"), rules.crawl_delay
    (False, True, 3.0)
    """

    def __init__(self, agent: str) -> None:
        self.agent = robot_name(agent)
        self._known: dict[str, Rules] = {}
        self._characters = 0

    def known(self, origin: str, now: float) -> Rules | None:
        """The rules, if they need not be asked for."""
        rules = self._known.get(origin)
        return rules if rules and now < rules.expires else None

    def learn(self, origin: str, result: Page | Trouble, now: float) -> Rules:
        """No file: all is allowed. No answer: nothing is, for now."""
        if isinstance(result, Page):
            return self.read(origin, result.body.decode("utf-8", "replace"), now)
        if result.kind in NO_ANSWER:
            before = self._known.get(origin)
            tries = before.tries + 1 if before else 1
            wait = max(result.retry_after or 0.0, min(FIRST_WAIT * 2.0 ** (tries - 1), LONGEST_WAIT))
            return self._keep(origin, Rules(now + wait, wait_until=now + wait, tries=tries, why=result))
        return self._keep(origin, Rules(now + KEPT_FOR, why=result))

    def read(self, origin: str, text: str, now: float) -> Rules:
        text = _for_us(text.removeprefix("\ufeff").replace("\0", ""), self.agent)
        file = Protego.parse(text)
        sitemaps = tuple(_absolute(origin, list(file.sitemaps)[:MOST_SITEMAPS]))
        delay = file.crawl_delay(self.agent)
        digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
        rules = Rules(now + KEPT_FOR, file, self.agent, delay, sitemaps, size=len(text), digest=digest)
        return self._keep(origin, rules)

    def _keep(self, origin: str, rules: Rules) -> Rules:
        self._forget(origin)
        self._known[origin] = rules
        self._characters += rules.size
        while len(self._known) > MOST_KNOWN or self._characters > MOST_CHARACTERS:
            self._forget(next(iter(self._known)))  # to ask again is polite enough
        return rules

    def _forget(self, origin: str) -> None:
        old = self._known.pop(origin, None)
        if old is not None:
            self._characters -= old.size


def robot_name(agent: str) -> str:
    """The name by which rules address whoever has this user agent.

    >>> robot_name("MyBot/1.0 (+https://crawler.example)")
    'mybot'
    """
    return agent.partition("/")[0].strip().lower() or "sundog"


def _for_us(text: str, agent: str) -> str:
    """Without the rules for others: thousands of robots with thousands of rules each would be millions."""
    kept: list[str] = []
    ours = among_names = False
    for line in map(str.strip, text.splitlines()):
        if named := AGENT_LINE(line):
            ours = ours and among_names
            among_names = True
            if _is_ours(named[1].strip().lower(), agent):
                ours = True
                kept.append(line)
        elif SITEMAP_LINE(line):
            kept.append(line)
        elif line and not line.startswith("#"):
            among_names = False
            if ours:
                kept.append(line)
    return "\n".join(kept)


def _is_ours(name: str, agent: str) -> bool:
    """Names match the beginnings of ours, as protego has it, which decides in the end."""
    return name == "*" or name.replace("*", "") in agent


def _absolute(origin: str, urls: list[str]) -> list[str]:
    found: list[str] = []
    for url in urls:
        try:
            found.append(ada_url.join_url(f"{origin}/", url))
        except ValueError:
            continue
    return found
