"""Where pages lead: a page that nobody wants may be the way to many that are wanted.

A list, a hub or a category earns nothing itself. Each group of a host by URL (coarse, then fine shape) keeps how
many new pages of which templates its pages led to lately. With w the worth of a page itself, nₐ the new pages of
template a that it is expected to lead to, and zₐ the worth of one of these, without exploration, the worth of both
is the root of::

    v = w + Σ nₐ·max(0, zₐ − v)

So only what is worth more than v counts: as long as better pages wait, a list is worth no more than they are, and
it is fetched when they are used up. zₐ is a root of the same kind: categories lead to lists, and lists to pages.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.policies.hosts.templates import MOST_LEADS

MEMORY = 0.8  # of what a group's pages led to, after one more of them
STRENGTH = 1.0  # pages of the fine group that outweigh what is known of the coarse one, which shrinks to nothing
BY_URL = 2  # the first views of a template: coarse, then fine
STEPS, CLOSE = 5, 1e-4  # Newton's, from below: the sum is convex in v


@inner
def count_page(tm: Any, arm: int) -> None:
    """One more page of the arm was fetched; what it leads to comes next."""
    for view in range(BY_URL):
        node = tm.arm_nodes[arm, view]
        if node < 0:
            continue
        tm.lead_pages[node] = MEMORY * tm.lead_pages[node] + 1.0
        for i in range(MOST_LEADS):
            tm.leads[node, i].pages *= MEMORY


@inner
def count_lead(tm: Any, arm: int, to: int) -> None:
    """A page of the arm has led to a new page of the arm ``to``."""
    for view in range(BY_URL):
        node = tm.arm_nodes[arm, view]
        if node >= 0:
            _count(tm.leads, node, to)


@inner
def _count(leads: Any, node: int, to: int) -> None:
    """The rarest of the arms that are kept makes room for another one."""
    rarest = 0
    for i in range(MOST_LEADS):
        if leads[node, i].pages > 0.0 and leads[node, i].arm == to:
            leads[node, i].pages += 1.0
            return
        if leads[node, i].pages < leads[node, rarest].pages:
            rarest = i
    leads[node, rarest].arm = to
    leads[node, rarest].pages = 1.0


@inner
def shares_of(tm: Any, arm: int) -> tuple[float, float]:
    """How many pages are to be expected for each that the coarse, and that the fine group has counted."""
    coarse, fine = tm.arm_nodes[arm, 0], tm.arm_nodes[arm, 1]
    if coarse < 0 or fine < 0:
        return 0.0, 0.0
    of_fine = 1.0 / (tm.lead_pages[fine] + STRENGTH)
    return STRENGTH * of_fine / (tm.lead_pages[coarse] + STRENGTH), of_fine


@inner
def expected_leads(tm: Any, arm: int, arms: Any, pages: Any) -> int:
    """Fill in which arms a page of this one is expected to lead to, and to how many pages; return their number."""
    of_coarse, of_fine = shares_of(tm, arm)
    count = 0
    if of_coarse == 0.0:
        return count
    for view in range(BY_URL):
        node, share = tm.arm_nodes[arm, view], of_coarse if view == 0 else of_fine
        for i in range(MOST_LEADS):
            if tm.leads[node, i].pages > 0.0:
                arms[count], pages[count] = tm.leads[node, i].arm, share * tm.leads[node, i].pages
                count += 1
    return count


@inner
def with_leads(tm: Any, arm: int, worth: float, left: float) -> float:
    """``worth``, and what the page leads to; of that no more pages than may be fetched after it."""
    of_coarse, of_fine = shares_of(tm, arm)
    if of_coarse == 0.0 or tm.lead_pages[tm.arm_nodes[arm, 0]] == 0.0:
        return worth
    v = worth
    for _ in range(STEPS):
        gain, pages = 0.0, 0.0
        for view in range(BY_URL):
            node, share = tm.arm_nodes[arm, view], of_coarse if view == 0 else of_fine
            for i in range(MOST_LEADS):
                if tm.leads[node, i].pages > 0.0:
                    better = tm.page_worth[tm.leads[node, i].arm] - v
                    if better > 0.0:
                        gain += share * tm.leads[node, i].pages * better
                        pages += share * tm.leads[node, i].pages
        most = max(0.0, left - 1.0)
        if pages > most:
            gain *= most / pages
            pages = most
        missing = worth + gain - v
        if missing < CLOSE:
            break
        v += missing / (1.0 + pages)
    return v
