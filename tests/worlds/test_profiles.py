"""Profiles of synthetic worlds, whatever kind they are of."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from sundog.worlds.synthetic.profiles import find_profile
from sundog.worlds.synthetic.registry import KIND_OF, KINDS, profile_summaries

PROFILES = [profile for kind in KINDS for profile in kind.profiles.values()]


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_whatever_is_called_a_share_is_one(profile: Any) -> None:
    for field in fields(profile):
        if field.name.endswith("share"):
            with pytest.raises(ValueError, match=rf"{field.name} = 1\.5 is not in \[0, 1\]"):
                replace(profile, **{field.name: 1.5})


@pytest.mark.parametrize("name", ["strictness", "dead_uris", "misdeclared", "largest_host", "loose_property"])
def test_shares_of_a_web_of_data_are_checked(name: str) -> None:
    linked = KIND_OF["linked-data"].profiles["linked-data"]
    with pytest.raises(ValueError, match=rf"profile linked-data: {name} = -0\.1 is not in \[0, 1\]"):
        replace(linked, **{name: -0.1})


def test_every_profile_is_found_by_its_name() -> None:
    assert list(KIND_OF) == [profile.name for profile in PROFILES]
    assert list(profile_summaries().values()) == [profile.summary for profile in PROFILES]
    for kind in KINDS:
        for name, profile in kind.profiles.items():
            assert find_profile(name, kind.profiles) is find_profile(profile, kind.profiles) is profile


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_profile_is_refused(kind: Any) -> None:
    sizes = {"pages": 200, **({"hosts": 10} if kind.usual_hosts(200) else {})}
    with pytest.raises(ValueError, match=r"unknown profile 'no-such': choose from "):
        kind.generate("no-such", **sizes, seed=0)


def test_usual_sizes() -> None:
    assert [kind.usual_hosts(kind.usual_pages) for kind in KINDS] == [8_333, 10_000, None, 500]
    assert [kind.usual_hosts(5) for kind in KINDS] == [1, 10, None, 1]
