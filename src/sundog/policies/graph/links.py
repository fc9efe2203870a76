"""Links come in: nodes are discovered, their features change."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.arrays import DONE, QUEUED, UNKNOWN
from sundog.policies.graph.arrays import AWAKE, CHANGED, DISCOVERED, HOSTS_FOUND, LINKS, QUEUED_TOTAL
from sundog.policies.graph.designs import BY_BOTH, BY_EDGE, BY_NODE


@inner
def note_change(g: Any, node: int) -> None:
    """Have the node ranked anew at the next refresh."""
    if g.nodes[node].changed == 0:
        g.nodes[node].changed = 1
        g.changed[g.totals[CHANGED]] = node
        g.totals[CHANGED] += 1


@inner
def count_queued(g: Any, node: int, change: int) -> None:
    host = g.nodes[node].host
    g.hosts[host].queued += change
    g.totals[QUEUED_TOTAL] += change
    if g.hosts[host].asleep == 0:
        g.totals[AWAKE] += change


@inner
def enqueue(g: Any, node: int) -> None:
    g.nodes[node].state = QUEUED
    g.nodes[node].place = g.totals[QUEUED_TOTAL]
    g.queue[g.totals[QUEUED_TOTAL]] = node
    count_queued(g, node, 1)


@inner
def dequeue(g: Any, node: int, state: int) -> None:
    count_queued(g, node, -1)
    last = int64(g.queue[g.totals[QUEUED_TOTAL]])
    g.queue[g.nodes[node].place] = last
    g.nodes[last].place = g.nodes[node].place
    g.nodes[node].state = state


@inner
def discover(g: Any, node: int, host: int) -> bool:
    """Queue a node that nobody has met before; whether it is one."""
    if g.nodes[node].state != UNKNOWN:
        return False
    g.nodes[node].host = host
    g.nodes[node].order = g.totals[DISCOVERED]
    g.totals[DISCOVERED] += 1
    if g.hosts[host].known == 0:
        g.hosts[host].known = 1
        g.totals[HOSTS_FOUND] += 1
    enqueue(g, node)
    note_change(g, node)
    return True


@inner
def merge_links(g: Any, page: int, targets: Any, scores: Any) -> int:
    """The page's links without those to itself; of parallel ones the highest score. Returns how many."""
    count = 0
    for i in range(len(targets)):
        target = int64(targets[i])
        score = scores[i] if len(scores) > 0 else 0.0
        if target == page:
            continue
        if g.nodes[target].last_page == page:
            link = g.nodes[target].link
            g.scores[link] = max(g.scores[link], score)
            continue
        g.nodes[target].last_page = page
        g.nodes[target].link = count
        g.targets[count] = target
        g.scores[count] = score
        count += 1
    return count


@inner
def _add_link(g: Any, target: int, n: float, e: float) -> None:
    node, ne = g.nodes[target], n * e
    node.pages += 1
    node.sum_n += n
    node.sum_e += e
    node.sum_ne += ne
    node.square_n += n * n
    node.square_e += e * e
    node.square_ne += ne * ne
    node.max_n = max(node.max_n, n)
    node.max_e = max(node.max_e, e)
    node.max_ne = max(node.max_ne, ne)


@inner
def _share(g: Any, target: int, weights: int) -> float:
    """A target's part of the cash, relative to the other targets of the page."""
    if weights == BY_EDGE:
        return g.nodes[target].sum_e
    if weights == BY_NODE:
        return g.nodes[target].sum_n
    if weights == BY_BOTH:
        return g.nodes[target].sum_ne
    return 1.0


@inner
def _give_cash(g: Any, page: int, count: int, weights: int) -> None:
    total = 0.0
    for i in range(count):
        total += _share(g, int64(g.targets[i]), weights)
    cash = g.nodes[page].cash
    for i in range(count):
        target = int64(g.targets[i])
        part = _share(g, target, weights) / total if total > 0.0 else 1.0 / count
        g.nodes[target].cash += cash * part
    g.nodes[page].history += cash
    g.nodes[page].cash = 0.0
    g.cash[0] += cash


@inner
def take_links(g: Any, hosts: Any, page: int, reward: float, targets: Any, scores: Any, weights: int) -> int:
    """Add the links of a page that was crawled; returns how many nodes are new."""
    count = merge_links(g, page, targets, scores)
    g.totals[LINKS] = count
    new = 0
    for i in range(count):
        target = int64(g.targets[i])
        _add_link(g, target, reward, g.scores[i])
        if discover(g, target, int64(hosts[target])):
            new += 1
        elif g.nodes[target].state != DONE:
            note_change(g, target)
    _give_cash(g, page, count, weights)
    return new
