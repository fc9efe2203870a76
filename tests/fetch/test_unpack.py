"""Any bytes unpack within the cap, or raise ``UnpackError``."""

from __future__ import annotations

import contextlib
import gzip
import zlib

import brotli
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from sundog.fetch.unpack import CODINGS, MOST_MEMBERS, UnpackError, unpack

PACKERS = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}


@given(st.binary(max_size=2_000), st.sampled_from(sorted(PACKERS)), st.integers(1, 3_000))
def test_what_was_packed_comes_out_up_to_the_cap(body: bytes, coding: str, cap: int) -> None:
    assert unpack(PACKERS[coding](body), coding, cap).body == body[:cap]


@given(st.binary(max_size=200), st.sampled_from(sorted(CODINGS)))
def test_any_bytes_unpack_or_do_not(body: bytes, coding: str) -> None:
    with contextlib.suppress(UnpackError):
        assert len(unpack(body, coding, 50).body) <= 50


@pytest.mark.parametrize("coding", PACKERS)
def test_density_is_known_though_the_body_is_cut(coding: str) -> None:
    packed = PACKERS[coding](bytes(30_000_000))
    assert unpack(packed, coding, 1_000_000).density > 200
    text = " ".join(map(str, range(100_000))).encode()
    assert unpack(PACKERS[coding](text), coding, 400_000).density < 20


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_members_without_end(coding: str) -> None:
    packed = PACKERS[coding](b"a")
    assert unpack(packed * 3, coding, 5_000_000).body == b"aaa"
    assert unpack(packed * 200_000, coding, 5_000_000).body == b"a" * MOST_MEMBERS


@pytest.mark.parametrize("coding", PACKERS)
def test_what_ends_too_early_gives_what_it_has(coding: str) -> None:
    body = " ".join(map(str, range(300_000))).encode()
    packed = PACKERS[coding](body)
    part = unpack(packed[: len(packed) // 2], coding, 5_000_000).body
    assert 1_000 < len(part) < len(body)
    assert body.startswith(part)


def test_layers() -> None:
    assert unpack(gzip.compress(brotli.compress(b"page")), "br, gzip", 99).body == b"page"
    assert unpack(b"page", "identity", 99).body == b"page"
    with pytest.raises(UnpackError, match="3 codings"):
        unpack(b"", "gzip, gzip, gzip", 99)
