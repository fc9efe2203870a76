"""The link graph: each page's links in the order of its text.

A page links to its home page and sections (the menu), to its children in the host's tree, to
other pages of its section, and to other hosts. The trees of hosts hang together: every host but
the first is entered from a page of a host before it. So all pages can be reached from page 0.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sundog._jit import njit
from sundog.worlds.synthetic.profiles import Profile
from sundog.worlds.synthetic.rng import below, draw
from sundog.worlds.synthetic.software import DETAIL, HOME, LIST, PAGED, STATIC, TAG, TRAP, USER
from sundog.worlds.synthetic.structure import Hosts, Pages

MENU = 5  # sections in the menu that every page of a host carries
RELATED = np.zeros(8, np.int64)
RELATED[[HOME, LIST, PAGED, DETAIL, TAG, USER, STATIC, TRAP]] = 8, 4, 4, 2, 6, 5, 2, 2


@dataclass(frozen=True, slots=True)
class Links:
    """Links in host order of the source, as offsets and targets."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Hosts by community, so that a host can draw a neighbour by popularity.

    `member` lists hosts by community, `edge` bounds each community in it, `reach` is the running
    sum of popularity in that order.
    """

    member: NDArray[np.int32]
    edge: NDArray[np.int64]
    reach: NDArray[np.float64]


def build_links(profile: Profile, hosts: Hosts, pages: Pages, alike: NDArray[np.int32], seed: int) -> Links:
    """Draw all links. Hosts of one number in `alike` have the same family and markup."""
    state = np.array([seed], np.uint64)
    near = neighbourhood(hosts, profile)
    outlying = _outlying(profile, pages, seed)
    entered_from = _entered_from(
        hosts.start, hosts.community, hosts.listed, pages.parent, outlying, profile.locality, state
    )
    child_offsets, children = _children(entered_from)
    knobs = np.array([
        profile.links_per_page * profile.off_host_share, profile.locality, profile.likeness,
        profile.deep_link_share, profile.dead_end_share,
    ])  # fmt: skip
    offsets, targets = _draw_links(
        hosts.start, hosts.community, pages.host, pages.template, pages.section, outlying, alike,
        near.member, near.edge, near.reach, child_offsets, children, knobs, state,
    )  # fmt: skip
    return Links(offsets, targets)


def neighbourhood(hosts: Hosts, profile: Profile) -> Neighbourhood:
    """Group hosts by community; large ones are popular, listed ones unknown."""
    popularity = hosts.sizes**profile.popularity * ~hosts.listed
    member = np.argsort(hosts.community, kind="stable").astype(np.int32)
    sizes = np.bincount(hosts.community, minlength=hosts.community.max() + 1)
    reach = np.concatenate(([0.0], np.cumsum(popularity[member])))
    return Neighbourhood(member, np.concatenate(([0], np.cumsum(sizes))), reach)


def _outlying(profile: Profile, pages: Pages, seed: int) -> NDArray[np.bool_]:
    """Inner pages that no page of their own host links to; never lists, which hold hosts together."""
    inner = (pages.template == DETAIL) | (pages.template >= TAG) & (pages.template != TRAP)
    drawn = np.random.Generator(np.random.PCG64(seed)).random(len(inner)) < profile.outlying_share
    return np.asarray(inner & drawn & (pages.host > 0))


@njit
def _entered_from(
    start: NDArray[np.int64], community: NDArray[np.int32], listed: NDArray[np.bool_],
    parent: NDArray[np.int32], outlying: NDArray[np.bool_], locality: float, state: NDArray[np.uint64],
) -> NDArray[np.int32]:  # fmt: skip
    """For each page the page that leads to it: its parent, or a page of an earlier host.

    Home pages and outlying pages are entered from earlier hosts, listed ones from the directory,
    so that by induction over hosts all pages can be reached from the first, which alone has -1.
    """
    entered_from = parent.copy()
    newest = np.full(community.max() + 1, -1, np.int64)
    previous = np.full(len(community), -1, np.int64)
    for host in range(1, len(community)):
        previous[host - 1] = newest[community[host - 1]]
        newest[community[host - 1]] = host - 1
        for page in range(start[host], start[host + 1]):
            if page == start[host] and listed[host]:
                entered_from[page] = below(state, start[1])
            elif page == start[host] or outlying[page]:
                entered_from[page] = _earlier_page(host, newest[community[host]], start, previous, locality, state)
    return entered_from


@njit
def _earlier_page(
    host: int, near: int, start: NDArray[np.int64], previous: NDArray[np.int64], locality: float,
    state: NDArray[np.uint64],
) -> int:  # fmt: skip
    """A page of an earlier host: one of the last dozen of its community, or any."""
    if near < 0 or draw(state) >= locality:
        return below(state, start[host])
    for _ in range(below(state, 12)):
        near = previous[near] if previous[near] >= 0 else near
    return int(start[near] + below(state, start[near + 1] - start[near]))


@njit
def _children(entered_from: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The tree turned round: for each page those that are entered from it."""
    offsets = np.zeros(len(entered_from) + 1, np.int64)
    for page in range(1, len(entered_from)):
        offsets[entered_from[page] + 1] += 1
    offsets = np.cumsum(offsets)
    cursor = offsets[:-1].copy()
    children = np.empty(offsets[-1], np.int32)
    for page in range(1, len(entered_from)):
        children[cursor[entered_from[page]]] = page
        cursor[entered_from[page]] += 1
    return offsets, children


