"""Scored graphs: node scores and link scores are numbers from 0 on, and two nodes have one link at most.

The paper's links are a set of pairs, so a scored world has no link from a page to itself, and several links
between the same two pages count as one. Its score is the largest of theirs: scores are logarithms of counts, and
the windows of text around neighbouring links overlap, so a sum would count the same words twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import njit
from sundog.errors import SundogError
from sundog.worlds.static import NO_SCORES, Links, Pages, first_bad_score


def check_link_scores(scores: Any, sources: Any, targets: Any, where: str) -> None:
    row = first_bad_score(scores)
    if row >= 0:
        raise SundogError(
            f"{where}, row {row} (the link from {sources[row]} to {targets[row]}): "
            f"its score is {scores[row]}; scores are numbers from 0 on"
        )


def is_scored(pages: Pages, links: Links) -> bool:
    """Whether links are a graph's edges. Otherwise they are links of a page, each with words of its own."""
    return bool(np.any(links.scores > 0)) or ("score" in pages.columns and not len(links.paths))


def as_edges(links: Links) -> Links:
    """Links without self-loops and duplicates, in the order of their first occurrences; both are counted."""
    kept, starts, scores, loops = _first_links(links.starts, links.targets, links.scores)
    merged = len(links.targets) - len(kept) - loops
    if not loops and not merged:
        return links
    return links._replace(
        starts=starts,
        targets=links.targets[kept],
        anchors=links.anchors[kept] if len(links.anchors) else links.anchors,
        paths=links.paths[kept] if len(links.paths) else links.paths,
        scores=scores if len(links.scores) else NO_SCORES,
        loops=loops,
        merged=merged,
    )


@njit
def _first_links(starts: Any, targets: Any, scores: Any) -> Any:
    """Which links stay, where each page's begin then, their scores, and how many were self-loops."""
    pages = len(starts) - 1
    place = np.full(pages, -1, np.int64)  # where a target's link stands, if it is one of the present page
    kept, best = np.empty(len(targets), np.int64), np.zeros(len(targets))
    new_starts = np.zeros(pages + 1, np.int64)
    count, loops = 0, 0
    for page in range(pages):
        for link in range(starts[page], starts[page + 1]):
            target = targets[link]
            if target == page:
                loops += 1
                continue
            if place[target] < new_starts[page]:
                place[target] = count
                kept[count] = link
                count += 1
            if len(scores):
                best[place[target]] = max(best[place[target]], scores[link])
        new_starts[page + 1] = count
    return kept[:count], new_starts, best[:count], loops
