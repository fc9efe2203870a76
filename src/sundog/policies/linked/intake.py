"""An outcome comes in and is learned; the document's links become URIs that wait."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.arrays import DONE, QUEUED, UNKNOWN
from sundog.learn.model import learn
from sundog.policies.linked.features import gather
from sundog.policies.linked.fifo import FIRST_GROUP, HEADS_OPEN, HOSTS_FOUND, MEMBERS, NEW, QUEUED_TOTAL, push


@inner
def _discover(s: Any, target: int, parent: int, path: int) -> None:
    w, host = s.w, int64(s.texts.host[target])
    w.nodes[target].state = QUEUED
    w.nodes[target].host = host
    w.nodes[target].parent = parent
    w.nodes[target].first_property = path
    w.totals[QUEUED_TOTAL] += 1
    w.totals[HOSTS_FOUND] += not w.hosts[host].known
    w.hosts[host].known = 1
    push(w, NEW, target)


@inner
def _add_property(node: Any, path: int) -> None:
    """Another property that connects a URI in the same document."""
    if path < 0 or path == node.first_property or path == node.second_property:
        return
    if node.second_property < 0:
        node.second_property = path
    elif node.third_property < 0:
        node.third_property = path


@inner
def offer_links(s: Any, parent: int, targets: Any, paths: Any, groups: Any, with_siblings: bool) -> int:
    w, new, first = s.w, 0, int64(s.w.totals[MEMBERS])
    for i in range(len(targets)):
        target, path = int64(targets[i]), int64(paths[i]) if len(paths) else -1
        if with_siblings:
            w.members[w.totals[MEMBERS]] = target
            w.totals[MEMBERS] += 1
        if w.nodes[target].state == UNKNOWN:
            _discover(s, target, parent, path)
            new += 1
        elif w.nodes[target].state == QUEUED and parent >= 0 and w.nodes[target].parent == parent:
            _add_property(w.nodes[target], path)
    if with_siblings:
        _join_siblings(s, parent, targets, groups, first)
    return new


@inner
def _join_siblings(s: Any, parent: int, targets: Any, groups: Any, first: int) -> None:
    """Links come ordered by group. One that is alone in a named group may have siblings by another property."""
    w, begin = s.w, 0
    for i in range(len(targets) + 1):
        if i < len(targets) and groups[i] == groups[begin]:
            continue
        if begin + 1 == i and groups[begin] >= FIRST_GROUP:
            begin = i
            continue
        for j in range(begin, i):
            node = w.nodes[targets[j]]
            if node.state == QUEUED and node.parent == parent and node.sibling_count == 0:
                node.siblings = first + begin
                node.sibling_count = i - begin
        begin = i


@inner
def end_head_request(w: Any, uri: int) -> None:
    """However it ended, if it was one."""
    w.totals[HEADS_OPEN] -= w.nodes[uri].head_open
    w.nodes[uri].head_open = 0


@inner
def absorb(s: Any, uri: int, good: bool) -> None:
    node = s.w.nodes[uri]
    end_head_request(s.w, uri)
    if node.weight > 0.0 and not s.plan.by_rule:
        learn(s.model, s.scratch.features, gather(s, uri), 1.0 * good, float(node.weight))
    node.state = DONE
    node.good = good


@inner
def teach_all(s: Any, uris: Any, labels: Any) -> None:
    for i in range(len(uris)):
        learn(s.model, s.scratch.features, gather(s, int64(uris[i])), labels[i], 1.0)
