"""Templates: the finest arms, and the coarser groups (nodes) whose records they share.

A template is a host, a URL shape, and the tag path of the link that led there with the label of
the page it stood on. Two chains of groups run from the host to it: by URL (coarse, then fine shape)
and by link (the path's last elements, then the whole path with the label).
An arm has an id as soon as it is found. Its groups are made when its host is opened.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, int64, njit
from sundog.frontier import queues
from sundog.frontier.facts import COARSE, FINE, LAST_FOUR, WHOLE
from sundog.urls.tokens import mix

TEMPLATES_A_HOST = 256
SHARED = 8  # arms for all further templates of a host, so that none can flood the frontier
VIEWS = 4  # nodes of a template: URL coarse, URL fine, link short, link whole
MOST_LEADS = 8  # templates that a group is known to lead to: a line of a processor's cache

NODE = np.dtype(
    [("reward", "f8"), ("near", "f8"), ("tried", "i4"), ("queued", "i4"), ("cost", "f4"), ("charged", "i4")],
    align=True,
)
LEAD = np.dtype([("arm", "i4"), ("pages", "f4")], align=True)  # without pages: room for another arm


class Templates(NamedTuple):
    """Tables are open-addressed powers of two; a cell is an id + 1, so that fresh memory is empty."""

    arm_table: Any  # int32
    arm_key: Any  # uint64[arms]
    arm_nodes: Any  # int32[arms, VIEWS]: -1 where there is no group: tag path unknown, host not opened
    node_table: Any  # int32
    node_key: Any  # uint64[nodes]
    nodes: Any  # NODE[nodes]
    counts: Any  # int64: arms, nodes
    leads: Any  # LEAD[nodes, MOST_LEADS]: what its pages led to, see ``leads``
    lead_pages: Any  # float32[nodes]: how many pages of it that is known of
    page_worth: Any  # float32[arms]: of a new page of it, with where that leads


def new_templates(arms: int) -> Templates:
    """Room for so many arms; memory is taken as they come."""
    return Templates(
        np.zeros(_table_size(arms), np.int32),
        np.zeros(arms, np.uint64),
        np.zeros((arms, VIEWS), np.int32),
        np.zeros(_table_size(VIEWS * arms), np.int32),
        np.zeros(VIEWS * arms, np.uint64),
        np.zeros(VIEWS * arms, NODE),
        np.zeros(2, np.int64),
        np.zeros((VIEWS * arms, MOST_LEADS), LEAD),
        np.zeros(VIEWS * arms, np.float32),
        np.zeros(arms, np.float32),
    )


def _table_size(entries: int) -> int:
    return 1 << max(4, (2 * entries - 1).bit_length())


def roomy_templates(old: Templates, arms: int) -> Templates:
    """The same with room for at least so many arms; at least doubled if too small."""
    if arms <= len(old.arm_key):
        return old
    new = new_templates(max(arms, 2 * len(old.arm_key)))
    arm_count, node_count = old.counts.tolist()
    for name in ("arm_key", "arm_nodes", "page_worth"):
        getattr(new, name)[:arm_count] = getattr(old, name)[:arm_count]
    for name in ("node_key", "nodes", "lead_pages"):
        getattr(new, name)[:node_count] = getattr(old, name)[:node_count]
    lead = np.flatnonzero(old.lead_pages[:node_count])  # rows of others would only take memory
    new.leads[lead] = old.leads[lead]
    new.counts[:] = old.counts
    _enter_all(new.arm_table, new.arm_key, int(new.counts[0]))
    _enter_all(new.node_table, new.node_key, int(new.counts[1]))
    return new


@njit
def _enter_all(table: Any, keys: Any, count: int) -> None:
    for i in range(count):
        table[_cell(table, keys, keys[i])] = i + 1


@inner
def _cell(table: Any, keys: Any, key: Any) -> Any:
    """The cell that holds the key, or the free one where it belongs."""
    mask = len(table) - 1
    cell = np.int64(key & np.uint64(mask))
    while table[cell] > 0 and keys[table[cell] - 1] != key:
        cell = (cell + 1) & mask
    return cell


@inner
def _node(tm: Any, key: Any) -> int:
    cell = _cell(tm.node_table, tm.node_key, key)
    if tm.node_table[cell] == 0:
        tm.node_key[tm.counts[1]] = key
        tm.counts[1] += 1
        tm.node_table[cell] = tm.counts[1]
    return tm.node_table[cell] - 1


@inner
def _link_label(facts: Any, path: int, label: int) -> Any:
    return mix(facts.text_hash[path, WHOLE] if path >= 0 else np.uint64(0), np.uint64(label))


@inner
def _labels(f: Any, facts: Any, candidate: int) -> Any:
    """What sets its template apart from others of the host: by URL (coarse, fine) and by link (short, whole)."""
    path, label = int64(f.candidates[candidate].path), int64(f.candidates[candidate].from_good)
    fine, coarse = np.uint64(facts.shape[candidate, FINE]), np.uint64(facts.shape[candidate, COARSE])
    short = facts.text_hash[path, LAST_FOUR] if path >= 0 else np.uint64(0)
    return coarse, fine, short, _link_label(facts, path, label)


@inner
def _shared_labels(f: Any, candidate: int, fine: Any) -> Any:
    fine = fine % np.uint64(SHARED)
    return fine, fine, np.uint64(0), np.uint64(f.candidates[candidate].from_good)


@inner
def _arm_key(host: Any, fine: Any, whole: Any) -> Any:
    return mix(mix(host, fine), whole)


@inner
def expected_cell(facts: Any, tm: Any, candidate: int, path: int, label: int) -> int:
    """Where the arm of a candidate with this path and parent's label most likely stands in ``arm_table``."""
    fine = np.uint64(facts.shape[candidate, FINE])
    key = _arm_key(np.uint64(facts.host[candidate]), fine, _link_label(facts, path, label))
    return int64(key & np.uint64(len(tm.arm_table) - 1))


