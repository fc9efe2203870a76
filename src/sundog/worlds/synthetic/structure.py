"""Hosts and the pages inside them: sizes, software, templates, sections, and who leads to whom.

Pages are in host order here: host h owns `start[h] : start[h + 1]`, its home page first. Every
other page has a `parent` on the same host that comes before it, so that each host is a tree
under its home page. Labels and links are laid over this tree later.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sundog._jit import njit
from sundog.worlds.synthetic.profiles import Profile
from sundog.worlds.synthetic.rng import below, draw
from sundog.worlds.synthetic.software import DETAIL, FAMILIES, HOME, LIST, PAGED, STATIC, STYLES, TRAP, Family

MAX_SECTIONS = 48
LIST_LENGTH = 14  # how many details a list page shows before the next page of it begins
LISTED_PAGES = 5  # the directory's entries are sites of this size at most
LISTED_PER_PAGE = 4  # a deep directory: many narrow categories
TRAP_PAGES = 0.45  # share of a trapped host that is trap
TRAPPABLE = 40  # smaller hosts have no calendar worth the name


@dataclass(frozen=True, slots=True)
class Hosts:
    """What is decided per host. Host 0 is the directory; `style` indexes STYLES."""

    start: NDArray[np.int64]
    family: NDArray[np.int32]
    style: NDArray[np.int32]
    community: NDArray[np.int32]
    trapped: NDArray[np.bool_]
    listed: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.family)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Pages a host."""
        return np.diff(self.start)


@dataclass(frozen=True, slots=True)
class Pages:
    """What is decided per page, in host order. `ordinal` counts within (host, template)."""

    host: NDArray[np.int32]
    template: NDArray[np.uint8]
    section: NDArray[np.uint8]
    ordinal: NDArray[np.int32]
    parent: NDArray[np.int32]


def build_hosts(profile: Profile, pages: int, hosts: int, rng: np.random.Generator) -> Hosts:
    """Draw sizes, software and community of every host; the sizes add up to `pages`."""
    sizes = draw_sizes(profile, pages, hosts, rng)
    listed = draw_listed(profile, sizes, rng)
    make_directory(sizes, listed)
    family = rng.choice(len(FAMILIES), hosts, p=_family_shares()).astype(np.int32)
    trapped = (rng.random(hosts) < profile.trap_host_share) & (sizes >= TRAPPABLE)
    return Hosts(
        start=np.concatenate(([0], np.cumsum(sizes))),
        family=family,
        style=draw_styles(family, rng),
        community=draw_communities(hosts, rng),
        trapped=trapped,
        listed=listed,
    )


def _family_shares() -> NDArray[np.float64]:
    weights = np.array([family.share for family in FAMILIES.values()])
    return np.asarray(weights / weights.sum())


