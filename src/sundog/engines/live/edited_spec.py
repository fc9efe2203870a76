"""What was changed in a crawl's ``spec.toml`` since it began, where that does not do what one would think."""

from __future__ import annotations

from collections.abc import Iterator

from sundog.spec import CrawlSpec
from sundog.store import CrawlStore
from sundog.store.directory import SPEC

POLICY = "policy"  # the state with the policy that chose last; crawls of earlier versions have none


def keep_policy(spec: CrawlSpec, store: CrawlStore) -> None:
    """For whoever resumes the crawl."""
    store.save(POLICY, [spec.policy, spec.policy_parameters])


def edits(spec: CrawlSpec, store: CrawlStore) -> Iterator[str]:
    """One sentence for each."""
    begun = next(store.seeds(), None)  # none if it was stopped before its seeds were stored
    is_known = begun is not None and begun[0] > 0  # what a repair has to offer comes before the first step
    if begun is not None and is_known and set(store.urls_of(begun[1].tolist()).values()) != set(spec.seed_urls):
        yield f"{store.directory / SPEC} has other seeds than the crawl began with: such an edit has no effect"
    earlier = store.state(POLICY)
    if earlier is not None and earlier != [spec.policy, spec.policy_parameters]:
        yield (
            f"{store.directory / SPEC} has another policy than the crawl so far: from now on pages are chosen by "
            f"{spec.policy}, not by {earlier[0]}{' with its earlier parameters' * (earlier[0] == spec.policy)}"
        )
