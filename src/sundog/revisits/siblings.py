"""Whether pages of one template change together.

If they do, a hundred of them that were found changed tell little more than one: of how often the template changes.
So it must be known how far they do. There is *news* for a page if another one of its template was found changed
after its own last visit. Visits tell by how much the odds of a change were higher than the rates had said, with
news and without: two numbers for all pages, and both are 0 where each page changes for itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_ALIKE = 0.4  # the correlation of pages whose templates change as a whole
DOUBT = 4.0  # the precision of "it makes no difference", as of so much information from visits


class TemplateNews:
    """
    >>> news = TemplateNews(np.array([0, 0, 1]))
    >>> news.heard(np.zeros(3)).tolist()
    [False, False, False]
    >>> news.observe(np.array([0]), 1.0, np.array([True]))
    >>> news.heard(np.array([1.0, 0.0, 0.0])).tolist()
    [False, True, False]
    """

    def __init__(self, template: Any) -> None:
        self._template = template
        self._last = np.full(int(np.max(template, initial=0)) + 1, -np.inf)  # when a page of it was found changed
        self._shift = np.zeros(2)  # of log odds: without news, with news
        self._information = np.full(2, DOUBT)

    def heard(self, visited: Any, pages: Any = slice(None)) -> Any:
        """By page: whether there is news since it was visited."""
        return self._last[self._template[pages]] > visited

    def observe(self, pages: Any, now: Any, changed: Any) -> None:
        """These were visited now, or each at its own time."""
        times = np.broadcast_to(now, len(pages))
        np.maximum.at(self._last, self._template[pages[changed]], times[changed])

    def learn(self, heard: Any, expected: Any, changed: Any) -> None:
        """Visits: whether there was news, how many changes the rates let expect, and whether there was one."""
        chance = np.clip(-np.expm1(-expected), 1e-6, 1 - 1e-6)
        logit = np.log(chance / (1.0 - chance))
        for said in (0, 1):
            of = heard == bool(said)
            likely = 1.0 / (1.0 + np.exp(-logit[of] - self._shift[said]))
            self._information[said] += float((likely * (1.0 - likely)).sum())
            self._shift[said] += float((changed[of] - likely).sum()) / self._information[said]

    @property
    def alike(self) -> float:
        """The correlation of a template's pages: how much news raises the odds of a change; 0 if it does not."""
        return MOST_ALIKE * min(1.0, max(0.0, float(self._shift[1] - self._shift[0])))


def template_by_template(template: Any) -> Any:
    """An order of pages: the first one of every template, then the second ones, and so on.

    >>> template_by_template(np.array([5, 5, 5, 2, 2])).tolist()
    [0, 3, 1, 4, 2]
    """
    order = np.argsort(template, kind="stable")
    _, first, sizes = np.unique(template[order], return_index=True, return_counts=True)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(first, sizes)
    return np.argsort(rank, kind="stable")
