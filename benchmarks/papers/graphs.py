"""Adaptive exploration of graphs under a budget (Gouriten, Maniu, Senellart): tables 1 to 3, figures 1 to 5."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache, cached_property
from statistics import mean, stdev
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import world
from benchmarks.papers.demands import add_demands
from benchmarks.papers.page import PaperPage
from benchmarks.papers.plot import Curve
from benchmarks.papers.told import kept
from sundog import CrawlSession, load_world, simulate
from sundog.engines.experiment import FIRST_STEPS, steps_up_to
from sundog.engines.precision import estimator_precision
from sundog.model import Decision, Fetched
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
ESTIMATORS: list[tuple[str, dict[str, Any]]] = [
    ("random", {}),
    ("bfs", {}),
    ("opic", {}),
    *(("opic", {"weights": weights}) for weights in ("node", "edge", "both")),
    *((name, {}) for name in "navigational-rank nh-n nh-e nh-ne lnh-sum lnh-max hybrid-paper hybrid".split()),
    ("ensemble", {}),
]
NOT_DRAWN = ("random", "opic, weights", "nh-e")
OWN_SHARES = (0.15, 0.5, 0.85)  # d of Navigational Rank
PRECISE = "random nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg".split()
STEERED, RANKED = "steered-oracle", "navigational-rank"
STEERED_ON, PRECISE_ON, RANKED_ON = ("keyword", "mentions"), "keyword", ("mentions", "keyword")
TWITTER = ("mentions-happy", "mentions", "mentions-weird")
WIKIPEDIA = ("keyword", "keyword-france")
SEEDS_ABOVE = 1.5  # the score of seeds in figures 1 and 2
FIGURE_1_ENDS = 5_000
WINDOW = 1_000
FINE = 60  # points of a curve


class Size(NamedTuple):
    wikipedia: int  # nodes
    twitter: int
    budget: int
    sets: int
    strategy_seeds: int  # seed nodes of figures 1 and 2
    strategy_sets: int
    ranked: int  # steps of Navigational Rank, which takes longest

    def nodes(self, profile: str) -> int:
        return self.twitter if profile in TWITTER else self.wikipedia


PAPERS_SIZE = Size(3_000_000, 17_000_000, 100_000, 100, 1_000, 10, 10_000)
SMALL = Size(40_000, 40_000, 1_500, 3, 100, 3, 1_500)


class Graph:
    """Generated and loaded when something is asked of it that is not kept."""

    def __init__(self, profile: str, nodes: int) -> None:
        self.profile, self.nodes = profile, nodes

    @cached_property
    def world(self) -> StaticWorld:
        return load_world(world(self.profile, pages=self.nodes))

    def unload(self) -> None:
        vars(self).pop("world", None)

    def __str__(self) -> str:
        return f"{self.profile}-{self.nodes}"


class Crawl(NamedTuple):
    """``sums`` of scores after the steps of ``points_of(budget)``; ``found``: how many nodes have a score."""

    budget: int
    sums: list[float]
    found: int
    seconds: float

    def after(self, step: int) -> float | None:
        points = points_of(self.budget)
        return self.sums[points.index(step)] if step in points else None


@cache
def points_of(budget: int) -> list[int]:
    """The steps of which a crawl's sum is kept: those of tables, and those of curves of two lengths."""
    curves = [np.linspace(1, end, FINE).astype(int).tolist() for end in (min(FIGURE_1_ENDS, budget), budget)]
    return sorted({*steps_up_to(budget), *curves[0], *curves[1]})


