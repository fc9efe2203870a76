"""Policies compared on one world, for notebooks: runs of every policy with every seed, their table and plots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Unpack

from sundog.arrow import pa
from sundog.engines.runs import Run
from sundog.engines.simulate import ARGUMENTS, rewards_of, simulate, world_sizes
from sundog.errors import UsageError, nearest_or_all
from sundog.policies.parameters import PolicyParameters
from sundog.policies.presets import AnyPolicy, check_parameters, find_policy
from sundog.report.charts import LIGHT, Chart, dash
from sundog.report.document import ChartSet
from sundog.report.pictures import picture
from sundog.report.runs_table import runs_table, summarise
from sundog.report.simulations import base_rate, charts_of_runs, write_report
from sundog.short_repr import ShortRepr
from sundog.worlds.load import AnyWorld, load_world

# A notebook has no style sheet of ours, and its theme is not the system's: the light colours on white.
COLOURS = {"muted": "#59616b", "rule": "#dfe3e8", "grid": "#eceff2", **{f"c{i}": c for i, c in enumerate(LIGHT)}}
CARD = "background: #fff; color: #1b1f24; padding: 8px; max-width: 720px; overflow-x: auto"
COLUMNS = ("policy", "seed", "budget", "fetched", "relevant", "reward", "harvest_rate", "seconds", "stopped")


def compare(
    world: AnyWorld,
    policies: Sequence[AnyPolicy],
    seeds: Iterable[int] = range(3),
    *,
    budget: int,
    objective: str = "any",
    start: str | None = None,
    delay: int = 0,
    **parameters: Unpack[PolicyParameters],
) -> Comparison:
    """Crawl a world with every policy and every seed.

    Args:
        policies: names, objects or classes, as ``simulate`` takes them. An object is copied for each run, so that
            no run knows what another one has learned.
        parameters: each goes to the policies that know it. The other arguments are those of ``simulate``.
    """
    if isinstance(seeds, int):
        raise UsageError(f"seeds={seeds}: several are expected, such as range({seeds})")
    seeds, loaded = list(seeds), load_world(world)
    found = _checked(policies)
    if not seeds:
        raise UsageError("seeds= is empty: give at least one, such as [0]")
    check_parameters(parameters, found, (*ARGUMENTS, "seeds"))
    runs = []
    for policy, known in zip(policies, found, strict=True):
        accepted: Any = {name: value for name, value in parameters.items() if name in known.accepts}
        for seed in seeds:
            given = policy if isinstance(policy, (str, type)) else deepcopy(policy)
            run = simulate(
                loaded, given, budget=budget, objective=objective, start=start, seed=seed, delay=delay, **accepted
            )
            runs.append(run)
    return Comparison(loaded.name, world_sizes(loaded, rewards_of(loaded, objective)), objective, tuple(runs))


def _checked(policies: Sequence[AnyPolicy]) -> list[Any]:
    if isinstance(policies, str):
        raise UsageError(f"policies='{policies}': names in a list are expected, such as ['{policies}']")
    found = [find_policy(policy) for policy in policies]
    names = [policy.name for policy in found]
    if not names:
        raise UsageError("policies= is empty: name at least one, such as ['bfs']")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two policies are called '{twice}': each needs a name of its own")
    return found


@dataclass(frozen=True, repr=False)
class Comparison(ShortRepr):
    """What ``compare`` gives; in a notebook it shows a table and the harvest curves."""

    world: str
    sizes: dict[str, int]
    objective: str
    runs: tuple[Run, ...]

    def _shown(self) -> dict[str, Any]:
        return {
            "world": self.world,
            "objective": self.objective,
            "harvest_rates": {line.policy: round(line.harvest, 3) for line in summarise(self.runs)},
        }

    def to_arrow(self) -> Any:
        """An Arrow table with one row a run."""
        return pa.table({name: [getattr(run, name) for run in self.runs] for name in COLUMNS})

    @property
    def plots(self) -> tuple[str, ...]:
        """The names that ``plot`` takes."""
        return tuple(chart.name for chart in self._charts.charts)

    def plot(self, name: str = "harvest") -> Plot:
        chart = next((chart for chart in self._charts.charts if chart.name == name), None)
        if chart is None:
            raise UsageError(f"unknown plot '{name}'{nearest_or_all(name, self.plots)}")
        return _drawn(chart, self._charts)

    def write_report(self, path: Path | str) -> None:
        """Table and all charts as one HTML file, as ``sundog simulate --report`` writes it."""
        title, command = f"Simulated crawls of {self.world}", f"sundog.compare(…): {len(self.runs)} runs"
        write_report(Path(path), title, self.sizes, self.runs, objective=self.objective, command=command)

    def _repr_html_(self) -> str:
        table = _with_colours(runs_table(summarise(self.runs)))
        plot = self.plot()._repr_html_() if self.plots else ""
        return table + plot  # the table has the notebook's own colours, which no card could change

    @cached_property
    def _charts(self) -> ChartSet:
        return charts_of_runs(self.runs, base_rate(self.sizes))


@dataclass(frozen=True, repr=False)
class Plot(ShortRepr):
    """A picture with a title; ``svg`` stands on its own."""

    title: str
    caption: str
    policies: tuple[str, ...]
    svg: str

    def _shown(self) -> dict[str, Any]:
        return {"title": self.title, "policies": list(self.policies)}

    def _repr_html_(self) -> str:
        keys = " ".join(_key(at, policy) for at, policy in enumerate(self.policies))
        caption = f"<b>{escape(self.title)}</b> {escape(self.caption)}"
        return f'<div style="{CARD}"><p>{caption}</p><p>{keys}</p>{self.svg}</div>'


def _drawn(chart: Chart, charts: ChartSet) -> Plot:
    svg = picture(chart.spec, charts.datasets[chart.spec["data"]["name"]])
    svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Plot(chart.title, chart.caption, tuple(charts.policies), _with_colours(svg))


def _with_colours(html: str) -> str:
    """Colours themselves instead of the variables of a style sheet."""
    return re.sub(r"var\(--(\w+)\)", lambda found: COLOURS.get(found[1], found[0]), html)


def _key(at: int, policy: str) -> str:
    paint, dashes = LIGHT[at % len(LIGHT)], " ".join(map(str, dash(at)))
    line = f'<line x1="1" y1="5" x2="27" y2="5" stroke="{paint}" stroke-width="2" stroke-dasharray="{dashes}"/>'
    return f'<svg width="28" height="10">{line}</svg> {escape(policy)}'
