"""What breadth-first order would have found, guessed from a crawl in another order.

The order is followed over the links that the crawl saw. A page in it that was fetched brought what it brought; one
that was not is taken to bring what the later half of its host's pages did, for a policy takes the best first.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class Visit(NamedTuple):
    """A page that was fetched: what it brought, and where it leads."""

    reward: float
    targets: Any  # numbers of pages


def reward_of_breadth_first(
    visits: Mapping[int, Visit], starts: Iterable[int], host_of: Callable[[int], int]
) -> float:
    """With as many fetches as there are visits, whose order is that of the crawl.

    >>> visits = {0: Visit(0, [1, 2, 3]), 3: Visit(1, []), 2: Visit(0, [])}
    >>> reward_of_breadth_first(visits, [0], lambda page: 0)
    0.5
    """
    rewards: dict[int, list[float]] = defaultdict(list)
    for page, (reward, _) in visits.items():
        rewards[host_of(page)].append(reward)
    everywhere = [visit.reward for visit in visits.values()]
    likely = {host: _mean_of_later_half(values) for host, values in rewards.items()}
    elsewhere = _mean_of_later_half(everywhere)
    total = 0.0
    for page in _order(visits, starts):
        visit = visits.get(page)
        total += visit.reward if visit else likely.get(host_of(page), elsewhere)
    return total


def _order(visits: Mapping[int, Visit], starts: Iterable[int]) -> list[int]:
    order: list[int] = []
    queue = deque(dict.fromkeys(starts))
    seen = set(queue)
    while queue and len(order) < len(visits):
        order.append(queue.popleft())
        if order[-1] in visits:
            fresh = [page for page in dict.fromkeys(map(int, visits[order[-1]].targets)) if page not in seen]
            seen.update(fresh)
            queue.extend(fresh)
    return order


def _mean_of_later_half(values: Sequence[float]) -> float:
    later = values[len(values) // 2 :]
    return sum(later) / len(later) if later else 0.0
