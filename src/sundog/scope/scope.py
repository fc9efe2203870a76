"""The bounds of a crawl as its user sets them; regular expressions in linear time, whatever the pattern."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import re2

from sundog.errors import UsageError
from sundog.media_types import NO_PAGES
from sundog.scope.traps import shape_trap, split_url
from sundog.urls.hosts import host_of, registered_domain, without_port

MOST_HOSTS_REMEMBERED = 200_000
Extent = Literal["host", "domain", "web"]


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Which URLs belong to a crawl. Empty fields allow everything.

    ``domains`` hold all hosts below them; ``paths`` are prefixes; ``include`` and ``exclude`` are regular
    expressions that are searched in the whole URL, ``exclude`` wins; ``skip_types`` are file extensions.

    >>> scope = Scope(domains=frozenset({"shop.example"}), max_depth=3, exclude=("/cart",))
    >>> scope.check("https://www.shop.example/item/1", depth=2)
    >>> scope.check("https://www.shop.example/cart"), scope.check("https://other.example/")
    ('excluded by a pattern', 'host out of scope')
    """

    hosts: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int | None = None
    skip_types: frozenset[str] = NO_PAGES
    languages: frozenset[str] = frozenset()
    avoid_traps: bool = True

    @classmethod
    def around(cls, seeds: Iterable[str], extent: Extent) -> Scope:
        """The hosts of the seeds, their registered domains, or the whole Web."""
        hosts = frozenset(host_of(seed) for seed in seeds)
        match extent:
            case "host":
                return cls(hosts=hosts)
            case "domain":
                return cls(domains=frozenset(registered_domain(host) for host in hosts))
            case "web":
                return cls()

    def check(self, url: str, depth: int = 0, language: str = "") -> str | None:
        """Why the URL is out of scope; None if it is not. The URL is one that ``identity`` gave."""
        if self.max_depth is not None and depth > self.max_depth:
            return "deeper than allowed"
        host, path, query = split_url(url)
        if not self.holds_host(host):
            return "host out of scope"
        name = path[path.rfind("/") + 1 :]
        if "." in name and name.rpartition(".")[2].lower() in self.skip_types:
            return "file type"
        if self.paths and not f"/{path}".startswith(self.paths):
            return "path out of scope"
        if self._include and not self._include.found_in(url):
            return "not included by a pattern"
        if self._exclude and self._exclude.found_in(url):
            return "excluded by a pattern"
        if language and self.languages and not self.holds_language(language):
            return "language"
        return shape_trap(path, query) if self.avoid_traps else None

    def holds_language(self, tag: str) -> bool:
        """``en`` holds ``en-GB``.

        >>> Scope(languages=frozenset({"en"})).holds_language("en-GB")
        True
        """
        return not self.languages or bool({tag.lower(), tag.lower().partition("-")[0]} & self.languages)

    def holds_host(self, host: str) -> bool:
        """Whether pages of this host may be in scope."""
        if not self.hosts and not self.domains:
            return True
        known = self._verdicts.get(host)
        if known is None:
            if len(self._verdicts) >= MOST_HOSTS_REMEMBERED:
                self._verdicts.clear()
            known = self._verdicts[host] = self._judge_host(host)
        return known

    def _judge_host(self, host: str) -> bool:
        name = without_port(host)
        labels = name.split(".")
        parents = (".".join(labels[at:]) for at in range(len(labels)))
        return host in self.hosts or name in self.hosts or any(parent in self.domains for parent in parents)

    @cached_property
    def _verdicts(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _include(self) -> UrlPatterns | None:
        return UrlPatterns(self.include) if self.include else None

    @cached_property
    def _exclude(self) -> UrlPatterns | None:
        return UrlPatterns(self.exclude) if self.exclude else None

    def __post_init__(self) -> None:
        """Patterns are compiled now, so that a wrong one is an error before anything is fetched."""
        _ = self._include, self._exclude


class UrlPatterns:
    """Several patterns, searched together.

    >>> UrlPatterns(["(a+)+$", r"/item/\\d+"]).found_in("https://shop.example/item/7")
    True
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        options = re2.Options()
        options.log_errors = False
        self._set = re2.Set.SearchSet(options)
        for pattern in patterns:
            try:
                re2.compile(pattern, options)  # the set would not say what is wrong
                self._set.Add(pattern)
            except re2.error as error:
                raise UsageError(f"the pattern '{pattern}' cannot be used: {_message(error)}") from error
        self._set.Compile()

    def found_in(self, url: str) -> bool:
        return bool(self._set.Match(url))


def _message(error: Exception) -> str:
    """re2 gives its messages as bytes."""
    message = error.args[0] if error.args else ""
    return message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