@inner
def template_of(f: Any, facts: Any, tm: Any, candidate: int) -> int:
    """The candidate's arm; its host, path and parent's label must be set."""
    host = np.uint64(f.candidates[candidate].host)
    _, fine, _, whole = _labels(f, facts, candidate)
    key = _arm_key(host, fine, whole)
    cell = _cell(tm.arm_table, tm.arm_key, key)
    if tm.arm_table[cell] == 0 and f.hosts[host].arm_count >= TEMPLATES_A_HOST:
        key = _arm_key(host, fine % np.uint64(SHARED), np.uint64(SHARED))
        cell = _cell(tm.arm_table, tm.arm_key, key)
    if tm.arm_table[cell] == 0:
        arm = tm.counts[0]
        tm.arm_key[arm] = key
        tm.counts[0] = arm + 1
        tm.arm_table[cell] = arm + 1
        for view in range(VIEWS):
            tm.arm_nodes[arm, view] = -1
        if f.hosts[host].opened:
            _join_groups(f, facts, tm, arm, candidate)
        f.hosts[host].arm_count += 1
    return tm.arm_table[cell] - 1


@inner
def _join_groups(f: Any, facts: Any, tm: Any, arm: int, candidate: int) -> None:
    """Find the arm's groups, given a candidate of it; what waits in the arm counts in them."""
    host = np.uint64(f.candidates[candidate].host)
    coarse, fine, short, whole = _labels(f, facts, candidate)
    if tm.arm_key[arm] != _arm_key(host, fine, whole):
        coarse, fine, short, whole = _shared_labels(f, candidate, fine)
    tm.arm_nodes[arm, 0] = _node(tm, mix(mix(host, np.uint64(1)), coarse))
    tm.arm_nodes[arm, 1] = _node(tm, mix(mix(host, np.uint64(2)), fine))
    if short:
        tm.arm_nodes[arm, 2] = _node(tm, mix(mix(host, np.uint64(3)), short))
    tm.arm_nodes[arm, 3] = _node(tm, mix(mix(host, np.uint64(4)), whole))
    for view in range(VIEWS):
        if tm.arm_nodes[arm, view] >= 0:
            tm.nodes[tm.arm_nodes[arm, view]].queued += f.arms[arm].size


@inner
def open_host(f: Any, facts: Any, tm: Any, host: int) -> None:
    """Give the arms of a host their groups, when it is about to be visited: most hosts never are."""
    if f.hosts[host].opened:
        return
    f.hosts[host].opened = True
    arm = int64(f.hosts[host].arms)
    while arm >= 0:
        _join_groups(f, facts, tm, arm, queues.best(f, arm))
        arm = int64(f.arms[arm].next)
