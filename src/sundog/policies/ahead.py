"""What a page's links will need of memory, asked for ahead: nearly all of it is far from the processor.

A few rows for each new link, one pass for each row that leads to the next. Nothing is changed.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.arrays import UNKNOWN
from sundog.frontier.prefetch import prefetch
from sundog.policies.plan import PATH, SHRUNK, URL
from sundog.policies.templates import expected_cell


@inner
def look_ahead(s: Any, parent: int, targets: Any, paths: Any) -> None:
    f, h, facts, plan = s.f, s.h, s.facts, s.plan
    for i in range(len(targets)):
        prefetch(f.candidates, targets[i])
    for i in range(len(targets)):
        if f.candidates[targets[i]].state == UNKNOWN:
            _prefetch_facts(facts, plan, int64(targets[i]))
    label = int64(f.candidates[parent].good) if parent >= 0 else 0
    for i in range(len(targets)):
        if f.candidates[targets[i]].state == UNKNOWN:
            path = int64(paths[i]) if len(paths) else -1
            _prefetch_records(f, h, facts, plan, int64(targets[i]), path, label)
    for i in range(len(targets)):
        if f.candidates[targets[i]].state == UNKNOWN:
            path = int64(paths[i]) if len(paths) else -1
            _prefetch_queue(f, h, facts, plan, int64(targets[i]), path, label)


@inner
def _prefetch_facts(facts: Any, plan: Any, target: int) -> None:
    prefetch(facts.host, target)
    prefetch(facts.shape, target)
    if plan.features & URL:
        prefetch(facts.token_start, target)
    if plan.features & PATH:
        prefetch(facts.path_start, target)


@inner
def _prefetch_records(f: Any, h: Any, facts: Any, plan: Any, target: int, path: int, label: int) -> None:
    host = int64(facts.host[target])
    prefetch(f.hosts, host)
    if plan.features & URL:
        prefetch(facts.tokens, facts.token_start[target])
    if plan.features & PATH:
        prefetch(facts.path_tokens, facts.path_start[target])
    if plan.strategy != SHRUNK:
        prefetch(f.arms, host)
    elif h is not None:
        prefetch(h.templates.arm_table, expected_cell(facts, h.templates, target, path, label))


@inner
def _prefetch_queue(f: Any, h: Any, facts: Any, plan: Any, target: int, path: int, label: int) -> None:
    if plan.strategy != SHRUNK:
        prefetch(f.slots, f.arms[facts.host[target]].start)
    elif h is not None:
        arm = h.templates.arm_table[expected_cell(facts, h.templates, target, path, label)] - 1
        if arm >= 0:
            prefetch(f.arms, arm)
            prefetch(h.templates.arm_key, arm)
            prefetch(h.templates.arm_nodes, arm)