def draw_sizes(profile: Profile, pages: int, hosts: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Pareto sizes of at least one page each, capped, that add up to `pages` exactly."""
    spare = pages - hosts
    weights = rng.random(hosts) ** (-1 / profile.size_tail) - 1
    for _ in range(20):  # capping changes the sum, which moves the cap: a few rounds settle it
        weights = np.minimum(weights, max(profile.largest_host_share, 2 / hosts) * weights.sum())
    edges = np.floor(np.cumsum(weights) / weights.sum() * spare + 0.5).astype(np.int64)
    edges[-1] = spare
    return np.asarray(1 + np.diff(edges, prepend=0))


def draw_listed(profile: Profile, sizes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """The small hosts that stand in the directory and nowhere else."""
    small = (sizes <= LISTED_PAGES) & (np.arange(len(sizes)) > 0)
    wanted = profile.listed_share * len(sizes)
    return np.asarray(small & (rng.random(len(sizes)) * max(small.sum(), 1) < wanted))


def make_directory(sizes: NDArray[np.int64], listed: NDArray[np.bool_]) -> None:
    """Give host 0 the size of a directory with LISTED_PER_PAGE entries a page, as far as there is one."""
    unlisted = np.flatnonzero(~listed)
    fitting = unlisted[np.argmin(np.abs(sizes[unlisted] - listed.sum() / LISTED_PER_PAGE))]
    sizes[[0, fitting]] = sizes[[fitting, 0]]


def draw_styles(family: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
    """A URL style for every host, from those of its family."""
    names = list(STYLES)
    style = np.zeros(len(family), np.int32)
    for number, member in enumerate(FAMILIES.values()):
        mine = np.flatnonzero(family == number)
        weights = np.array([weight for _, weight in member.styles], float)
        choice = rng.choice(len(weights), len(mine), p=weights / weights.sum())
        style[mine] = np.array([names.index(name) for name, _ in member.styles])[choice]
    return style


def draw_communities(hosts: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Topical communities, some 2 * sqrt(hosts) of them, with sizes as uneven as Zipf's."""
    count = max(1, int(2 * hosts**0.5))
    weights = 1 / (np.arange(count) + 10.0)
    return rng.choice(count, hosts, p=weights / weights.sum()).astype(np.int32)


def template_mix(family: Family) -> NDArray[np.float64]:
    """Cumulative shares of LIST .. STATIC among the inner pages of a family's hosts."""
    return np.cumsum(np.array(family.mix) / sum(family.mix))


def build_pages(hosts: Hosts, seed: int) -> Pages:
    """Lay out the pages of every host."""
    pages = int(hosts.start[-1])
    mixes = np.array([template_mix(family) for family in FAMILIES.values()])
    out = Pages(
        host=np.repeat(np.arange(len(hosts), dtype=np.int32), hosts.sizes),
        template=np.zeros(pages, np.uint8),
        section=np.zeros(pages, np.uint8),
        ordinal=np.zeros(pages, np.int32),
        parent=np.full(pages, -1, np.int32),
    )
    state = np.array([seed], np.uint64)
    _lay_out(hosts.start, hosts.family, hosts.trapped, mixes, state, out.template, out.section,
             out.ordinal, out.parent)  # fmt: skip
    return out


@njit
def _lay_out(
    start: NDArray[np.int64], family: NDArray[np.int32], trapped: NDArray[np.bool_],
    mixes: NDArray[np.float64], state: NDArray[np.uint64], template: NDArray[np.uint8],
    section: NDArray[np.uint8], ordinal: NDArray[np.int32], parent: NDArray[np.int32],
) -> None:  # fmt: skip
    """Walk each host once: draw a page's template and section, attach it to its parent."""
    for host in range(len(family)):
        first, last = start[host], start[host + 1]
        traps = int((last - first) * TRAP_PAGES) if trapped[host] else 0
        _draw_templates(first, last - traps, mixes[family[host]], state, template, section)
        template[last - traps : last] = TRAP
        _attach(first, last, state, template, section, parent)
        _number(first, last, template, ordinal)


@njit
def section_count(size: int) -> int:
    """Large hosts have more sections, but not in proportion."""
    return min(MAX_SECTIONS, 1 + int(size**0.4))


@njit
def _draw_templates(
    first: int, last: int, mix: NDArray[np.float64], state: NDArray[np.uint64],
    template: NDArray[np.uint8], section: NDArray[np.uint8],
) -> None:  # fmt: skip
    sections = section_count(last - first)
    template[first] = HOME
    for page in range(first + 1, last):
        template[page] = LIST + np.searchsorted(mix, draw(state) * 0.9999999)
        section[page] = min(below(state, sections), below(state, sections + 2))


@njit
def _number(first: int, last: int, template: NDArray[np.uint8], ordinal: NDArray[np.int32]) -> None:
    seen = np.zeros(8, np.int32)
    for page in range(first, last):
        ordinal[page] = seen[template[page]]
        seen[template[page]] += 1


@njit
def _attach(
    first: int, last: int, state: NDArray[np.uint64], template: NDArray[np.uint8],
    section: NDArray[np.uint8], parent: NDArray[np.int32],
) -> None:  # fmt: skip
    """Lists stand under the home page, details under the newest page of their list, and so on."""
    newest_list = np.full(MAX_SECTIONS, first, np.int32)
    shown = np.zeros(MAX_SECTIONS, np.int32)
    newest_detail = newest_trap = first
    for page in range(first + 1, last):
        kind, sec = template[page], section[page]
        if kind == LIST and newest_list[sec] == first:
            parent[page] = first
            newest_list[sec], shown[sec] = page, 0
        elif kind == PAGED or kind == LIST:
            template[page] = PAGED  # a section has one list; what comes later continues it
            parent[page] = newest_list[sec]
            newest_list[sec], shown[sec] = page, 0
        elif kind == DETAIL and shown[sec] < LIST_LENGTH:
            parent[page] = newest_list[sec]
            newest_detail = page
            shown[sec] += 1
        elif kind == TRAP:
            parent[page] = newest_trap if page % 4 else max(first, newest_trap - 3)
            newest_trap = page
        elif kind == STATIC and page - first < 60:
            parent[page] = first
        else:
            parent[page] = newest_detail - below(state, min(20, newest_detail - first + 1))
            newest_detail = page if kind == DETAIL else newest_detail
