"""Who has markup, where, in which syntax, and how much of it.

A host decides whether it has markup at all; then templates and sections of that host decide; a
little noise is left to the page. Published shares are hit by thresholds: hosts are ranked by
how inclined they are, and admitted from the top until the share is reached.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sundog._jit import njit
from sundog.worlds.synthetic.profiles import Profile
from sundog.worlds.synthetic.rng import chance
from sundog.worlds.synthetic.software import DETAIL, FAMILIES, HOME, MARKUP_SYNTAXES, STYLES
from sundog.worlds.synthetic.structure import Hosts, Pages

MICRODATA = MARKUP_SYNTAXES.index("microdata")
MICROFORMATS = MARKUP_SYNTAXES.index("microformats")
LISTED_RELUCTANCE = 3.0  # log-odds by which a listed site is less inclined
RICH = 5  # statements from which the paper calls a Microdata page rich
SECOND_SYNTAX = 0.2  # sites with markup that add microformats to their main syntax
OPENGRAPH_WITHOUT, OPENGRAPH_WITH = 0.15, 0.5  # social cards are not markup but go with it


@dataclass(frozen=True, slots=True)
class Markup:
    """Labels in host order; `adopts` and `syntax` are the hosts' decisions behind them."""

    adopts: NDArray[np.bool_]
    syntax: NDArray[np.int32]
    counts: dict[str, NDArray[np.int32]]


def build_markup(profile: Profile, hosts: Hosts, pages: Pages, rng: np.random.Generator, seed: int) -> Markup:
    """Decide the markup of every page."""
    if profile.host_decides:
        willing = _willing_pages(profile, hosts, pages, seed)
        stray = rng.random(len(pages.host)) < profile.stray_markup
        adopts = _adopting_hosts(profile, hosts, pages, willing, stray, rng)
        relevant = np.where(adopts[pages.host], willing, stray)
    else:
        adopts = np.zeros(len(hosts), bool)
        relevant = rng.random(len(pages.host)) < profile.relevant_share
    amounts = _amounts(pages.template, seed)
    syntax = _host_syntax(profile, hosts, pages, relevant & (amounts >= RICH), rng)
    return Markup(adopts, syntax, _count(hosts, pages, relevant, amounts, adopts, syntax, rng))


def _willing_pages(profile: Profile, hosts: Hosts, pages: Pages, seed: int) -> NDArray[np.bool_]:
    """The pages that have markup if their host is one that has it."""
    habits = np.array([family.markup for family in FAMILIES.values()])
    table = 1 - profile.template_habit * (1 - habits)
    out = np.zeros(len(pages.host), np.bool_)
    frame = 1 / (1 + (hosts.sizes / profile.one_frame_pages) ** 2)
    _mark_willing(pages.host, pages.template, pages.section, hosts.family, table, frame,
                  profile.section_cover, profile.bare_home, profile.page_noise, seed, out)  # fmt: skip
    out[: hosts.start[1]] = True  # the directory describes its entries
    return out


@njit
def _mark_willing(
    host: NDArray[np.int32], template: NDArray[np.uint8], section: NDArray[np.uint8],
    family: NDArray[np.int32], table: NDArray[np.float64], frame: NDArray[np.float64],
    cover: float, bare_home: float, noise: float, seed: int, out: NDArray[np.bool_],
) -> None:  # fmt: skip
    for page in range(len(host)):
        h = host[page]
        everywhere = chance(seed, h, 1) < frame[h]
        in_section = chance(seed, h, 100 + section[page]) < cover
        in_template = chance(seed, h, 10 + template[page]) < table[family[h], template[page]]
        lost = bare_home if template[page] == HOME else noise
        kept = chance(seed, page, 3) >= lost
        out[page] = kept and (everywhere or (in_section and in_template))


def _adopting_hosts(
    profile: Profile, hosts: Hosts, pages: Pages, willing: NDArray[np.bool_],
    stray: NDArray[np.bool_], rng: np.random.Generator,
) -> NDArray[np.bool_]:  # fmt: skip
    """Admit the most inclined hosts until the relevant pages are as many as they should be."""
    gain = _pages_of_each_host(hosts, willing) - _pages_of_each_host(hosts, stray)
    missing = profile.relevant_share * len(pages.host) - stray.sum()
    return _admit(_inclination(profile, hosts, rng), gain, missing)


