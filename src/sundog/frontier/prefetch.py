"""Rows of arrays are asked for before they are needed: the memory answers many at a time, but slowly each.

A kernel that uses it (see ``_jit``) does not wait, whatever the index; nothing is read or changed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

FOR_READING, KEEP, DATA = 0, 3, 1  # what the processor is told: it is data, and will be used soon


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(typing_context: Any, array: Any, row: Any) -> Any:
    """Ask for the beginning of a row of the array."""

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
