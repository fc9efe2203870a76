"""``sundog simulate --precision``: how good a policy's estimates are, wherever its crawl would lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sundog.cli.terminal import print_json, print_table, progress_of, say

if TYPE_CHECKING:
    from sundog.worlds.static import StaticWorld

WINDOW = 1_000  # steps, as in the graph paper's figure 3
COLUMNS = 8
WORK = "precision"  # by which its kernels are known to have been compiled


def print_precision(
    world: StaticWorld,
    summary: Mapping[str, int],
    policies: Sequence[str],
    seeds: Sequence[int],
    options: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    """The crawl follows the oracle: the score of the best page less that of the policy's choice, at some steps."""
    import numpy as np

    from sundog._jit import mark_as_compiled
    from sundog.engines.experiment import steps_up_to
    from sundog.engines.precision import estimator_precision
    from sundog.policies.presets import check_parameters, find_policy

    check_parameters(parameters, [find_policy(name) for name in policies])
    found: list[dict[str, Any]] = []
    rolling = []
    with progress_of("precision") as progress:
        for number, name in enumerate(policies):
            accepted = {key: value for key, value in parameters.items() if key in find_policy(name).accepts}
            runs = [estimator_precision(world, name, seed=seed, **options, **accepted) for seed in seeds]
            steps = min(len(run.best) for run in runs)
            rolling.append(np.mean([run.rolling(WINDOW)[:steps] for run in runs], axis=0))
            right = float(np.mean([np.mean(run.shortfall <= 0) for run in runs]))
            found.append({"policy": name, "steps": steps, "right": round(right, 6)})
            progress(number + 1, len(policies))
    moments = steps_up_to(min(map(len, rolling)))[-COLUMNS:]  # a crawl may end before its budget
    for one, shortfall in zip(found, rolling, strict=True):
        one["shortfall"] = {str(step): round(float(shortfall[step - 1]), 6) for step in moments}
    mark_as_compiled(WORK)
    if as_json:
        print_json({"world": summary, "window": WINDOW, "precision": found})
        return
    say(
        f"the crawl follows the oracle; score of the best page less that of the policy's, mean of {WINDOW:,} steps"
    )
    columns = ("policy", "right", *(f"{step:,}" for step in moments))
    rows = [
        (one["policy"], f"{one['right']:.1%}", *(f"{value:.3f}" for value in one["shortfall"].values()))
        for one in found
    ]
    print_table(columns, rows)
