"""The kernels' two kinds, and views of structs."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit as plain_njit
from numba import types
from numba.experimental import structref

from sundog._jit import inner, njit
from sundog._view import view


class Pair(NamedTuple):
    numbers: Any
    flag: bool


class Mixed(NamedTuple):
    pair: Pair
    count: int


@structref.register
class _BoxType(types.StructRef):  # type: ignore[misc]
    pass


class Box(structref.StructRefProxy):  # type: ignore[misc]
    pass


structref.define_proxy(Box, _BoxType, ["mixed", "nothing", "other"])


@plain_njit  # type: ignore[untyped-decorator]
def build(mixed: Any, nothing: Any, other: Any) -> Any:
    return Box(mixed, nothing, other)


@inner
def _double(mixed: Any, other: Any) -> int:
    for i in range(len(mixed.pair.numbers)):
        mixed.pair.numbers[i] *= 2 if mixed.pair.flag else 1
    return mixed.count + len(other)


@inner
def _is_nothing(thing: Any) -> bool:
    return thing is None


@plain_njit  # type: ignore[untyped-decorator]
def through_a_view(box: Any) -> Any:
    v = view(box)
    return _double(v.mixed, v.other), _is_nothing(v.nothing), v.mixed.pair.flag


@njit
def twice(x: float) -> float:
    return _twice(x)


@inner
def _twice(x: float) -> float:
    return 2 * x


def test_python_reaches_inner_kernels_through_entry_points_only() -> None:
    assert twice(2.0) == 4.0
    with pytest.raises(TypeError):
        _twice(2.0)


def test_a_view_reads_through_nested_tuples_and_writes_into_arrays() -> None:
    numbers, other = np.arange(4.0), np.zeros((2, 3), np.int32)
    box = build(Mixed(Pair(numbers, True), 5), None, other)
    assert through_a_view(box) == (7, True, True)
    assert numbers.tolist() == [0, 2, 4, 6]


def test_what_a_view_has_read_is_neither_leaked_nor_freed() -> None:
    numbers, other = np.arange(4.0), np.zeros((2, 3))
    box = build(Mixed(Pair(numbers, False), 0), None, other)
    through_a_view(box)
    before = sys.getrefcount(numbers)
    for _ in range(100):
        through_a_view(box)
    assert sys.getrefcount(numbers) == before


def test_a_view_has_the_fields_of_its_struct_only() -> None:
    @plain_njit  # type: ignore[untyped-decorator]
    def misspelt(box: Any) -> Any:
        return view(box).mixt

    with pytest.raises(Exception, match="mixt"):
        misspelt(build(Mixed(Pair(np.zeros(1), True), 1), None, np.zeros((1, 1))))


def test_blas_is_loaded_by_kernels_that_need_it_only() -> None:
    program = """if True:
        import sys, numba, numpy as np, sundog._jit
        print("scipy.linalg" in sys.modules)
        product = numba.njit(lambda one, other: np.dot(one, other))
        print(product(np.eye(2), np.eye(2)).tolist(), "scipy.linalg.cython_blas" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["False", "[[1.0, 0.0], [0.0, 1.0]] True", ""]