@njit
def _draw_links(
    start: NDArray[np.int64], community: NDArray[np.int32], host: NDArray[np.int32],
    template: NDArray[np.uint8], section: NDArray[np.uint8], outlying: NDArray[np.bool_],
    alike: NDArray[np.int32], member: NDArray[np.int32], edge: NDArray[np.int64], reach: NDArray[np.float64],
    child_offsets: NDArray[np.int64], children: NDArray[np.int32], knobs: NDArray[np.float64],
    state: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:  # fmt: skip
    """Write each page's links behind those of the page before; `seen` keeps them distinct."""
    pages = len(host)
    offsets = np.zeros(pages + 1, np.int64)
    out = np.empty(pages * 8 + 1024, np.int32)
    seen = np.full(pages, -1, np.int32)
    end = 0
    for page in range(pages):
        kids = children[child_offsets[page] : child_offsets[page + 1]]
        if len(kids) or draw(state) >= knobs[4]:
            out = _with_room(out, end, len(kids) + 256)
            seen[page] = page
            end = _menu(page, start[host[page]], start[host[page] + 1], template, outlying, out, end, seen)
            for kid in kids:
                end = _add(page, kid, out, end, seen)
            end = _related(page, start, host, template, section, outlying, out, end, seen, state)
            if host[page] > 0:  # the directory lists its entries and nothing else
                end = _outward(
                    page, start, community, host, alike, member, edge, reach, knobs, out, end, seen, state
                )
        offsets[page + 1] = end
    return offsets, out[:end].copy()


@njit
def _with_room(out: NDArray[np.int32], end: int, more: int) -> NDArray[np.int32]:
    if end + more <= len(out):
        return out
    grown = np.empty(len(out) + len(out) // 4 + more, np.int32)
    grown[:end] = out[:end]
    return grown


@njit
def _add(page: int, target: int, out: NDArray[np.int32], end: int, seen: NDArray[np.int32]) -> int:
    """Append a link unless the page has it; return the new end."""
    if seen[target] == page:
        return end
    seen[target] = page
    out[end] = target
    return end + 1


@njit
def _menu(
    page: int, first: int, last: int, template: NDArray[np.uint8], outlying: NDArray[np.bool_],
    out: NDArray[np.int32], end: int, seen: NDArray[np.int32],
) -> int:  # fmt: skip
    """The home page and the first few lists and static pages, which all pages link to."""
    end = _add(page, first, out, end, seen)
    entries = 0
    for target in range(first + 1, min(last, first + 40)):
        listed = template[target] == LIST or template[target] == STATIC
        if listed and entries < MENU and not outlying[target]:
            end = _add(page, target, out, end, seen)
            entries += 1
    return end


@njit
def _related(
    page: int, start: NDArray[np.int64], host: NDArray[np.int32], template: NDArray[np.uint8],
    section: NDArray[np.uint8], outlying: NDArray[np.bool_], out: NDArray[np.int32], end: int,
    seen: NDArray[np.int32], state: NDArray[np.uint64],
) -> int:  # fmt: skip
    """Other pages of the host, those of the same section and of nearby age first."""
    first, last = start[host[page]], start[host[page] + 1]
    for _ in range(RELATED[template[page]]):
        near = max(first, page - 60)
        target = near + below(state, min(last, page + 60) - near)
        if section[target] != section[page]:
            target = first + below(state, last - first)
        if not outlying[target] and (template[target] != TRAP or template[page] == TRAP):
            end = _add(page, target, out, end, seen)
    return end


@njit
def _outward(
    page: int, start: NDArray[np.int64], community: NDArray[np.int32], host: NDArray[np.int32],
    alike: NDArray[np.int32], member: NDArray[np.int32], edge: NDArray[np.int64],
    reach: NDArray[np.float64], knobs: NDArray[np.float64], out: NDArray[np.int32], end: int,
    seen: NDArray[np.int32], state: NDArray[np.uint64],
) -> int:  # fmt: skip
    """Links to other hosts: a geometric number of them, near and alike more often than not."""
    mean, locality, likeness, deep = knobs[0], knobs[1], knobs[2], knobs[3]
    here = host[page]
    while draw(state) < mean / (mean + 1) and end < len(out) - 1:
        there = _neighbour(community[here], member, edge, reach, locality, state)
        if alike[there] != alike[here] and draw(state) < likeness:
            there = _neighbour(community[here], member, edge, reach, locality, state)
        target = start[there]
        if draw(state) < deep:
            target += below(state, start[there + 1] - start[there])
        end = _add(page, target, out, end, seen)
    return end


@njit
def _neighbour(
    community: int, member: NDArray[np.int32], edge: NDArray[np.int64], reach: NDArray[np.float64],
    locality: float, state: NDArray[np.uint64],
) -> int:  # fmt: skip
    """A host drawn by popularity, from the community or from the whole web."""
    first, last = 0, len(member)
    if draw(state) < locality:
        first, last = edge[community], edge[community + 1]
    point = reach[first] + draw(state) * (reach[last] - reach[first])
    place = first + np.searchsorted(reach[first + 1 : last + 1], point, side="right")
    return int(member[min(place, last - 1)])