def page(small: bool, sets: int | None = None, nodes: int | None = None) -> PaperPage:
    """``sets`` of seeds, if not as many as the paper has; ``nodes``: graphs have no more than these."""
    size = SMALL if small else PAPERS_SIZE
    if nodes is not None:
        size = size._replace(wikipedia=min(nodes, size.wikipedia), twitter=min(nodes, size.twitter))
    if sets is not None:
        size = size._replace(sets=sets, strategy_sets=min(sets, size.strategy_sets))
    made = PaperPage(
        "graphs",
        "Adaptive exploration of graphs: tables and figures",
        _sizes(size),
        small=small,
        options={"rounds": sets, "nodes": nodes},
    )
    graphs = {profile: Graph(profile, size.nodes(profile)) for profile in TABLE_1}
    for graph in graphs.values():
        _measure(graph, size)
    _table_1(made, graphs)
    _tables_2_and_3(made, graphs)
    _figures_1_and_2(made, graphs, size)
    _figure_3(made, graphs[PRECISE_ON], size)
    _figures_4_and_5(made, graphs, size)
    _navigational_rank(made, graphs, size)
    add_demands(made)
    made.add("What we changed and why", CHANGED)
    return made


def _sizes(size: Size) -> str:
    return (
        f"The graphs are synthetic, as sparse as the paper's: {size.wikipedia:,} nodes for Wikipedia and "
        f"{size.twitter:,} for Twitter. The paper has 17 million users of Twitter; of its Wikipedia we guess "
        f"3 million pages. Crawls have {size.budget:,} steps from {_sets(size.sets)} of 50 nodes with a score; "
        "the paper has 100,000 steps and 100 sets. Figures 1 and 2 have "
        f"{_sets(size.strategy_sets)} of {size.strategy_seeds:,} nodes, in the paper 10 of 1,000. "
        f"Navigational Rank has {size.ranked:,} steps."
    )


def _sets(count: int) -> str:
    return "1 set" if count == 1 else f"{count} sets"


def _measure(graph: Graph, size: Size) -> None:
    """All that the page tells of a graph is kept while it is in memory: five of the papers' size are too many."""
    _statistics(graph)
    for profile, way in TABLE_2:
        if profile == graph.profile:
            _models(graph, way)
    if graph.profile in STEERED_ON:
        _strategies(graph, size)
    if graph.profile == PRECISE_ON:
        _precisions(graph, size)
    _estimates(graph, size)
    if graph.profile in RANKED_ON:
        _ranks(graph, size)
    graph.unload()


def _statistics(graph: Graph) -> dict[str, int]:
    def count() -> dict[str, int]:
        scores, links = graph.world.pages.score(), graph.world.links
        scored, scored_links = int(np.count_nonzero(scores)), int(np.count_nonzero(links.scores))
        return {"nodes": len(scores), "scored": scored, "links": len(links.targets), "scored links": scored_links}

    return kept(["statistics", str(graph)], count)  # type: ignore[no-any-return]


