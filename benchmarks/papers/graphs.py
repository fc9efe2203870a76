"""Adaptive exploration of graphs under a budget (Gouriten, Maniu, Senellart): tables 1 to 3, figures 1 to 5."""

from __future__ import annotations

from functools import cached_property
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import world
from benchmarks.papers.demands import add_demands
from benchmarks.papers.page import PaperPage
from benchmarks.papers.told import kept
from sundog import load_world, simulate
from sundog.engines.experiment import steps_up_to
from sundog.engines.precision import estimator_precision
from sundog.worlds.static import StaticWorld

TABLE_1 = {  # nodes and links with a score, in the paper
    "keyword": ("bretagne", 42_923, 163_017),
    "keyword-france": ("france", 2_162_969, 2_410_783),
    "mentions-happy": ("happy", 1_860_131, 1_898_015),
    "mentions": ("jazz", 105_240, 50_629),
    "mentions-weird": ("weird", 541_937, 342_153),
}
TABLE_2 = {
    ("keyword-france", "in"): (0.118, 0.252, 0.248, 0.357, 0.272, 0.269),
    ("keyword-france", "out"): (0.639, 0.827, 0.687, 0.313, 0.344, 0.295),
    ("keyword", "in"): (0.315, 0.238, 0.404, 0.195, 0.309, 0.300),
    ("keyword", "out"): (0.570, 0.828, 0.641, 0.262, 0.326, 0.322),
}
TABLE_3 = {
    ("keyword-france", "in"): (0.121, 0.145),
    ("keyword-france", "out"): (0.695, 0.152),
    ("keyword", "in"): (0.191, 0.129),
    ("keyword", "out"): (0.688, 0.151),
}
FEATURES = ("n sum", "e sum", "ne sum", "n max", "e max", "ne max")
ALTERED = [{"q": q, "zeta": zeta} for q in (0.9, 0.5) for zeta in (0.1, 0.5)]
REFRESH = (2, 5, 20, 100, 500)
ESTIMATORS = (
    "random bfs opic navigational-rank nh-n nh-e nh-ne lnh-sum lnh-max hybrid-paper hybrid ensemble".split()
)
OWN_SHARES = (0.15, 0.5, 0.85)  # d of Navigational Rank
PRECISE = "random nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg".split()
STEERED, RANKED = "steered-oracle", "navigational-rank"
SEEDS_ABOVE = 1.5  # the score of seeds in figures 1 and 2
WINDOW = 1_000


class Size(NamedTuple):
    pages: int
    budget: int
    sets: int
    strategy_seeds: int  # seed nodes of figures 1 and 2
    strategy_sets: int
    ranked: int  # steps of Navigational Rank, which takes longest


PAPERS_SIZE = Size(1_000_000, 100_000, 100, 1_000, 10, 10_000)
SMALL = Size(40_000, 1_500, 3, 100, 3, 1_500)


class Graph:
    """Generated and loaded when something is asked of it that is not kept."""

    def __init__(self, profile: str, pages: int) -> None:
        self.profile, self.pages = profile, pages

    @cached_property
    def world(self) -> StaticWorld:
        return load_world(world(self.profile, pages=self.pages))

    def __str__(self) -> str:
        return f"{self.profile}-{self.pages}"


class Crawl(NamedTuple):
    """``scores``: sums after the steps of ``steps_up_to``."""

    scores: list[float]
    seconds: float


def page(small: bool, sets: int | None = None) -> PaperPage:
    """``sets`` of seeds, if not as many as the paper has: all of them take days."""
    size = SMALL if small else PAPERS_SIZE
    if sets is not None:
        size = size._replace(sets=sets, strategy_sets=min(sets, size.strategy_sets))
    sizes = (
        f"The graphs are synthetic, as sparse as the paper's, with {size.pages:,} nodes. Crawls have "
        f"{size.budget:,} steps from {size.sets} sets of 50 nodes with a score; the paper has 100,000 steps and "
        f"100 sets. Figures 1 and 2 have {size.strategy_sets} sets of {size.strategy_seeds:,} nodes. "
        f"Navigational Rank has {size.ranked:,} steps."
    )
    made = PaperPage("graphs", "Adaptive exploration of graphs: tables and figures", sizes, small=small, sets=sets)
    graphs = {profile: Graph(profile, size.pages) for profile in TABLE_1}
    _table_1(made, graphs)
    _tables_2_and_3(made, graphs)
    _figures_1_and_2(made, graphs, size)
    _figure_3(made, graphs["keyword"], size)
    _figures_4_and_5(made, graphs, size)
    _navigational_rank(made, graphs, size)
    add_demands(made)
    made.add("What we changed and why", CHANGED)
    return made


