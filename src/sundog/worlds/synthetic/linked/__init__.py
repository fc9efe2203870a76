"""From a profile and a seed to a Web of Data: datasets, vocabularies, people, and the pages that they link to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.linked.kinds import LINKED, LinkedProfile
from sundog.worlds.synthetic.linked.links import LinkTable, build_links
from sundog.worlds.synthetic.linked.publishers import CONTENT_TYPES, Uris, build_hosts, build_uris
from sundog.worlds.synthetic.profiles import find_profile
from sundog.worlds.synthetic.web import Labels, SyntheticWeb, offsets_of


def generate_linked(
    profile: str | LinkedProfile,
    *,
    pages: int,
    hosts: int,
    seed: int,
    progress: Callable[[str], None] | None = None,
) -> SyntheticWeb:
    """Make a Web of Data of exactly `pages` URIs on `hosts` hosts; the same arguments, the same bytes."""
    chosen = find_profile(profile, LINKED)
    if not 100 <= 10 * hosts <= pages < 2**31:
        raise ValueError(
            f"pages = {pages}, hosts = {hosts}: a Web of Data has 10 hosts or more, of 10 URIs or more"
        )
    report = progress or (lambda _: None)
    rng = np.random.Generator(np.random.PCG64(seed))
    report(f"laying out {pages:,} URIs on {hosts:,} hosts")
    publishers = build_hosts(chosen, pages, hosts, rng)
    uris = build_uris(chosen, publishers, rng)
    report("drawing links")
    links = build_links(chosen, publishers, uris, rng)
    report("shuffling URIs")
    return _in_file_order(uris, links, rng)


def _in_file_order(uris: Uris, links: LinkTable, rng: np.random.Generator) -> SyntheticWeb:
    """URI 0 links to the most hosts, for a crawl may begin there; the others are in random order."""
    count = len(uris.host)
    degree = np.bincount(links.source, minlength=count)
    order = rng.permutation(count)
    pairs = np.unique(links.source * (uris.host.max() + 1) + uris.host[links.target])
    root = np.bincount(pairs // (uris.host.max() + 1), minlength=count).argmax()
    first = int(np.flatnonzero(order == root)[0])
    order[[0, first]] = order[[first, 0]]
    number = np.empty(count, np.int32)
    number[order] = np.arange(count, dtype=np.int32)
    by_page = np.argsort(number[links.source], kind="stable")
    encoded = [uris.urls[row].encode("ascii") for row in order.tolist()]
    return SyntheticWeb(
        url_bytes=np.frombuffer(b"".join(encoded), np.uint8),
        url_offsets=offsets_of([len(url) for url in encoded]),
        counts=_counts(uris, order, rng),
        link_offsets=offsets_of(degree[order]),
        link_targets=number[links.target][by_page],
        host_of=uris.host[order],
        content_types=Labels(uris.content_type[order], CONTENT_TYPES),
        statuses=np.where(uris.dead[order], 404, 200).astype(np.int32),
        link_properties=Labels(links.property[by_page], tuple(links.properties)),
    )


def _counts(uris: Uris, order: NDArray[np.int64], rng: np.random.Generator) -> dict[str, NDArray[np.int32]]:
    """Statements of RDF in any syntax, and how many of them stand in HTML."""
    statements = np.where(uris.rdf, 1 + rng.poisson(20, len(order)), 0).astype(np.int32)
    in_rdfa = uris.embedded & (rng.random(len(order)) < 0.6)
    in_jsonld = uris.embedded & ~in_rdfa
    counts = {"rdf": statements, "rdfa": statements * in_rdfa, "jsonld": statements * in_jsonld}
    return {name: values[order].astype(np.int32) for name, values in counts.items()}
