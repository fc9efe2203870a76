"""Arrays that grow where they are: what was written stays, what is new is zero, and large ones are not copied."""

import pickle

import numpy as np
import pytest

from sundog.frontier import reserved
from sundog.frontier.arrays import CANDIDATE, longer

LARGE = reserved.LARGE // 4  # rows of four bytes


@pytest.mark.parametrize("rows", [10, LARGE])
@pytest.mark.parametrize("array", [np.zeros(0, np.int32), np.zeros((0, 4), np.uint32), np.zeros(0, CANDIDATE)])
def test_rows_are_zeros_and_stay(rows: int, array: np.ndarray) -> None:
    grown = longer(array, rows)
    assert (grown.shape, grown.dtype) == ((rows, *array.shape[1:]), array.dtype)
    assert all(grown.flags[name] for name in ("C_CONTIGUOUS", "WRITEABLE", "ALIGNED"))
    grown[-1] = 1
    again = longer(grown, rows + 1)
    assert len(again) == 2 * rows
    assert np.array_equal(again[:rows], grown)
    assert not again[rows:].view(np.uint8).any()


def test_large_ones_are_the_same_memory_until_there_is_no_more_room() -> None:
    first = longer(np.zeros(0, np.int32), LARGE)
    second = longer(first, LARGE + 1)
    assert np.shares_memory(first, second)
    last = longer(second, reserved.TIMES * LARGE + 1)
    last[0] = 7
    assert first[0] == 0


def test_a_part_of_such_an_array_is_copied() -> None:
    whole = longer(np.zeros(0, np.int32), LARGE)
    whole[:] = 1
    assert longer(whole[2:4], 5).tolist() == [1, 1, 0, 0, 0]


def test_an_array_comes_back_from_a_pickle_without_its_room() -> None:
    whole = longer(np.zeros(0, np.int32), LARGE)
    whole[3] = 5
    back = pickle.loads(pickle.dumps(whole, protocol=5))
    assert np.array_equal(back, whole)
    assert not np.shares_memory(longer(back, LARGE + 1), back)


def test_a_system_that_counts_addresses_gets_plain_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **more: object) -> None:
        raise OSError

    monkeypatch.setattr(reserved.mmap, "mmap", refuse)
    grown = longer(np.ones(2, np.int32), LARGE)
    assert grown[:3].tolist() == [1, 1, 0]
    assert grown.base is None


def test_only_rows_in_use_are_copied() -> None:
    assert longer(np.array([1, 2, 3]), 4, used=2).tolist() == [1, 2, 0, 0, 0, 0]