def _table_1(made: PaperPage, graphs: dict[str, Graph]) -> None:
    rows = []
    for profile, each in graphs.items():
        graph = each.world
        name, nodes, links = TABLE_1[profile]
        scored, scored_links = np.count_nonzero(graph.pages.score()), np.count_nonzero(graph.links.scores)
        ours = f"{scored:,} of {graph.size:,}", f"{scored_links:,} of {len(graph.links.targets):,}"
        rows.append((f"{name}, `{profile}`", f"{nodes:,}", f"{links:,}", *ours))
    made.add(
        "Table 1: the data sets",
        "Nodes and links with a score above 0.",
        ("graph", "paper: nodes", "paper: links", "here: nodes", "here: links"),
        rows,
        difference="the generator keeps the shares of the paper's graphs, not their sizes.",
    )


def features_of(graph: StaticWorld, way: str) -> dict[str, Any]:
    """Of each node, by what links to it (``in``) or by what it links to (``out``): sums and maxima."""
    scores, links = graph.pages.score(), graph.links
    sources = np.repeat(np.arange(graph.size), np.diff(links.starts))
    here, there = (links.targets, sources) if way == "in" else (sources, links.targets)
    own, found = scores[there], {}
    for name, values in (("n", own), ("e", links.scores), ("ne", own * links.scores)):
        largest = np.zeros(graph.size)
        np.maximum.at(largest, here, values)
        found[f"{name} sum"] = np.bincount(here, weights=values, minlength=graph.size)
        found[f"{name} max"] = largest
    return found


def fit(features: dict[str, Any], scores: Any, kind: str) -> float:
    """R² of the linear model of the three features, by least squares."""
    columns = [features[f"{name} {kind}"] for name in ("n", "e", "ne")]
    matrix = np.column_stack([*columns, np.ones(len(scores))])
    coefficients, *_ = np.linalg.lstsq(matrix, scores, rcond=None)
    left = scores - matrix @ coefficients
    return 1 - float(left @ left) / float(np.square(scores - scores.mean()).sum())


def _tables_2_and_3(made: PaperPage, graphs: dict[str, Graph]) -> None:
    correlations, fits = [], []
    for (profile, way), theirs in TABLE_2.items():
        graph = graphs[profile].world
        scores, features = graph.pages.score(), features_of(graph, way)
        ours = [float(np.corrcoef(features[name], scores)[0, 1]) for name in FEATURES]
        correlations.append(
            (f"`{profile}`", way, *(f"{mine:.3f} ({other:.3f})" for mine, other in zip(ours, theirs, strict=True)))
        )
        models = [fit(features, scores, kind) for kind in ("sum", "max")]
        paper = TABLE_3[profile, way]
        fits.append((f"`{profile}`", way, *(f"{a:.3f} ({b:.3f})" for a, b in zip(models, paper, strict=True))))
    made.add(
        "Table 2: correlation of scores and features",
        "Pearson's coefficient, the paper's in brackets; `in`: of what links to a node, `out`: of what it links "
        "to.",
        ("graph", "type", *FEATURES),
        correlations,
        difference="in the paper the score of a page and the links on it count the same words of one text, so "
        "that `out` is "
        "high; the generator draws link scores from both ends of a link.",
    )
    made.add(
        "Table 3: fit of linear models",
        "R² of least squares on the three features, the paper's in brackets.",
        ("graph", "type", "sum", "max"),
        fits,
        difference="as in table 2.",
    )


