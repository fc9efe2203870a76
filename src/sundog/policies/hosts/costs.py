"""What fetches cost, where the budget is in bytes or seconds: worth is then divided by the cost that is expected.

Costs shrink along the URL chain as rewards do, from the mean of all fetches to the host and its two groups::

    c' = (C + k·c) / (n + k)

C is what n fetches have cost. Only the ratio to the mean counts, so the unit does not matter, and an index that
was right for fetches keeps its scale. A crawl that is told no costs chooses as if every page cost the same.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.policies.hosts.beliefs import CHARGED, COST

STRENGTH = 2.0  # fetches that the record above is worth
LEAST, MOST = 0.05, 20.0  # times the mean: no page is so cheap that it is fetched for that alone


@inner
def charge(f: Any, h: Any, candidate: int, cost: float) -> None:
    """Enter what the candidate's fetch has cost."""
    if h is None:
        return
    b, tm = h.beliefs, h.templates
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    b.numbers[COST] += cost
    b.numbers[CHARGED] += 1.0
    f.hosts[host].cost += cost
    f.hosts[host].charged += 1
    for view in range(2):
        node = tm.arm_nodes[arm, view]
        if node >= 0:
            tm.nodes[node].cost += cost
            tm.nodes[node].charged += 1


@inner
def relative_cost(f: Any, tm: Any, b: Any, arm: int) -> float:
    """What a page of the arm is expected to cost, times the mean of all."""
    if b.numbers[COST] <= 0.0:
        return 1.0
    mean = b.numbers[COST] / b.numbers[CHARGED]
    host = int64(f.arms[arm].host)
    cost = (f.hosts[host].cost + STRENGTH * mean) / (f.hosts[host].charged + STRENGTH)
    for view in range(2):
        node = tm.arm_nodes[arm, view]
        if node >= 0:
            cost = (tm.nodes[node].cost + STRENGTH * cost) / (tm.nodes[node].charged + STRENGTH)
    return min(max(cost / mean, LEAST), MOST)