def _table_1(made: PaperPage, graphs: dict[str, Graph]) -> None:
    rows = []
    for profile, graph in graphs.items():
        (name, nodes, links), ours = TABLE_1[profile], _statistics(graph)
        scored = f"{ours['scored']:,} of {ours['nodes']:,}", f"{ours['scored links']:,} of {ours['links']:,}"
        rows.append((f"{name}, `{profile}`", f"{nodes:,}", f"{links:,}", *scored))
    made.add(
        "Table 1: the data sets",
        "Nodes and links with a score above 0.",
        ("graph", "paper: nodes", "paper: links", "here: nodes", "here: links"),
        rows,
        difference="the generator takes the shares of the paper's graphs: at 3 and 17 million nodes its numbers "
        "are the paper's by design, in smaller graphs they are fewer.",
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


def _models(graph: Graph, way: str) -> dict[str, list[float]]:
    """Correlations of the six features, and R² of their sums and maxima."""

    def measure() -> dict[str, list[float]]:
        scores, features = graph.world.pages.score(), features_of(graph.world, way)
        correlations = [float(np.corrcoef(features[name], scores)[0, 1]) for name in FEATURES]
        return {"correlations": correlations, "fits": [fit(features, scores, kind) for kind in ("sum", "max")]}

    return kept(["features", str(graph), way], measure)  # type: ignore[no-any-return]


def _tables_2_and_3(made: PaperPage, graphs: dict[str, Graph]) -> None:
    correlations, fits = [], []
    for (profile, way), theirs in TABLE_2.items():
        ours = _models(graphs[profile], way)
        correlations.append((f"`{profile}`", way, *_beside(ours["correlations"], theirs)))
        fits.append((f"`{profile}`", way, *_beside(ours["fits"], TABLE_3[profile, way])))
    made.add(
        "Table 2: correlation of scores and features",
        "Pearson's coefficient, the paper's in brackets; `in`: of what links to a node, `out`: of what it links "
        "to.",
        ("graph", "type", *FEATURES),
        correlations,
        difference=DIFFERENCE_2,
    )
    made.add(
        "Table 3: fit of linear models",
        "R² of least squares on the three features, the paper's in brackets.",
        ("graph", "type", "sum", "max"),
        fits,
        difference=DIFFERENCE_3,
    )


def _beside(ours: Sequence[float], theirs: Sequence[float]) -> list[str]:
    return [f"{mine:.3f} ({other:.3f})" for mine, other in zip(ours, theirs, strict=True)]


def _strategies(graph: Graph, size: Size) -> dict[str, list[Crawl]]:
    """Of figures 1 and 2; that without a name is greedy, refreshed at every step."""
    found = {}
    for settings in ({}, *ALTERED, *({"refresh": every} for every in REFRESH)):
        found[_label(settings)] = [
            _steered(graph, size.budget, size.strategy_seeds, seed, settings) for seed in range(size.strategy_sets)
        ]
    return found


def _label(settings: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in settings.items())


def _steered(graph: Graph, budget: int, seeds: int, seed: int, settings: dict[str, Any]) -> Crawl:
    """Begins where so many nodes with a score above 1.5 are crawled; if there are fewer, all of them."""

    def crawl() -> Crawl:
        began, web = time.perf_counter(), graph.world
        scores = web.pages.score()
        session = CrawlSession(
            policy=STEERED, budget=budget, seed=seed, source=web, truth=scores, propensities=False, **settings
        )
        rich = np.flatnonzero(scores > SEEDS_ABOVE)
        chosen = np.random.default_rng(seed).choice(rich, min(seeds, len(rich)), replace=False)
        session.add_known(chosen)
        for node in chosen.tolist():
            session.adopt(node, scores[node], web.links_of(node))
        rewards = np.zeros(budget)
        for step in range(budget):
            decision = session.next_decision()
            if not isinstance(decision, Decision):
                break
            rewards[step] = scores[decision.candidate]
            session.observe(decision, Fetched(scores.item(decision.candidate), web.links_of(decision.candidate)))
        return _crawl_of(rewards, budget, time.perf_counter() - began)

    return Crawl(*kept(["steered", str(graph), budget, seeds, seed, sorted(settings.items())], crawl))


def _crawl_of(rewards: Any, budget: int, seconds: float) -> Crawl:
    total = np.append(0.0, np.cumsum(rewards))
    sums = [float(total[min(step, len(rewards))]) for step in points_of(budget)]
    return Crawl(budget, sums, int(np.count_nonzero(rewards)), seconds)


def _figures_1_and_2(made: PaperPage, graphs: dict[str, Graph], size: Size) -> None:
    rows: dict[str, list[tuple[str, ...]]] = {"altered": [], "refresh": []}
    curves: dict[tuple[str, str], dict[str, Curve]] = {}
    moments = steps_up_to(size.budget)
    for profile in STEERED_ON:
        strategies = _strategies(graphs[profile], size)
        greedy = strategies.pop("")
        for label, crawls in strategies.items():
            kind = "refresh" if label.startswith("refresh") else "altered"
            ends = FIGURE_1_ENDS if kind == "altered" else size.budget
            rows[kind].append((f"`{profile}`", label, *_cells(crawls, greedy, moments)))
            curves.setdefault((kind, profile), {})[label] = _curve(crawls, greedy, ends)
    columns = ("graph", "strategy", *(f"{step:,}" for step in moments))
    start = f"All scores are known (`{STEERED}`); {size.strategy_seeds:,} nodes of a score above 1.5 are crawled."
    for kind, heading, told, difference in (
        (
            "altered",
            "Figure 1: altered greedy",
            "Sum of scores relative to greedy's. The paper, of 5,000 steps: randomness does not hurt much until "
            "about 1,000 steps, then greedy wins.",
            DIFFERENCE_F1,
        ),
        (
            "refresh",
            "Figure 2: the refresh rate",
            "Sum of scores relative to refreshing at every step. The paper: 2 costs 5%, 500 costs 20 to 50%.",
            DIFFERENCE_F2,
        ),
    ):
        plots = [
            made.plot(
                f"{profile}: relative to greedy", curves[kind, profile], ("steps", "relative score"), low=True
            )
            for profile in STEERED_ON
        ]
        made.add(heading, "\n\n".join([f"{start} {told}", *plots]), columns, rows[kind], difference=difference)


def _precisions(graph: Graph, size: Size) -> dict[str, dict[str, Any]]:
    return {
        policy: kept(
            ["precision", str(graph), policy, size.budget],
            lambda policy=policy: _precision(graph.world, policy, size.budget),  # type: ignore[misc]
        )
        for policy in PRECISE
    }


def _precision(graph: StaticWorld, policy: str, budget: int) -> dict[str, Any]:
    rolling = estimator_precision(graph, policy, budget=budget, start="random:50").rolling(WINDOW)
    at = np.unique(np.linspace(1, len(rolling), FINE).astype(int))
    return {
        "curve": [(float(step), float(rolling[step - 1])) for step in at.tolist()],
        "at": [float(rolling[min(step, len(rolling)) - 1]) for step in steps_up_to(budget)],
    }


def _figure_3(made: PaperPage, graph: Graph, size: Size) -> None:
    told = _precisions(graph, size)
    made.add(
        "Figure 3: precision of estimators",
        "The crawl follows the oracle; at each step, the score of the best node less that of the node that the "
        "estimator would have taken, mean of the last 1,000 steps (`sundog simulate --precision` shows it for any "
        "world). Graph `keyword`, one set of 50 nodes. The paper: most is missed at the start, and all come to "
        "the best choices in the end; neighbourhood estimators are best at first, and linear ones catch up.",
        ("estimator", *(f"{step:,}" for step in steps_up_to(size.budget))),
        [(f"`{policy}`", *(f"{value:.2f}" for value in one["at"])) for policy, one in told.items()],
        difference=DIFFERENCE_F3,
        curves={policy: one["curve"] for policy, one in told.items()},
        axes=("steps", "shortfall"),
    )


def _estimates(graph: Graph, size: Size) -> dict[str, list[Crawl]]:
    """The crawls of figures 4 and 5."""
    return {
        ", ".join([policy, *[_label(settings)] * bool(settings)]): _crawls(graph, policy, size, **settings)
        for policy, settings in [("oracle", {}), *ESTIMATORS]
    }


def _figures_4_and_5(made: PaperPage, graphs: dict[str, Graph], size: Size) -> None:
    moments = steps_up_to(size.budget)
    spread = (
        "; ± is the standard deviation between sets"
        if size.sets > 1
        else "; of one set of seeds, so that small differences say nothing"
    )
    for heading, profiles, difference in (
        ("Figure 4: the Twitter graphs", TWITTER, DIFFERENCE_F4),
        ("Figure 5: the Wikipedia graphs", WIKIPEDIA, DIFFERENCE_F5),
    ):
        rows, plots = [], []
        for profile in profiles:
            estimates = _estimates(graphs[profile], size)
            oracle = estimates["oracle"]
            for label, runs in estimates.items():
                is_whole = runs[0].budget == size.budget
                ends = _total(runs), f"{mean(run.found for run in runs):,.0f}"
                cells = _cells(runs, oracle, moments)
                rows.append((f"`{profile}`", f"`{label}`", *cells, *(ends if is_whole else "––")))
            drawn = {label: runs for label, runs in estimates.items() if not label.startswith(NOT_DRAWN)}
            relative = {
                label: _curve(runs, oracle, size.budget) for label, runs in drawn.items() if label != "oracle"
            }
            drawn["oracle"] = drawn.pop("oracle")  # last, so that colours are the same in both
            absolute = {label: _curve(runs, None, size.budget) for label, runs in drawn.items()}
            plots += [
                made.plot(f"{profile}: relative to the oracle", relative, ("steps", "relative score")),
                made.plot(f"{profile}: the sum of scores", absolute, ("steps", "score")),
            ]
        text = (
            "The sum of scores relative to the oracle's, and at the end the sum itself and the number of nodes "
            f"with a score{spread}. [Findings](../graph-findings.md#estimators) has means over 10 sets, on "
            "smaller graphs. The paper has plots only, of some estimators. It says of them: *nh-ne* or "
            "*nh-n* are good, and which is better depends on the graph; linear ones are mostly beside them; the "
            "hybrid is always as good as the best; OPIC and BFS are clearly worse, and weighted OPIC is no better "
            "than plain."
        )
        made.add(
            heading,
            "\n\n".join([text, *plots]),
            ("graph", "estimator", *(f"{step:,}" for step in moments), "sum", "nodes"),
            rows,
            difference=difference,
        )


def _total(runs: list[Crawl]) -> str:
    sums = [run.sums[-1] for run in runs]
    return f"{mean(sums):,.0f}" + (f" ± {stdev(sums):,.0f}" if len(sums) > 1 else "")


def _ranks(graph: Graph, size: Size) -> dict[float, list[Crawl]]:
    return {d: _crawls(graph, RANKED, size, d=d) for d in OWN_SHARES}


def _navigational_rank(made: PaperPage, graphs: dict[str, Graph], size: Size) -> None:
    moments = steps_up_to(size.ranked)
    rows = []
    for profile in RANKED_ON:
        oracle = _crawls(graphs[profile], "oracle", size)
        for d, runs in _ranks(graphs[profile], size).items():
            seconds = mean(run.seconds for run in runs) / size.ranked
            rows.append((f"`{profile}`", f"{d:g}", *_cells(runs, oracle, moments), f"{seconds * 1e6:,.0f}"))
    made.add(
        "Section 5: Navigational Rank and its d",
        "The sum of scores relative to the oracle's; ranks are refreshed every 100 steps.",
        ("graph", "d", *(f"{step:,}" for step in moments), "µs a step"),
        rows,
        difference="the paper gives neither d nor figures, for it could not plot Navigational Rank: its cost was "
        "extremely high even for low budgets.",
    )


def _crawls(graph: Graph, policy: str, size: Size, **values: Any) -> list[Crawl]:
    budget = size.ranked if policy == RANKED else size.budget
    return [_crawled(graph, policy, budget, seed, values) for seed in range(size.sets)]


def _crawled(graph: Graph, policy: str, budget: int, seed: int, values: dict[str, Any]) -> Crawl:
    """From 50 nodes with a score."""

    def crawl() -> Crawl:
        run = simulate(
            graph.world, policy, budget=budget, objective="score", start="random:50", seed=seed, **values
        )
        return _crawl_of(run.trace.rewards, budget, run.seconds)

    return Crawl(*kept(["crawl", str(graph), policy, budget, seed, sorted(values.items())], crawl))


def _share(crawls: list[Crawl], others: list[Crawl], step: int) -> float | None:
    """The mean of their shares of the others' scores; None if no crawl is that long."""
    pairs = [(one.after(step), other.after(step)) for one, other in zip(crawls, others, strict=True)]
    shares = [mine / theirs for mine, theirs in pairs if mine is not None and theirs]
    return mean(shares) if shares else None


def _cells(crawls: list[Crawl], others: list[Crawl], moments: list[int]) -> list[str]:
    shares = [_share(crawls, others, step) for step in moments]
    return ["–" if share is None else f"{share:.3f}" for share in shares]


def _curve(crawls: list[Crawl], others: list[Crawl] | None, ends: int) -> Curve:
    """Means of shares after the first steps, of which little can be said; or of sums, if ``others`` is None."""
    points = [step for step in points_of(crawls[0].budget) if step <= ends]
    points = [points[place] for place in np.unique(np.linspace(0, len(points) - 1, 2 * FINE).astype(int)).tolist()]
    if others is None:
        return [(float(step), mean(crawl.after(step) or 0.0 for crawl in crawls)) for step in points]
    shares = [(float(step), _share(crawls, others, step)) for step in points if step >= FIRST_STEPS[0]]
    return [(step, share) for step, share in shares if share is not None]


# What differs, of each section.
DIFFERENCE_2 = (
    "in the paper the score of a page and the links on it count the same words of one text, so that `out` is "
    "high; the generator draws link scores from both ends of a link. Maxima are above the paper's, most of "
    "all on `keyword`, where nearly all nodes with a score have a link with one. Sums of what links to a "
    "node say less in a large graph, for its most popular nodes have more links."
)
DIFFERENCE_3 = (
    "as in table 2. The paper fits `out` far better by sums than by maxima, here maxima are as good or better."
)
DIFFERENCE_F1 = (
    "here strong randomness costs most at the start and nothing in the long run; the paper has it the other "
    "way round. It says that rich nodes are hidden behind poor ones while the frontier is small. Here the "
    "crawled nodes already lead to many good ones, so a lesser choice costs what it is worth less, and later "
    "most nodes with a score are found in any case. [Findings](../graph-findings.md#steering) has the same "
    "from 50 nodes, on all five graphs."
)
DIFFERENCE_F2 = (
    "refreshing less often costs far less here, and at 100,000 steps nothing: 1,000 seeds lead to more good "
    "nodes than a batch takes, so what the batch finds can wait. From 50 seeds a rate of 500 costs 29 to 55% "
    "at 300 and 1,000 steps, but a rate of 2 nothing there either "
    "([Findings](../graph-findings.md#steering)). Why the paper's loss lasts we do not know."
)
DIFFERENCE_F3 = (
    "a node that was named wrongly is set aside here; in the paper it may be named again at every step, "
    "which says the same of all estimators. As in the paper, neighbourhood estimators are best at first, "
    "linear ones catch up (after 30,000 steps), and all end near 0: when nearly all nodes with a score are "
    "crawled, the best that is left is worth little."
)
DIFFERENCE_F4 = (
    "with 100,000 steps: as in the paper, the hybrid (`hybrid-paper`) ends as good as the best of the "
    "paper's estimators on all three, BFS is behind, `nh-e` is nearly `nh-ne`, and a linear model that "
    "begins with nothing to learn from may be lost for good, as `lnh-sum` on `mentions-weird`, which finds "
    "less than `random`. Not as in the paper: where few links have a score (one of 1,800 in `mentions`, of "
    "270 in `mentions-weird`) `nh-ne` finds no more than plain OPIC, for nothing tells its other nodes "
    "apart; and OPIC weighted by nodes finds more than plain OPIC. Which neighbourhood estimator wins "
    "depends on how link scores are drawn."
)
DIFFERENCE_F5 = (
    "with 100,000 steps: as in the paper, BFS and plain OPIC are behind, `nh-e` is nearly `nh-ne`, and on "
    "`keyword` (bretagne) `nh-n` ends above `nh-ne` and `lnh-max` above `lnh-sum`. Not as in the paper: the "
    "hybrid goes on as `lnh-sum` and so ends below `lnh-max` on `keyword`, where the paper has it beside the "
    "best; and weighted OPIC, by nodes on `keyword` and by links on `keyword-france`, finds more than plain "
    "OPIC. On `keyword-france` 72% of the nodes have a score, so `random` finds much too. The oracle is "
    "greedy, not optimal."
)
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