def _rich_start(graph: StaticWorld, count: int, seed: int) -> str:
    """So many nodes with a score above 1.5, as a start; if there are fewer, all of them."""
    rich = np.flatnonzero(graph.pages.score() > SEEDS_ABOVE)
    chosen = np.random.default_rng(seed).choice(rich, min(count, len(rich)), replace=False)
    return ",".join(str(graph.pages.ids[node]) for node in chosen.tolist())


def _steered(graph: Graph, size: Size, **settings: Any) -> list[Crawl]:
    return [
        _crawled(graph, STEERED, size.budget, seed, size.strategy_seeds, **settings)
        for seed in range(size.strategy_sets)
    ]


def _figures_1_and_2(made: PaperPage, graphs: dict[str, Graph], size: Size) -> None:
    tables: dict[str, list[tuple[str, ...]]] = {"altered": [], "refresh": []}
    moments = steps_up_to(size.budget)
    for profile in ("keyword", "mentions"):
        graph = graphs[profile]
        greedy = _steered(graph, size)
        for settings in (*ALTERED, *({"refresh": every} for every in REFRESH)):
            label = ", ".join(f"{name} = {value}" for name, value in settings.items())
            found = _relative(_steered(graph, size, **settings), greedy)
            kind = "refresh" if "refresh" in settings else "altered"
            tables[kind].append((f"`{profile}`", label, *found))
    columns = ("graph", "strategy", *(f"{step:,}" for step in moments))
    start = f"It begins at {size.strategy_seeds:,} nodes of a score above 1.5, all scores known (`{STEERED}`)."
    made.add(
        "Figure 1: altered greedy",
        f"{start} Sum of scores relative to greedy's. The paper: randomness does not hurt until 1,000 steps, "
        f"then greedy wins.",
        columns,
        tables["altered"],
        difference="relative scores begin with the seeds themselves, which all strategies fetch.",
    )
    made.add(
        "Figure 2: the refresh rate",
        f"{start} Sum of scores relative to refreshing at every step. The paper: 2 costs 5%, 500 costs 20 to 50%.",
        columns,
        tables["refresh"],
        difference="in a frontier of a smaller graph fewer nodes come between two refreshes, so they cost less.",
    )


def _figure_3(made: PaperPage, graph: Graph, size: Size) -> None:
    curves, rows = {}, []
    moments = [step for step in (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000) if step <= size.budget]
    for policy in PRECISE:
        told = kept(
            ["precision", str(graph), policy, size.budget],
            lambda policy=policy: _precision(graph.world, policy, size.budget, moments),  # type: ignore[misc]
        )
        curves[policy] = told["curve"]
        rows.append((f"`{policy}`", *(f"{value:.2f}" for value in told["at"])))
    made.add(
        "Figure 3: precision of estimators",
        "The crawl follows the oracle; at each step, the score of the best node less that of the node that the "
        "estimator "
        "would have taken, mean of the last 1,000 steps (`sundog simulate --precision` shows it for any world).",
        ("estimator", *(f"{step:,}" for step in moments)),
        rows,
        difference="a node that was named wrongly is set aside here; in the paper it may be named again at "
        "every step, which "
        "says the same of all estimators.",
        curves=curves,
        axes=("steps", "shortfall"),
    )


def _precision(graph: StaticWorld, policy: str, budget: int, moments: list[int]) -> dict[str, Any]:
    rolling = estimator_precision(graph, policy, budget=budget, start="random:50").rolling(WINDOW)
    at = np.unique(np.linspace(1, len(rolling), 60).astype(int))
    return {
        "curve": [(float(step), float(rolling[step - 1])) for step in at.tolist()],
        "at": [float(rolling[min(step, len(rolling)) - 1]) for step in moments],
    }


