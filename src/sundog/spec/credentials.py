"""The secrets of a whole spec: whether all that it names are there, and who gets them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from sundog.fetch.credentials import Credentials
from sundog.spec.crawl import CrawlSpec
from sundog.spec.secrets import check_named, check_no_literal_secret, filled


def credentials_of(spec: CrawlSpec, environment: Mapping[str, str]) -> dict[str, Credentials]:
    """What a crawl sends, by origin. Raises UsageError for a secret that is not there."""
    found = spec.world_kind.credentials(environment)
    for each in spec.access:
        for origin, credentials in each.credentials(environment).items():
            found[origin] = credentials.joined(found.get(origin))
    return found


def proxy_of(spec: CrawlSpec, environment: Mapping[str, str]) -> str | None:
    """The URL of the proxy, with the password that it names."""
    return filled(spec.proxy, "proxy", environment, [], spelt=lambda secret: quote(secret, safe="")) or None


def check_secrets(spec: CrawlSpec, environment: Mapping[str, str]) -> None:
    """Raises UsageError for one that is not there, before anything else happens."""
    credentials_of(spec, environment)
    proxy_of(spec, environment)


def check_no_literals(spec: CrawlSpec) -> None:
    """Raises UsageError for secrets in other places of the spec; crawls of earlier versions may have some."""
    check_no_literal_secret(spec.api.headers, "api.headers")
    user, _, _ = spec.proxy.partition("://")[2].partition("/")[0].rpartition("@")
    if user:
        check_named(user, "proxy")
