"""Specs that anybody may have written are shown as far as they can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.spec import CrawlSpec, spec_text
from sundog.spec.lenient import read_leniently

SEED = 'seeds = ["https://a.example/"]\n'


def test_a_sound_spec_is_read_as_it_is() -> None:
    spec = CrawlSpec(seeds=("https://a.example/",), budget=7, policy="bfs", title="Kettles")
    assert read_leniently(spec_text(spec)) == spec


def test_budgets_of_windows_and_usual_objectives_are_known() -> None:
    api = read_leniently(
        'world = "api"\nseeds = ["1"]\nseconds = 100\nobjective = "keyword:a"\n[api]\n'
        'items = "https://a.example/{id}"\nrequests = 5\nwindow = 10\ntexts = "t"\nlinks = "l"\n'
    )
    assert (api.world, api.fetches) == ("api", 50)
    patterns = '[[patterns.data]]\nname = "x"\nfind = "//p"\n'
    assert read_leniently(SEED + patterns).objective == "patterns"


@pytest.mark.parametrize(
    "text", ["", "a = " + "[" * 5_000, "x" * 10, "budget = 1" + "0" * 5_000, 'seeds = ["x"]', "seeds = 5"]
)
def test_what_cannot_be_read_has_defaults(text: str) -> None:
    spec = read_leniently(text)
    assert (spec.policy, spec.fetches, spec.world, spec.objective, spec.seeds) == (
        "sundog",
        1_000,
        "web",
        "any",
        (),
    )


def test_one_wrong_key_costs_no_other() -> None:
    spec = read_leniently(f'{SEED}later = true\nbudget = "x"\npolicy = "bfs"\n[api]\nitems = 5\n')
    assert (spec.policy, spec.fetches, spec.seeds) == ("bfs", 1_000, ("https://a.example/",))


VALUES = ["-1", "0", "1e300", "nan", "true", '""', '"web"', "[]", '["x"]', "{}", "{a = 1}", "2020-01-01", "[[1]]"]


@given(st.dictionaries(st.sampled_from([*CrawlSpec.__dataclass_fields__, "later"]), st.sampled_from(VALUES)))
def test_no_value_breaks_the_reader(values: dict[str, str]) -> None:
    assert read_leniently("".join(f"{name} = {value}\n" for name, value in values.items())).policy
