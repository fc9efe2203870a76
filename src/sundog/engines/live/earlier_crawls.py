"""What earlier crawls for the same objective have learned, for a new one to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from sundog.errors import UsageError
from sundog.learn.files import load_model, version_of
from sundog.learn.model import Model, new_model
from sundog.learn.prior import Prior, prior_of
from sundog.objectives import Objective, parse_objective
from sundog.policies import DEFAULT
from sundog.policies.presets import POLICIES
from sundog.spec import CrawlSpec
from sundog.spec.crawl import parse_spec
from sundog.store import open_readonly
from sundog.store.directory import MODEL, SPEC
from sundog.store.shards import is_sharded


def prior_from(directories: Sequence[Path | str], spec: CrawlSpec, objective: Objective) -> Prior:
    """Raises a SundogError that names the directory if nothing can be taken over from one of them."""
    if spec.policy != DEFAULT or spec.policy_parameters.get("local") == "false":
        raise UsageError(f"only the policy {DEFAULT} begins with what others have learned: leave out --learn-from")
    return prior_of([_model_of(Path(directory), spec, objective) for directory in directories])


def _model_of(directory: Path, spec: CrawlSpec, objective: Objective) -> Model:
    if is_sharded(directory):
        raise UsageError(f"{directory} is a crawl in shards, of which no model is kept: leave it out")
    with open_readonly(directory) as reader:
        earlier = parse_spec(reader.spec_text, str(directory / SPEC))
    if earlier.policy != DEFAULT:
        raise UsageError(
            f"{directory} was crawled by {earlier.policy}: only a crawl by {DEFAULT} can be learned from"
        )
    wanted = parse_objective(earlier.objective, folder=directory)
    if (str(wanted.condition), wanted.files) != (str(objective.condition), objective.files):
        raise UsageError(
            f"{directory} was crawled for '{earlier.objective}', not for '{spec.objective}': leave it out"
        )
    path = directory / MODEL
    if not path.exists():
        raise UsageError(f"{directory} has no {MODEL}: its crawl has not ended yet; sundog resume ends it")
    from sundog.policies.hosts.estimator import feature_width  # loads kernels

    hashes = spec.policy_parameters.get("hashes", POLICIES[DEFAULT].defaults["hashes"])
    model = load_model(path, new_model("ftrl", feature_width(int(hashes))))
    if (made_by := version_of(path)) != version("sundog"):
        by = f"version {made_by}" if made_by else "an older version"
        raise UsageError(f"{path} was written by {by} of Sundog, whose features may be others: leave it out")
    return model
