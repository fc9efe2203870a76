"""The registry of policies, which specs, the site and the command line read without loading kernels."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sundog.errors import UsageError
from sundog.learn.model import KINDS
from sundog.policies.parameters import LEARNERS
from sundog.policies.presets import POLICIES, find_policy


def test_the_list_of_policies_needs_no_kernels() -> None:
    program = "import sys, sundog.policies.presets; print(*{'numba', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_which_policies_foresee_and_which_prefer_rdf() -> None:
    assert [name for name, policy in POLICIES.items() if policy.foresees] == ["oracle", "steered-oracle"]
    assert [name for name, policy in POLICIES.items() if policy.prefers_rdf] == ["ldcoc", "ldspider"]


@pytest.mark.parametrize("name", POLICIES)
def test_a_record_is_consistent(name: str) -> None:
    policy = find_policy(name)
    assert policy.has_classifier == ("learner" in policy.defaults)
    assert policy.defaults.keys() <= {"learner", "features", *policy.accepts}
    assert find_policy(policy.kernels_like).kernels_like == policy.kernels_like


@pytest.mark.parametrize("name", ["oracle", "steered-oracle"])
def test_an_oracle_is_refused_without_truth(name: str) -> None:
    with pytest.raises(UsageError, match="simulation only"):
        find_policy(name).check_foresight()


def test_learners_have_one_list_of_names() -> None:
    """``ftrl-global`` is ftrl with ``rates=global``; a Hoeffding tree is no kernel."""
    assert set(LEARNERS) == KINDS.keys() - {"ftrl-global"} | {"hoeffding-tree"}
