"""From a profile and a seed to a web: structure, markup, links, URLs, then a shuffle."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.linking import build_links
from sundog.worlds.synthetic.markup import build_markup
from sundog.worlds.synthetic.profiles import PROFILES, Profile, find_profile
from sundog.worlds.synthetic.structure import build_hosts, build_pages
from sundog.worlds.synthetic.urls import build_urls
from sundog.worlds.synthetic.web import SyntheticWeb, gather

Progress = Callable[[str], None]


def generate(
    profile: str | Profile, *, pages: int, hosts: int, seed: int, progress: Progress | None = None
) -> SyntheticWeb:
    """Make a web of exactly `pages` pages on `hosts` hosts; the same arguments, the same bytes."""
    chosen = find_profile(profile, PROFILES)
    _check_sizes(pages, hosts)
    report = progress or (lambda _: None)
    streams = np.random.SeedSequence(seed).spawn(3)
    rng = np.random.Generator(np.random.PCG64(streams[0]))
    keys = [int(key) for key in streams[1].generate_state(4, np.uint64) >> np.uint64(1)]
    report(f"laying out {pages:,} pages on {hosts:,} hosts")
    site = build_hosts(chosen, pages, hosts, rng)
    page = build_pages(site, keys[0])
    report("deciding markup")
    markup = build_markup(chosen, site, page, rng, keys[1])
    report("drawing links")
    alike = site.family * 2 + markup.adopts.astype(np.int32)
    links = build_links(chosen, site, page, alike, keys[2])
    report("writing URLs")
    urls = build_urls(chosen, site, page, keys[3])
    report("shuffling pages")
    order = _file_order(pages, np.random.Generator(np.random.PCG64(streams[2])))
    return _in_file_order(order, page.host, markup.counts, (links.targets, links.offsets), urls)


def _check_sizes(pages: int, hosts: int) -> None:
    if hosts < 1:
        raise ValueError(f"hosts = {hosts}: a web needs at least one host")
    if pages < hosts:
        raise ValueError(f"pages = {pages} is less than hosts = {hosts}: every host has a page")
    if pages >= 2**31:
        raise ValueError(f"pages = {pages}: page numbers must fit into 31 bits")


def _file_order(pages: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Host-order numbers of the pages in file order: the root first, the others shuffled."""
    return np.concatenate(([0], 1 + rng.permutation(pages - 1)))


def _in_file_order(
    order: NDArray[np.int64], host: NDArray[np.int32], counts: dict[str, NDArray[np.int32]],
    links: tuple[Any, Any], urls: tuple[Any, Any],
) -> SyntheticWeb:  # fmt: skip
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    targets, link_offsets = gather(*links, order)
    url_bytes, url_offsets = gather(*urls, order)
    return SyntheticWeb(
        url_bytes=url_bytes,
        url_offsets=url_offsets,
        counts={name: values[order] for name, values in counts.items()},
        link_offsets=link_offsets,
        link_targets=number[targets],
        host_of=host[order],
    )
