"""What a crawl has come to so far, for those who watch it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping

from sundog.engines.live.intake import Arrival
from sundog.engines.snapshot import HostLine, Snapshot
from sundog.model import Failed, Fetched, Refused
from sundog.session import CrawlSession

RECENT = 200  # fetches
SHOWN = 8  # lines of each kind


class Tally:
    """Counts as pages land; a look at it costs little."""

    def __init__(self) -> None:
        self.statements = self.refused = self.failed = self.retries = self.duplicates = self.bytes = 0
        self._types: Counter[str] = Counter()
        self._troubles: Counter[str] = Counter()
        self._hosts: dict[str, list[int]] = {}
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._moments: deque[float] = deque(maxlen=RECENT)

    def add(self, host: str, arrival: Arrival, now: float) -> None:
        record = arrival.record
        match arrival.outcome:
            case Refused():
                self.refused += 1
                return
            case Failed():
                self.failed += 1
                self._troubles[record.trouble or "other"] += 1
                relevant = False
            case Fetched(reward):
                relevant = reward > 0
                self.statements += sum(record.counts.values())
                self.duplicates += record.duplicate_of is not None
                self.bytes += record.size or 0
                self._types.update(arrival.types)
        self._recent.append(relevant)
        self._moments.append(now)
        self._hosts.setdefault(host, [0, 0])[0 if relevant else 1] += 1

    def snapshot(
        self,
        session: CrawlSession,
        now: float,
        *,
        elapsed: float,
        requests: int | None = None,
        stage: str,
        warning: str,
    ) -> Snapshot:
        span = now - self._moments[0] if len(self._moments) > 1 else 0.0
        best = sorted(self._hosts.items(), key=lambda item: (-item[1][0], item[1][1]))[:SHOWN]
        return Snapshot(
            budget=session.budget,
            fetched=session.fetched,
            requests=requests,
            relevant=session.relevant,
            reward=session.reward,
            recent_fetched=len(self._recent),
            recent_relevant=sum(self._recent),
            pages_per_second=(len(self._moments) - 1) / span if span > 0 else 0.0,
            elapsed=elapsed,
            queued=session.queued,
            hosts_found=session.hosts_found,
            asleep=session.asleep,
            in_flight=session.in_flight,
            statements=self.statements,
            refused=self.refused,
            types=self._types.most_common(SHOWN),
            hosts=[HostLine(host, good, bad) for host, (good, bad) in best],
            troubles=self._troubles.most_common(SHOWN),
            stage=stage,
            warning=warning,
        )

    @property
    def troubles(self) -> Mapping[str, int]:
        return self._troubles
