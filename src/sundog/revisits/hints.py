"""How far a host's dates of change are believed: sitemaps, feeds, Last-Modified, dates in the markup.

A hint says that a page has changed since the last visit, or by its silence that it has not. Visits tell whether
that was true. So each host has four counts: claimed or silent, changed or not. They give the odds by which a
claim, or silence, raises or lowers the chance of a change. A sitemap that says "today" for all pages claims as
often where nothing has changed as where something has: it is ignored without anybody saying so.

A chance of change becomes a time: the days after which a page of that rate has changed with this chance. So one
index serves pages with hints and without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DOUBT = 2.0  # imaginary visits, changed and not, at which a hint was as frequent as at all of the host's
LONGEST = 40.0  # changes expected at most: e^-40 is nobody's doubt


class HintTrust:
    """The trust in one source of hints, by host.

    >>> trust = HintTrust()
    >>> trust.since([0], [0.1], [1.0], [True]).tolist()  # nothing is known: the time is the time
    [1.0]
    >>> for _ in range(50):
    ...     trust.observe([0, 0, 1, 1], [True, False, True, True], [True, False, True, False])
    >>> trust.since([0, 0], [0.1, 0.1], [1.0, 1.0], [True, False]).round(1).tolist()
    [18.5, 0.0]
    >>> trust.since([1, 1], [0.1, 0.1], [1.0, 1.0], [True, False]).round(1).tolist()
    [1.0, 1.0]
    """

    def __init__(self) -> None:
        self._counts = np.zeros((0, 2, 2))  # by host, claimed, changed

    def observe(self, hosts: Any, claimed: Any, changed: Any) -> None:
        """Visits: what the hint said before, and what was found."""
        hosts = np.asarray(hosts, np.int64)
        if len(hosts) and hosts.max() >= len(self._counts):
            grown = np.zeros((int(hosts.max()) * 3 // 2 + 1, 2, 2))
            grown[: len(self._counts)] = self._counts
            self._counts = grown
        np.add.at(self._counts, (hosts, np.asarray(claimed, int), np.asarray(changed, int)), 1.0)

    def since(self, hosts: Any, rates: Any, since_last: Any, claimed: Any) -> Any:
        """The days since the last visit, as they count after the hints."""
        hosts, claimed = np.asarray(hosts, np.int64), np.asarray(claimed, int)
        rates, since_last = np.asarray(rates, float), np.asarray(since_last, float)
        known = self._odds()
        odds = np.where(
            hosts < len(known) - 1, known[np.minimum(hosts, len(known) - 1), claimed], known[-1, claimed]
        )
        changes = rates * since_last
        with np.errstate(divide="ignore", invalid="ignore"):
            # P(fresh) = e^-x / (e^-x + odds (1 - e^-x)), and the time is -log P(fresh) / rate.
            counted = changes + np.log(np.exp(-changes) - odds * np.expm1(-changes))
            found = np.where(odds == 1.0, since_last, np.clip(counted, 0.0, LONGEST) / rates)
        return np.where(changes > 0.0, found, 0.0)

    def _odds(self) -> Any:
        """By host and claimed, P(said | changed) / P(said | unchanged); the last row is of hosts never visited."""
        counts = np.concatenate([self._counts, np.zeros((1, 2, 2))])
        usual = (counts.sum(axis=2, keepdims=True) + 0.5) / (counts.sum(axis=(1, 2), keepdims=True) + 1.0)
        said = (counts + DOUBT * usual) / (counts.sum(axis=1, keepdims=True) + DOUBT)
        has_both = counts.sum(axis=2).min(axis=1, keepdims=True) > 0.0
        odds: Any = np.where(has_both, said[:, :, 1] / said[:, :, 0], 1.0)
        return odds
