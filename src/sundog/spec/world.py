"""What a live crawl may explore: each kind of world answers for itself what its crawls are like.

The tables ``[api]`` and ``[form]`` of a spec are such kinds; the Web needs no table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sundog.errors import UsageError
from sundog.fetch.credentials import Credentials
from sundog.fetch.pace import Manners
from sundog.urls.identity import identity

if TYPE_CHECKING:
    from sundog.objectives import Objective

USUAL_OBJECTIVE = "any"  # of a spec that names none


class WorldKind:
    """The answers of a world of nodes behind one host; others differ in some of them."""

    summary = ""  # one line, for ``sundog worlds``
    seed_word = ""  # what a crawl begins with
    unit = "pages"  # what the budget counts, in the plural
    has_pages = False  # so that [rdf], [patterns], warc, HEAD requests and traps make sense
    is_one_host = True  # visited one node at a time: whoever chooses later knows more
    one_at_a_time = False  # so that its crawls are the same every time
    counts_requests = True  # each is kept before it leaves: a node takes several, and windows outlive the process

    def check(self) -> None:
        """Raises UsageError; only for a crawl whose world this is."""

    def check_seed(self, seed: str) -> None:
        if self.seed_url(seed) is None:
            raise UsageError(f"the seed '{seed}' is no {self.seed_word} that can be asked for")

    def check_objective(self, objective: Objective, environment: Mapping[str, str]) -> None:
        """Raises UsageError for what would fail only in the middle of the crawl."""

    def credentials(self, environment: Mapping[str, str]) -> dict[str, Credentials]:
        """What its servers get, by origin. Raises UsageError for a secret that is not there."""
        return {}

    def seed_url(self, seed: str) -> str | None:
        """The URL by which the crawl knows it; None if there is none."""
        raise NotImplementedError

    def obeys_robots(self, following: bool) -> bool:
        """``following``: what the spec says of the Web."""
        return following

    def manners(self, usual: Manners) -> Manners:
        """Towards its servers."""
        return usual

    def windows_budget(self, seconds: float | None) -> int | None:
        """What rate windows allow in the time of the crawl; None if there are none."""
        return None

    @property
    def longest_window(self) -> float:
        """Seconds of a window that the crawl waits for, however impatient it is."""
        return 0.0

    def budget_line(self, seconds: float | None, budget: int) -> str:
        """Where the budget comes from, if that is worth a line."""
        return ""

    def spent(self, fetched: int, requests: int) -> int:
        """Of the budget."""
        return requests if self.unit == "requests" else fetched


class Web(WorldKind):
    """Pages, wherever links lead."""

    summary = "the live Web, or whatever --connect-to stands for: sundog crawl"
    seed_word = "URL"
    has_pages = True
    is_one_host = False
    counts_requests = False

    def check_seed(self, seed: str) -> None:
        check_seed(seed)

    def check_objective(self, objective: Objective, environment: Mapping[str, str]) -> None:
        objective.judge().close()

    def seed_url(self, seed: str) -> str | None:
        return identity(seed)


WEB = Web()


def check_seed(url: str) -> None:
    if "://" not in url:
        raise UsageError(f"the seed '{url}' is no URL: it needs a scheme, e.g. https://{url}")
    if identity(url) is None:
        raise UsageError(f"the seed '{url}' cannot be crawled: it needs http or https, and a valid host and port")


def identity_kept(url: str | None) -> str | None:
    """The URL of a node if it can be crawled at all; unlike a page's, no part of it is noise."""
    return url if url is not None and identity(url) is not None else None