def _inclination(profile: Profile, hosts: Hosts, rng: np.random.Generator) -> NDArray[np.float64]:
    """A host's log-odds of having markup, with its logistic noise, up to a constant."""
    software = np.array([family.adoption for family in FAMILIES.values()])[hosts.family]
    version = np.array([style.modern for style in STYLES.values()])[hosts.style]
    topic = rng.normal(0, 1, hosts.community.max() + 1)[hosts.community]
    inclination = np.asarray(
        profile.size_slope * np.log(hosts.sizes)
        + profile.software_signal * (software + version)
        + profile.community_spread * topic
        - LISTED_RELUCTANCE * hosts.listed
        + rng.logistic(0, 1, len(hosts))
    )
    inclination[0] = np.inf  # the directory describes its entries
    return inclination


def _admit(rank: NDArray[np.float64], gain: NDArray[np.int64], wanted: float) -> NDArray[np.bool_]:
    """The hosts of highest rank whose gains together come up to `wanted`, to one host."""
    order = np.argsort(-rank, kind="stable")
    admitted = np.zeros(len(rank), bool)
    admitted[order] = np.cumsum(gain[order]) <= wanted
    return admitted


def _pages_of_each_host(hosts: Hosts, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.asarray(np.add.reduceat(chosen.astype(np.int64), hosts.start[:-1]))


def _amounts(template: NDArray[np.uint8], seed: int) -> NDArray[np.int32]:
    """Statements a page would have: many on detail pages, a few on all others."""
    out = np.zeros(len(template), np.int32)
    _draw_amounts(template, seed, out)
    return out


@njit
def _draw_amounts(template: NDArray[np.uint8], seed: int, out: NDArray[np.int32]) -> None:
    for page in range(len(template)):
        if template[page] == DETAIL:
            out[page] = 3 + int(-9.0 * np.log(1.0 - chance(seed, page, 4)))
        else:
            out[page] = 1 + int(-1.2 * np.log(1.0 - chance(seed, page, 4)))


def _host_syntax(
    profile: Profile, hosts: Hosts, pages: Pages, rich: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Each host's main syntax, by the year's weights and the family's taste.

    Choosing by the largest log-weight plus Gumbel noise lets Microdata be admitted by rank, so
    that its rich pages come up to the published share.
    """
    taste = np.array([family.syntaxes for family in FAMILIES.values()])[hosts.family]
    with np.errstate(divide="ignore"):
        appeal = np.log(taste * np.array(profile.syntax_weights)) + rng.gumbel(size=taste.shape)
    if profile.rich_microdata_share is None:
        return appeal.argmax(axis=1).astype(np.int32)
    others = np.delete(np.arange(len(MARKUP_SYNTAXES)), MICRODATA)
    best = others[appeal[:, others].argmax(axis=1)]
    lead = appeal[:, MICRODATA] - appeal[:, others].max(axis=1)
    wanted = profile.rich_microdata_share * len(pages.host)
    chosen = _admit(lead, _pages_of_each_host(hosts, rich), wanted)
    return np.where(chosen, MICRODATA, best).astype(np.int32)


def _count(
    hosts: Hosts, pages: Pages, relevant: NDArray[np.bool_], amounts: NDArray[np.int32],
    adopts: NDArray[np.bool_], syntax: NDArray[np.int32], rng: np.random.Generator,
) -> dict[str, NDArray[np.int32]]:  # fmt: skip
    """Statements a page and syntax."""
    main = np.where(relevant, syntax[pages.host], -1)
    counts = {name: np.where(main == s, amounts, 0).astype(np.int32) for s, name in enumerate(MARKUP_SYNTAXES)}
    twofold = (rng.random(len(hosts)) < SECOND_SYNTAX) & (syntax != MICROFORMATS)
    second = relevant & twofold[pages.host] & (pages.template == DETAIL)
    counts["microformats"][second] = 1 + amounts[second] % 3
    social = rng.random(len(hosts)) < np.where(adopts, OPENGRAPH_WITH, OPENGRAPH_WITHOUT)
    counts["opengraph"] = np.where(social[pages.host], 4 + amounts % 4, 0).astype(np.int32)
    return counts
