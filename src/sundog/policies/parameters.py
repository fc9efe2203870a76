"""The parameters that ``--set`` and keyword arguments reach, with their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from sundog.errors import UsageError, nearest
from sundog.model import LARGEST_NUMBER

LEARNERS = ("naive-bayes", "hoeffding-tree", "ftrl", "logistic", "svm", "knn")
URL, PARENTS, SIBLINGS, PATH, LINK = 1, 2, 4, 8, 16  # feature sets, a bit each
TARGET, REFERRER, PROPERTIES, CROSSES = 32, 64, 128, 256  # those of Linked Data
FEATURE_SETS = {
    "url": URL,
    "parents": PARENTS,
    "siblings": SIBLINGS,
    "path": PATH,
    "link": LINK,
    "t": TARGET,
    "r": REFERRER,
    "p": PROPERTIES,
    "x": CROSSES,
}
AGGREGATES = ("sum", "avg", "max", "norm", "root")  # of the links to a node of a graph
CASH_WEIGHTS = ("none", "edge", "node", "both")
MOST_EXPLORED = 0.5


@dataclass(frozen=True)
class Parameter:
    """One parameter: what it means and how its text is read; ``read`` raises ValueError with the reason."""

    meaning: str
    read: Callable[[str], Any]


def _number(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise ValueError(f"must be between {low:g} and {high:g}")
        return value

    return read


def _integer(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise ValueError(f"must be between {low} and {high}")
        return value

    return read


def number(text: str) -> float:
    """Of a user's policy, which has its own bounds."""
    return _number(-LARGEST_NUMBER, LARGEST_NUMBER)(text)


def whole_number(text: str) -> int:
    return _integer(-int(LARGEST_NUMBER), int(LARGEST_NUMBER))(text)


