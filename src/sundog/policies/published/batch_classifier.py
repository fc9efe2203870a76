"""A link classifier that is trained anew every 500 pages, as in ACHE (VIDA-NYU; Barbosa and Freire, WWW'07).

Until the first training, links of wanted pages come first, in random order, then the others in order of discovery.
Then a linear support vector machine on the words of a link's text and of its URL decides: the 150 most frequent of
each that occur twice. It learns from the links to all fetched pages, at most 5,000 wanted ones and no more others;
all that waits is rated again, and a page that is found later is rated once.

Three things differ: ACHE also has the words around a link, and stems; its code ranks sure negatives above unsure
ones, where its description, and this, rank by the chance to be wanted; and it drops the links of pages that are
not wanted until it is trained, with which a crawl from an ordinary page would end at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from sundog._jit import int64, njit
from sundog.learn import svm
from sundog.learn.model import new_model
from sundog.model import LinkBatch
from sundog.policies.chooser import CLASSIFIER_PART, ESTIMATE, SCORE, Setup
from sundog.policies.published.python_chooser import Found, PythonChooser, Ranked

MOST_WORDS, LEAST_OFTEN = 150, 2
MOST_EXAMPLES = 5_000  # of each class
PASSES = 5
WORD = re.compile(r"[^\W\d_]+")


@njit
def train(table: Any, numbers: Any, features: Any, ends: Any, labels: Any) -> None:
    for i in range(len(labels)):
        some = features[ends[i] : ends[i + 1]]
        svm.learn(table, numbers, some, int64(len(some)), labels[i], 1.0)


@njit
def predict(table: Any, numbers: Any, features: Any, ends: Any, out: Any) -> None:
    for i in range(len(out)):
        some = features[ends[i] : ends[i + 1]]
        out[i] = svm.predict(table, numbers, some, int64(len(some)))


class LinkModel:
    """The words that count, and the machine; examples are sets of words with a mark for where they stand."""

    def __init__(self, examples: list[frozenset[str]], labels: list[bool]) -> None:
        often = Counter(chain.from_iterable(examples))
        words = _most_frequent(often, "t:") + _most_frequent(often, "u:")
        self._places = {word: place for place, word in enumerate(words)}
        self._model = new_model("svm", 2 * MOST_WORDS + 1)
        features, ends = self._flat(examples)
        for _ in range(PASSES):
            train(self._model.table, self._model.numbers, features, ends, np.array(labels, float))

    def chances(self, examples: list[frozenset[str]]) -> Any:
        features, ends = self._flat(examples)
        out = np.empty(len(examples))
        predict(self._model.table, self._model.numbers, features, ends, out)
        return out

    def _flat(self, examples: list[frozenset[str]]) -> tuple[Any, Any]:
        """Each example's features, and that which all have."""
        rows = [[2 * MOST_WORDS, *sorted(self._places[w] for w in one if w in self._places)] for one in examples]
        ends = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
        return np.fromiter(chain.from_iterable(rows), np.int32, int(ends[-1])), ends


def _most_frequent(often: Counter[str], mark: str) -> list[str]:
    words = sorted(
        (-count, word) for word, count in often.items() if count >= LEAST_OFTEN and word.startswith(mark)
    )
    return [word for _, word in words[:MOST_WORDS]]


def words_of(text: str, url: str) -> frozenset[str]:
    """
    >>> sorted(words_of("Read more", "http://a.example/news/2024/item-7.html?page=2"))
    ['t:more', 't:read', 'u:html', 'u:item', 'u:news', 'u:page']
    """
    path = url.partition("://")[2].partition("/")[2].lower()
    return frozenset([*(f"t:{w}" for w in WORD.findall(text.lower())), *(f"u:{w}" for w in WORD.findall(path))])


class BatchClassifier(PythonChooser):
    def __init__(self, values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(setup)
        self._every: int = values["retrain"]
        self._texts: dict[int, int] = {}  # of the first link to a candidate
        self._first_scores: dict[int, float] = {}  # before there is a model
        self._wanted: dict[int, bool] = {}  # of fetched pages, in their order
        self._model: LinkModel | None = None
        self._ranked = Ranked()
        self._scores: dict[int, float] = {}

    def found(self, new: list[Found]) -> None:
        for one in new:
            self._texts[one.candidate] = one.anchor
            from_wanted = self._wanted.get(one.parent, False)
            self._first_scores[one.candidate] = 1.0 + self.rng.random() if from_wanted else 0.0
        for one, score in zip(new, self._rate([one.candidate for one in new]), strict=True):
            self._scores[one.candidate] = float(score)

    def _rate(self, candidates: list[int]) -> Any:
        if self._model is None:
            return [self._first_scores[one] for one in candidates]
        return self._model.chances([self._words(one) for one in candidates])

    def _words(self, candidate: int) -> frozenset[str]:
        return words_of(self.text(self._texts[candidate]), self.source.url(candidate))

    def enter(self, candidate: int) -> None:
        self._ranked.add(candidate, self.host_of(candidate), self._scores[candidate])

    def leave(self, candidate: int) -> None:
        self._ranked.remove(candidate, self.host_of(candidate))

    def host_changed(self, host: int, asleep: bool) -> None:
        self._ranked.set_asleep(host, asleep)

    def next_one(self) -> tuple[int, float]:
        return self._ranked.best(), 1.0

    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None:
        self._wanted[candidate] = reward > 0
        if len(self._wanted) % self._every == 0:
            self._train()

    def _train(self) -> None:
        """With as many of the unwanted as of the wanted, if there are any of both."""
        wanted = [one for one, good in self._wanted.items() if good]
        others = [one for one, good in self._wanted.items() if not good]
        wanted = self._some(wanted, MOST_EXAMPLES)
        others = self._some(others, len(wanted))
        if not others:
            return
        examples = [(one, True) for one in wanted] + [(one, False) for one in others]
        self.rng.shuffle(examples)
        self._model = LinkModel([self._words(one) for one, _ in examples], [good for _, good in examples])
        self._ranked.rate_all(self._rate_again, self.host_of)

    def _some(self, candidates: list[int], most: int) -> list[int]:
        return candidates if len(candidates) <= most else self.rng.sample(candidates, most)

    def _rate_again(self, candidates: list[int]) -> Any:
        scores = self._rate(candidates)
        self._scores.update(zip(candidates, map(float, scores), strict=True))
        return scores

    def estimate(self, candidates: Any) -> Any:
        """The chance to be wanted; before there is a model, 1 for links of wanted pages."""
        return np.minimum(self._rate([int(one) for one in candidates]), 1.0)

    def fill_parts(self, candidate: int) -> None:
        self.parts[SCORE] = self._scores[candidate]
        self.parts[ESTIMATE] = self.estimate([candidate])[0]
        if self._model is not None:
            self.parts[CLASSIFIER_PART] = self.parts[ESTIMATE]
