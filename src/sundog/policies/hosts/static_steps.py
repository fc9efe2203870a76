"""Many steps of a crawl of a static world in one kernel call: what Python does around a step takes as long as it.

The simulator's loop does the same step by step. ``tests/engines/test_simulate.py`` compares both.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import njit
from sundog._view import view
from sundog.frontier.arrays import HOSTS_FOUND
from sundog.frontier.clock import nanoseconds
from sundog.policies.chooser import ESTIMATE
from sundog.policies.hosts.choice import choose_next
from sundog.policies.hosts.intake import absorb, offer_links
from sundog.policies.static_crawl import BATCH, HIGHEST_REWARD, HOSTS_EVERY, RELEVANT, REWARD, UNFINISHED


@njit
def crawl_static(s: Any, world: Any, choices: Any, sums: Any, begin: int, end: int, room: int) -> int:
    """Take steps from ``begin`` to ``end``; return where it ended.

    It ends before if nothing is ready, if fewer than a batch of moves may be left of ``room``, or after a page
    with more links than a batch, which is then named in the sums: the caller offers the others.
    """
    v = view(s)
    for step in range(begin, end):
        if room < BATCH + 2:
            return step
        before = nanoseconds()
        page = choose_next(v)
        choices.select_ns[step] = nanoseconds() - before
        if page < 0:
            return step
        choices.pages[step], choices.estimates[step] = page, v.parts[ESTIMATE]
        if step % HOSTS_EVERY == 0:
            choices.hosts[step // HOSTS_EVERY] = v.f.totals[HOSTS_FOUND]
        reward, near = world.rewards[page], 0.0
        if reward > 0.0:
            sums[RELEVANT] += 1.0
            sums[HIGHEST_REWARD] = max(sums[HIGHEST_REWARD], reward)
        else:
            near = min(1.0, world.near[page])
        sums[REWARD] += reward
        low, all_links = world.starts[page], world.starts[page + 1] - world.starts[page]
        high = low + min(all_links, BATCH)
        absorb(v, page, reward, sums[HIGHEST_REWARD], near)
        offer_links(v, page, world.targets[low:high], world.anchors[low:high], world.paths[low:high])
        room -= high - low + 2
        if all_links > BATCH:
            sums[UNFINISHED] = page
            return step + 1
    return end