def switch(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("must be true or false")
    return text.lower() == "true"


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of {', '.join(words)}{nearest(text, words)}")
        return text

    return read


def read_features(text: str) -> int:
    """The bits of a feature set such as ``url+parents``."""
    bits = 0
    for word in text.split("+"):
        if word not in FEATURE_SETS:
            raise ValueError(f"'{word}' is no feature set; there are {', '.join(FEATURE_SETS)}")
        bits |= FEATURE_SETS[word]
    return bits


def _file(text: str) -> Path:
    if not Path(text).is_file():
        raise ValueError("there is no such file")
    return Path(text)


PARAMETERS: dict[str, Parameter] = {
    "lambda": Parameter("the probability of a uniform random host", _number(0, 1)),
    "decay": Parameter("m of λ·m/(t + m), the decay of lambda in fetches; 0 for none", _number(0, 1e12)),
    "learner": Parameter("the classifier: " + ", ".join(LEARNERS), _one_of(*LEARNERS)),
    "features": Parameter("what it sees, joined by +: " + ", ".join(FEATURE_SETS), read_features),
    "hashes": Parameter("how many indices tokens are hashed to", _integer(16, 1 << 26)),
    "rate": Parameter("the learning rate of ftrl and logistic", _number(1e-9, 1e3)),
    "pretrain": Parameter(
        "a sample file (id, url, sem, semparent) to learn from first, or a crawl's model.npz", _file
    ),
    "rates": Parameter(
        "the learning rates of ftrl: one for all (global), or one for each feature (coordinate)",
        _one_of("global", "coordinate"),
    ),
    "l1": Parameter("λ₁ of ftrl with a global rate", _number(0, 1e6)),
    "tau": Parameter("τ: a URI with a higher probability of RDF is predicted positive", _number(0, 1)),
    "epsilon": Parameter(
        "ε: the share of predicted negatives that are fetched and learned from, or of random choices",
        _number(1e-6, 1),
    ),
    "similar": Parameter("a Levenshtein similarity above this is high", _number(0, 1)),
    "head": Parameter(
        "what a HEAD request for the Content-Type costs, in fetches; 0: none is made", _number(0, 1)
    ),
    "frozen": Parameter("true: the classifier learns nothing while crawling", switch),
    "fresh": Parameter("false: a score is not re-evaluated before it wins", switch),
    "classifier": Parameter("false: all candidates have the same prior", switch),
    "host": Parameter("false: the host's record does not count", switch),
    "group": Parameter("false: the URL group's record does not count", switch),
    "local": Parameter("false: hosts have no models of their own that tell their pages apart", switch),
    "ahead": Parameter("false: a page is worth nothing for where it leads", switch),
    "aggregate": Parameter(
        "what a node's links are summed up to: sum, avg, max, norm or root",
        _one_of(*AGGREGATES),
    ),
    "weights": Parameter("what cash is divided by: none (evenly), edge, node or both", _one_of(*CASH_WEIGHTS)),
    "switch": Parameter(
        "choices by the neighbourhood before the linear estimator takes over", _integer(0, 1 << 40)
    ),
    "first": Parameter("the neighbourhood estimator that begins: n, e or ne", _one_of("n", "e", "ne")),
    "d": Parameter("d: the share of a node's own score in its navigational rank", _number(0.01, 0.99)),
    "q": Parameter("the probability of the best node; else one that is nearly as good", _number(0, 1)),
    "zeta": Parameter("how far below the best a node may be, relative to it", _number(0, 1e12)),
    "refresh": Parameter("choices between two refreshes of the ranking", _integer(1, 1 << 40)),
    "alpha": Parameter("how much an arm that was rarely tried is preferred", _number(0, 1e6)),
    "similarity": Parameter("the least cosine of a tag path and the centroid of its group", _number(0, 1)),
    "phase": Parameter("fetches of the first phase, breadth first", _integer(0, 1 << 40)),
    "gamma": Parameter("γ: the discount of what a page leads to", _number(0, 0.999)),
    "replay": Parameter("earlier outcomes from which each outcome makes it learn again", _integer(1, 100_000)),
    "retrain": Parameter("fetches between two trainings of the classifier", _integer(1, 1 << 40)),
    "neighbours": Parameter("false: scores of links and of the pages that have them do not count", switch),
    "explore": Parameter("false: nothing is tried for what may be learned from it", switch),
}


# The same for type checkers: what ``**parameters`` of the library takes. Texts are read as ``--set`` reads them.
PolicyParameters = TypedDict(
    "PolicyParameters",
    {
        "lambda": float | str,
        "decay": float | str,
        "learner": str,
        "features": str,
        "hashes": int | str,
        "rate": float | str,
        "pretrain": Path | str,
        "rates": str,
        "l1": float | str,
        "tau": float | str,
        "epsilon": float | str,
        "similar": float | str,
        "head": float | str,
        "frozen": bool | str,
        "fresh": bool | str,
        "classifier": bool | str,
        "host": bool | str,
        "group": bool | str,
        "local": bool | str,
        "ahead": bool | str,
        "aggregate": str,
        "weights": str,
        "switch": int | str,
        "first": str,
        "d": float | str,
        "q": float | str,
        "zeta": float | str,
        "refresh": int | str,
        "alpha": float | str,
        "similarity": float | str,
        "phase": int | str,
        "gamma": float | str,
        "replay": int | str,
        "retrain": int | str,
        "neighbours": bool | str,
        "explore": bool | str,
    },
    total=False,
)


def read_parameter(name: str, text: Any, parameters: Mapping[str, Parameter] = PARAMETERS) -> Any:
    if name not in parameters:
        raise UsageError(f"unknown parameter '{name}'{nearest(name, parameters)}")
    text = str(text).lower() if isinstance(text, bool) else str(text)
    try:
        return parameters[name].read(text)
    except ValueError as error:
        problem = str(error) if "convert" not in str(error) and "literal" not in str(error) else "is not a number"
        raise UsageError(f"parameter {name}={text}: {problem}") from None


def checked_explore_log(share: float) -> float:
    """Whatever the policy is; more than half would leave nothing of it."""
    if not 0.0 <= share <= MOST_EXPLORED:
        raise UsageError(
            f"explore.log = {share:g}: a probability from 0 to {MOST_EXPLORED:g} is expected, such as 0.02"
        )
    return share
