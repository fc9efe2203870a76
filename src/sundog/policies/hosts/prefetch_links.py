"""Prefetch the rows of arrays that a page's links will need.

Nearly all of them are far from the processor, and memory answers each request slowly, but many at a time. A new
link needs a few rows, each of which leads to the next, so there is one pass for each. A prefetch does not wait,
reads nothing and changes nothing; any index may be given.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from sundog._jit import inner, int64
from sundog.frontier.arrays import UNKNOWN
from sundog.policies.hosts.templates import expected_cell
from sundog.policies.parameters import PATH, URL

FOR_READING, KEEP, DATA = 0, 3, 1  # operands of the instruction: read, keep in all caches, data


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(typing_context: Any, array: Any, row: Any) -> Any:
    """Prefetch the beginning of a row of the array."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        struct = make_array(array)(context, builder, arguments[0])
        index = context.cast(builder, arguments[1], row, types.intp)
        stride = builder.extract_value(struct.strides, 0)
        address = cgutils.pointer_add(builder, struct.data, builder.mul(index, stride), cgutils.voidptr_t)
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, word(FOR_READING), word(KEEP), word(DATA)])
        return context.get_dummy_value()

    return types.void(array, row), make


@inner
def prefetch_links(s: Any, parent: int, targets: Any, paths: Any) -> None:
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
    if not plan.by_templates:
        prefetch(f.arms, host)
    elif h is not None:
        prefetch(h.templates.arm_table, expected_cell(facts, h.templates, target, path, label))


@inner
def _prefetch_queue(f: Any, h: Any, facts: Any, plan: Any, target: int, path: int, label: int) -> None:
    if not plan.by_templates:
        prefetch(f.slots, f.arms[facts.host[target]].start)
    elif h is not None:
        arm = h.templates.arm_table[expected_cell(facts, h.templates, target, path, label)] - 1
        if arm >= 0:
            prefetch(f.arms, arm)
            prefetch(h.templates.arm_key, arm)
            prefetch(h.templates.arm_nodes, arm)