def _figures_4_and_5(made: PaperPage, graphs: dict[str, Graph], size: Size) -> None:
    moments = steps_up_to(size.budget)
    for heading, profiles in {
        "Figure 4: the Twitter graphs": ("mentions-happy", "mentions", "mentions-weird"),
        "Figure 5: the Wikipedia graphs": ("keyword", "keyword-france"),
    }.items():
        rows = []
        for profile in profiles:
            oracle = _crawls(graphs[profile], "oracle", size)
            for policy in ESTIMATORS:
                runs = _crawls(graphs[profile], policy, size)
                cells = _relative(runs, oracle)
                is_whole = "–" not in cells
                total = f"{mean(run.scores[-1] for run in runs):,.0f}" if is_whole else "–"
                rows.append((f"`{profile}`", f"`{policy}`", *cells, total))
        made.add(
            heading,
            "The sum of scores relative to the oracle's, and the absolute sum at the end. The paper has plots "
            "only: "
            "neighbourhood estimators first, linear ones beside them, the hybrid as good as the best, OPIC and "
            "BFS below.",
            ("graph", "estimator", *(f"{step:,}" for step in moments), "sum"),
            rows,
            difference="which neighbourhood estimator wins depends on how link scores are drawn; the order of "
            "the groups is what can be compared. The paper could not finish Navigational Rank.",
        )


def _navigational_rank(made: PaperPage, graphs: dict[str, Graph], size: Size) -> None:
    moments = steps_up_to(size.budget)
    rows = []
    for profile in ("mentions", "keyword"):
        oracle = _crawls(graphs[profile], "oracle", size)
        for d in OWN_SHARES:
            runs = _crawls(graphs[profile], "navigational-rank", size, d=d)
            seconds = mean(run.seconds for run in runs) / size.ranked
            rows.append((f"`{profile}`", f"{d:g}", *_relative(runs, oracle), f"{seconds * 1e6:,.0f}"))
    made.add(
        "Section 5: Navigational Rank and its d",
        "The sum of scores relative to the oracle's; ranks are refreshed every 100 steps.",
        ("graph", "d", *(f"{step:,}" for step in moments), "µs a step"),
        rows,
        difference="the paper gives no d and no figures: a few thousand steps took it hours.",
    )


def _crawls(graph: Graph, policy: str, size: Size, **values: Any) -> list[Crawl]:
    budget = size.ranked if policy == RANKED else size.budget
    return [_crawled(graph, policy, budget, seed, **values) for seed in range(size.sets)]


def _crawled(graph: Graph, policy: str, budget: int, seed: int, rich: int | None = None, **values: Any) -> Crawl:
    """From 50 nodes with a score, or from so many ``rich`` ones."""

    def crawl() -> Crawl:
        start = _rich_start(graph.world, rich, seed) if rich else "random:50"
        run = simulate(graph.world, policy, budget=budget, objective="score", start=start, seed=seed, **values)
        total = np.append(0.0, np.cumsum(run.trace.rewards))
        return Crawl([float(total[min(step, run.fetched)]) for step in steps_up_to(budget)], run.seconds)

    return Crawl(*kept([str(graph), policy, budget, rich, seed, sorted(values.items())], crawl))


def _relative(crawls: list[Crawl], others: list[Crawl]) -> list[str]:
    """Mean shares of the others' scores, as cells: as many as the others have."""
    cells = []
    for place in range(len(others[0].scores)):
        pairs = [
            (one.scores[place], other.scores[place])
            for one, other in zip(crawls, others, strict=True)
            if place < len(one.scores) and other.scores[place] > 0
        ]
        cells.append(f"{mean(one / other for one, other in pairs):.3f}" if pairs else "–")
    return cells


CHANGED = """- **Estimates are fresh at every step** (r = 1) at the price of never refreshing: a node's score
  changes only when a page that links to it is crawled.
- **Navigational Rank runs**: the paper could not finish it. Each refresh, every 100 steps, begins with the
  values of the last one.
- **`hybrid` switches after 500 choices** and has other features; `hybrid-paper` is the paper's pair and switch.
- **`d` of Navigational Rank** is a parameter, ½ by default.
- **Relevance** is 1 + log of the occurrences, as in the paper's experiments; `sundog score --relevance
  tf-idf` is what its examples name. [Dumps](../worlds.md#dumps) of a MediaWiki or of tweets become such graphs.
- **`ensemble` is new**: it follows the estimator whose choices were worth most lately.
- **The graphs are generated**, for the paper's were not published; [one real one](../worlds.md) is used in the
  benchmarks."""
