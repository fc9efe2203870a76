"""Owners: stable, even, and nobody moves who need not."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.errors import UsageError
from sundog.sharding.ownership import Owners

DOMAINS = [f"{word}{number}.com" for word in ("shop", "blog", "x-") for number in range(400)]
NAMES = st.from_regex(r"([a-z0-9]{1,8}\.){1,3}(org|com|co\.uk)", fullmatch=True)
COUNTS = st.integers(1, 70)
GOLDEN = [61, 9, 26, 63, 39, 31]


@given(NAMES, COUNTS, COUNTS)
def test_only_what_must_move_moves(host: str, some: int, more: int) -> None:
    """Added shards take names for themselves; removed ones give away their own only."""
    some, more = sorted((some, more))
    before, after = Owners(some).of(host), Owners(more).of(host)
    assert after == before or after >= some


@given(NAMES, COUNTS)
def test_a_host_has_one_owner_however_it_is_written(host: str, shards: int) -> None:
    owners = Owners(shards)
    spellings = [
        host,
        host.upper(),
        f"{host}.",
        f"{host}:8443",
        f"https://{host}/a?b",
        f"http://me:x@{host}:80#c",
        f"http://{host}?u=http://b.example/",
    ]
    assert {owners.of(spelling) for spelling in spellings} == {owners.of(host)}
    assert owners.of(f"www.{host}") == owners.of(host)
    assert 0 <= owners.of(host) < shards


def test_the_load_is_even() -> None:
    counts = np.bincount([Owners(16).of(name) for name in DOMAINS], minlength=16)
    assert counts.min() > 40
    assert counts.max() < 120  # 75 are expected, with a deviation of 8.4


def test_a_further_shard_takes_its_share() -> None:
    before, after = Owners(9), Owners(10)
    moved = sum(before.of(name) != after.of(name) for name in DOMAINS)
    assert 70 < moved < 180  # 120 are expected


def test_owners_are_the_same_everywhere() -> None:
    """These numbers stand for crawls on disk: if they change, hosts of such crawls would have two owners."""
    names = (
        "a.example",
        "www.shop.co.uk",
        "me.github.io",
        "10.0.0.1",
        "[2001:db8::1]:80",
        "xn--bcher-kva.example",
    )
    assert [Owners(64).of(name) for name in names] == GOLDEN
    program = f"from sundog.sharding.ownership import Owners; print([Owners(64).of(n) for n in {names}])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(GOLDEN)


def test_a_giant_is_split_by_host() -> None:
    whole, split = Owners(32), Owners(32, frozenset({"giant.org"}))
    hosts = [f"user{number}.giant.org" for number in range(200)]
    assert len({whole.of(host) for host in hosts}) == 1
    assert len({split.of(host) for host in hosts}) == 32
    assert [split.of(name) for name in DOMAINS] == [whole.of(name) for name in DOMAINS]


def test_an_address_has_one_owner_however_it_is_written() -> None:
    owners = Owners(50)
    assert owners.of_address("1.2.3.4") == owners.of_address("::ffff:1.2.3.4")
    assert owners.of_address("2606:4700:0::1") == owners.of_address("2606:4700::1")
    assert len({owners.of_address(f"1.2.3.{last}") for last in range(256)}) > 40


def test_owners_travel() -> None:
    owners = Owners(5, frozenset({"giant.org"}))
    owners.of("http://a.example/")
    assert pickle.loads(pickle.dumps(owners)) == owners != Owners(5)
    assert repr(owners) == "Owners(5, {'giant.org'})"
    assert repr(Owners(5)) == "Owners(5)"


@pytest.mark.parametrize("shards", [0, -1])
def test_no_shards_are_refused(shards: int) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Owners(shards)


def test_only_registered_domains_can_be_split() -> None:
    with pytest.raises(UsageError, match=r"'www\.a\.org'.*write 'a\.org'"):
        Owners(2, frozenset({"www.a.org"}))
    assert Owners(2, frozenset({"A.org"})) == Owners(2, frozenset({"a.org"}))


@given(st.text(max_size=30))
def test_any_text_has_an_owner(text: str) -> None:
    assert 0 <= Owners(7).of(text) < 7
