"""The time of a monotonic clock, for kernels that are measured from within."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

SECOND = 1_000_000_000
CLOCK = getattr(time, "CLOCK_MONOTONIC", 0)  # Windows has none


def kernels_have_a_clock() -> bool:
    """Whether this system has the function that ``nanoseconds`` calls."""
    return CLOCK > 0 and binding.address_of_symbol("clock_gettime") is not None


@intrinsic  # type: ignore[untyped-decorator]
def nanoseconds(typing_context: Any) -> Any:
    """As ``time.monotonic_ns``."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, number = ir.IntType(64), ir.IntType(32)
        both = cgutils.alloca_once(builder, ir.LiteralStructType([word, word]))
        kind = ir.FunctionType(number, [number, cgutils.voidptr_t])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [number(CLOCK), builder.bitcast(both, cgutils.voidptr_t)])
        seconds, rest = (builder.load(cgutils.gep_inbounds(builder, both, 0, at)) for at in (0, 1))
        return builder.add(builder.mul(seconds, word(SECOND)), rest)

    return types.int64(), make
