"""Webs whose pages change by known processes, and whose sitemaps tell of it, truly or not.

The web itself is one of `web2024`; its pages get templates, numbers of entities, rates and the times of their
changes. The same arguments give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.generate import generate
from sundog.worlds.synthetic.profiles import check_shares, find_profile
from sundog.worlds.synthetic.web import Changes, SyntheticWeb

Times = tuple[NDArray[np.int64], NDArray[np.float64]]  # pages, and days


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangingProfile:
    """How the pages of a web change. All shares lie in [0, 1]."""

    name: str
    summary: str
    days: int = 60
    """For how many days the changes are known."""
    median: float = 0.07
    """Changes per day of the page in the middle."""
    host_spread: float = 1.0
    """Standard deviation of the logarithm of rates from host to host."""
    template_spread: float = 1.2
    """From template to template of a host."""
    page_spread: float = 0.9
    """From page to page of a template."""
    fastest: float = 24.0
    """No page changes more often per day."""
    template_pages: int = 25
    """About how many pages a template has; every host has at least one template."""
    busy_share: float = 0.0
    """Share of time in which all changes of a page happen; 0: at any time. Busy times last two days."""
    weekend: float = 1.0
    """Changes on a day of the weekend, for each on another day."""
    together_share: float = 0.0
    """Share of a page's changes that all pages of its template have at the same time."""
    sitemap_share: float = 0.0
    """Hosts whose sitemap has dates of change."""
    lying_share: float = 0.5
    """Of these, the share whose dates are false: a third says today for all pages, a third has dates that have
    nothing to do with changes, a third never changes its dates."""
    late: float = 0.1
    """Mean days until an honest sitemap tells of a change."""

    def __post_init__(self) -> None:
        check_shares(self, ())


CHANGING_PROFILES = (
    ChangingProfile(name="changing", summary="pages change by chance, at rates from years to hours"),
    ChangingProfile(name="changing-bursts", summary="pages rest for days and then change often", busy_share=0.2),
    ChangingProfile(name="changing-weekdays", summary="pages change on working days", weekend=0.1),
    ChangingProfile(
        name="changing-together",
        summary="most changes are those of a whole template",
        together_share=0.7,
        page_spread=0.4,
    ),
    ChangingProfile(
        name="changing-sitemaps", summary="sitemaps tell of changes, and half of them lie", sitemap_share=0.8
    ),
)
CHANGING = {profile.name: profile for profile in CHANGING_PROFILES}


def generate_changing(
    profile: str | ChangingProfile,
    *,
    pages: int,
    hosts: int,
    seed: int,
    progress: Callable[[str], None] | None = None,
) -> SyntheticWeb:
    """A web of `web2024` whose pages change."""
    chosen = find_profile(profile, CHANGING)
    web = generate("web2024", pages=pages, hosts=hosts, seed=seed, progress=progress)
    if progress:
        progress(f"drawing changes of {chosen.days} days")
    rng = np.random.default_rng([seed, 20])
    template, template_host = _templates(web.host_of, chosen, rng)
    rate = _rates(chosen, template, template_host, rng)
    changes = _changes(chosen, rate, template, rng)
    hints = _hints(chosen, changes, web.host_of, rng)
    entities = rng.geometric(0.3, web.pages).astype(np.int32)
    return replace(web, changes=Changes(template, entities, rate, *_in_order(changes), *_in_order(hints)))


def _templates(
    host_of: NDArray[np.int32], profile: ChangingProfile, rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The template of each page, and the host of each template; the first templates of a host are the largest."""
    sizes = np.bincount(host_of)
    number = 1 + rng.binomial(np.maximum(sizes - 1, 0), 1.0 / profile.template_pages)
    first = np.concatenate(([0], np.cumsum(number)[:-1]))
    within = (rng.random(len(host_of)) ** 1.5 * number[host_of]).astype(np.int64)
    return (first[host_of] + within).astype(np.int32), np.repeat(np.arange(len(sizes)), number)


def _rates(
    profile: ChangingProfile, template: NDArray[np.int32], host: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.float64]:
    hosts = profile.host_spread * rng.standard_normal(int(host.max()) + 1)
    templates = hosts[host] + profile.template_spread * rng.standard_normal(len(host))
    logs = templates[template] + profile.page_spread * rng.standard_normal(len(template))
    return np.minimum(profile.median * np.exp(logs), profile.fastest)


def _changes(
    profile: ChangingProfile, rate: NDArray[np.float64], template: NDArray[np.int32], rng: np.random.Generator
) -> Times:
    """A page's own changes, and those of its template, whose rate is the median of its pages'."""
    own = _poisson(rate * (1.0 - profile.together_share), profile, rng)
    if not profile.together_share:
        return own
    order = np.argsort(template, kind="stable")
    _, first, sizes = np.unique(template[order], return_index=True, return_counts=True)
    shared_rate = np.array([np.median(rate[order[a : a + n]]) for a, n in zip(first, sizes, strict=True)])
    rate[order] = rate[order] * (1.0 - profile.together_share) + np.repeat(
        shared_rate * profile.together_share, sizes
    )
    of, at = _poisson(shared_rate * profile.together_share, profile, rng)
    starts = np.repeat(first[of], sizes[of])
    within = np.arange(len(starts)) - np.repeat(np.cumsum(sizes[of]) - sizes[of], sizes[of])
    together = order[starts + within]
    return np.concatenate([own[0], together]), np.concatenate([own[1], np.repeat(at, sizes[of])])


def _poisson(rate: NDArray[np.float64], profile: ChangingProfile, rng: np.random.Generator) -> Times:
    """Times by chance; if some times are better than others, more are drawn, and some of the others dropped."""
    mean_weekday = (5.0 + 2.0 * profile.weekend) / 7.0
    more = 1.0 / ((profile.busy_share or 1.0) * mean_weekday)
    numbers = rng.poisson(rate * profile.days * more)
    pages = np.repeat(np.arange(len(rate)), numbers)
    at = rng.uniform(0.0, profile.days, len(pages))
    kept = rng.random(len(at)) < np.where(at.astype(np.int64) % 7 >= 5, profile.weekend, 1.0)
    if profile.busy_share:
        busy = rng.random((len(rate), profile.days // 2 + 2)) < profile.busy_share
        kept &= busy[pages, ((at + rng.uniform(0.0, 2.0, len(rate))[pages]) / 2.0).astype(np.int64)]
    return pages[kept], at[kept]


def _hints(
    profile: ChangingProfile, changes: Times, host_of: NDArray[np.int32], rng: np.random.Generator
) -> Times:
    """When sitemaps say that pages have changed."""
    hosts = int(host_of.max()) + 1
    has_map = rng.random(hosts) < profile.sitemap_share
    lies = has_map & (rng.random(hosts) < profile.lying_share)
    way = rng.integers(0, 3, hosts)
    pages, at = changes
    told = (has_map & ~lies)[host_of[pages]]
    honest = pages[told], at[told] + rng.exponential(profile.late, int(told.sum()))
    today = np.flatnonzero((lies & (way == 0))[host_of])
    daily = np.repeat(today, profile.days), np.tile(np.arange(profile.days, dtype=float), len(today))
    chance = np.flatnonzero((lies & (way == 1))[host_of])
    of, days = _poisson(np.full(len(chance), 0.2), profile, rng)
    found = [honest, daily, (chance[of], days)]
    return np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])


def _in_order(times: Times) -> Times:
    order = np.lexsort((times[1], times[0]))
    return times[0][order], times[1][order]
