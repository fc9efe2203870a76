"""What a crawl that prefers RDF does differently: types, links, limits."""

from __future__ import annotations

from dataclasses import replace

from sundog.errors import UsageError
from sundog.extract.statement_links import Follow
from sundog.fetch.values import Limits
from sundog.media_types import DATA_TYPES, PAGE_TYPES, is_packed_file, is_rdf_file
from sundog.policies.presets import find_policy
from sundog.scope.link_filter import LinkFilter
from sundog.spec import CrawlSpec


def follow_of(spec: CrawlSpec) -> Follow | None:
    positions = spec.rdf.followed(preferred=spec.prefers_rdf)
    if positions is None:
        return None
    policy = find_policy(spec.policy)
    siblings = policy.compares_siblings(policy.read(spec.policy_parameters))
    return Follow(positions, spec.rdf.property_iris, spec.rdf.page_links, siblings)


def link_filter_of(spec: CrawlSpec) -> LinkFilter:
    return LinkFilter(
        spec.whole_scope,
        nofollow=spec.following.nofollow,
        by_property=follow_of(spec) is not None,
        dumps=spec.reads_dumps,
    )


def limits_of(spec: CrawlSpec) -> Limits:
    """RDF is often misdeclared, so more types are read; the user's own list stays as it is."""
    if spec.prefers_rdf and spec.limits.types == PAGE_TYPES:
        return replace(spec.limits, types=DATA_TYPES)
    return spec.limits


def may_be_dump(url: str) -> bool:
    """By its name: a file of RDF, or one that may hold some.

    >>> may_be_dump("http://a.example/all.zip"), may_be_dump("http://a.example/resource/1")
    (True, False)
    """
    return is_rdf_file(url) or is_packed_file(url)


def largest_page(spec: CrawlSpec) -> int:
    """Bytes."""
    return (dump_limits_of(spec) or limits_of(spec)).max_bytes


def check_bytes(spec: CrawlSpec) -> None:
    """Raises UsageError if not one page could be fetched, for it might be too large."""
    if spec.bytes is None:
        return
    if not spec.world_kind.has_pages:
        raise UsageError(f'bytes are counted of pages: not for world = "{spec.world}"')
    if spec.bytes < (largest := largest_page(spec)):
        raise UsageError(
            f"bytes = {spec.bytes:,}: a page may have {largest:,}; give more, or make limits.max_bytes less"
        )


def dump_limits_of(spec: CrawlSpec) -> Limits | None:
    """For what may be a dump by its name; None: dumps are not read."""
    if not spec.reads_dumps:
        return None
    limits = limits_of(spec)
    return replace(limits, max_bytes=max(spec.rdf.dump_bytes, limits.max_bytes))
