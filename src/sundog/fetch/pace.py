"""When a host may be asked again. Pure: time is passed in, and should be a clock that outlives the process.

Invariants, for whoever starts a request only when ``rest_until(host, now) <= now``:

- A host that is asked one at a time is never asked sooner than its delay after the last request *arrived*
  there: the delay counts from the answer, for when a request arrives is known to the server only.
- There are never more requests in flight to a host, or to an address, than allowed.
- Requests leave for an address one after the other, with a gap between them.
- No window of so many seconds, wherever it begins, sees more than so many requests arrive at a host. That keeps
  within the windows of servers that count from fixed times, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sundog.fetch.address_pace import NEVER, AddressPace
from sundog.fetch.values import HOST_ERRORS, Page, Trouble

Verdict = Literal["good", "slow down", "error"]
FULL_FOR = 0.25  # seconds, at least, until a host without a free place is worth asking about again


@dataclass(frozen=True, kw_only=True, slots=True)
class Manners:
    """How polite to be. Times are seconds."""

    delay: float = 1.0  # a longer Crawl-delay wins
    requests: int = 0  # that a host may be asked in each ``window``; 0: any number
    window: float = 0.0
    concurrency: int = 1  # requests in flight to one host
    address_share: float = 0.1  # of the delay, between requests to one address, whatever the host
    address_concurrency: int = 8
    longest_slow_down: float = 120.0  # what doubling after 429 and 503 may lead to
    recovery: float = 0.8  # what a good answer leaves of a slow-down
    longest_retry_after: float = 3_600.0
    errors_to_break: int = 5  # in a row
    first_break: float = 60.0  # doubles with each break in a row
    longest_break: float = 3_600.0
    breaks_to_give_up: int = 4

    @property
    def address_gap(self) -> float:
        """Seconds between requests to one address."""
        return self.delay * self.address_share


class HostState(NamedTuple):
    """All that is to be kept of a host: plain values, as a database takes them."""

    host: str
    addresses: Sequence[str]  # sorted; a single one may be a text, as it once was
    crawl_delay: float
    asked_by: float
    until: float
    slow_down: float
    errors: int
    breaks: int
    in_flight: int
    recent: Sequence[float] = ()  # by when the last requests had arrived, as many as a window may hold


class _Host:
    __slots__ = HostState._fields[1:]

    def __init__(self, asked_by: float) -> None:
        self.addresses: Sequence[str] = ()
        self.crawl_delay = 0.0
        self.asked_by = asked_by  # when the last request has surely arrived
        self.until = NEVER
        self.slow_down = 1.0
        self.errors = self.breaks = self.in_flight = 0
        self.recent: list[float] = []


class Pace:
    """The hosts' rest, learned from their answers.

    >>> pace = Pace(Manners(delay=2.0))
    >>> pace.started("a.example", 10.0), pace.finished("a.example", 10.5, "good", answered_at=10.4)
    (12.0, 12.4)
    >>> pace.rest_until("a.example", 11.0)
    12.4
    """

    def __init__(self, manners: Manners | None = None) -> None:
        self.manners = manners or Manners()
        self.addresses = AddressPace(gap=self.manners.address_gap, most=self.manners.address_concurrency)
        self._hosts: dict[str, _Host] = {}
        self._restarted_at = NEVER

    def delay(self, host: str) -> float:
        """Seconds from one request to the next, as things stand."""
        known = self._hosts.get(host)
        return self._delay(known) if known else self.manners.delay

    def given_up(self, host: str) -> bool:
        """It has failed again after so many breaks that waiting longer is vain."""
        known = self._hosts.get(host)
        return known is not None and known.breaks >= self.manners.breaks_to_give_up

    def addresses_of(self, host: str) -> Sequence[str]:
        """Where requests to the host count; empty if its addresses are not known, or are not its own."""
        known = self._hosts.get(host)
        return known.addresses if known else ()

    def locate(self, host: str, addresses: Sequence[str]) -> None:
        """Requests to the host count at these addresses from now on, each at all of them."""
        known = self._hosts.get(host)
        if known is None:
            if not addresses:
                return
            known = self._known(host)
        known.addresses = addresses

    def rest_until(self, host: str, now: float) -> float:
        """When the host may be asked: not after ``now`` if at once. Look again then: others share its address."""
        rest = self.own_rest_until(host, now)
        for address in self.addresses_of(host):
            rest = max(rest, self.addresses.rest_until(address, now))
        return rest

    def own_rest_until(self, host: str, now: float) -> float:
        """The same, if it had its addresses to itself.

        While all its places are taken nobody knows when one will be free: it is to be asked again after a delay.
        """
        known = self._hosts.get(host)
        if known is None:
            return max(now, self._restarted_at + self.manners.delay)
        delay = self._delay(known)
        rest = max(known.asked_by + delay, known.until)
        if self.manners.requests:
            rest = max(rest, self._window_opens(known, now))
        places = 1 if known.breaks else self.manners.concurrency
        if known.in_flight >= places:
            rest = max(rest, now + max(delay, FULL_FOR))
        return rest

    def in_flight(self, host: str) -> int:
        known = self._hosts.get(host)
        return known.in_flight if known else 0

    def started(self, host: str, now: float) -> float:
        """A request begins, at the host's addresses as they are now; returns how long the host rests at least."""
        known = self._known(host)
        known.in_flight += 1
        known.asked_by = max(known.asked_by, now)
        self.addresses.started(known.addresses, now)
        return max(known.asked_by + self._delay(known), known.until)

    def finished(
        self,
        host: str,
        now: float,
        verdict: Verdict,
        *,
        answered_at: float | None = None,
        retry_after: float | None = None,
        addresses: Sequence[str] | None = None,
        was_sent: bool = False,
    ) -> float:
        """A request has ended; returns how long the host rests. Unanswered, it may have arrived only now.

        ``addresses`` are those that the host had when it began, if they may have changed; ``was_sent``: they were
        told so.
        """
        known = self._known(host)
        arrived_by = now if answered_at is None else min(answered_at, now)
        known.asked_by = max(known.asked_by, arrived_by)
        addresses = known.addresses if addresses is None else addresses
        self._leave(known, addresses, was_sent=was_sent)
        self._remember(known, [arrived_by])
        if not was_sent:
            self.addresses.asked_by(addresses, arrived_by)
        self._judge(known, now, verdict, retry_after)
        return self.rest_until(host, now)

    def cancelled(self, host: str, addresses: Sequence[str] | None = None) -> None:
        """A request that was started was not made after all."""
        known = self._known(host)
        self._leave(known, known.addresses if addresses is None else addresses, was_sent=False)

    def not_found(self, host: str, now: float) -> None:
        """The host's name has no address: as bad as no answer, but no place was taken."""
        known = self._known(host)
        known.asked_by = max(known.asked_by, now)
        self._judge(known, now, "error", None)

    def set_crawl_delay(self, host: str, seconds: float | None) -> None:
        self._known(host).crawl_delay = seconds or 0.0

    def export(self) -> list[HostState]:
        """Hosts of which something is known."""
        return [self.state(host) for host in self._hosts]

    def state(self, host: str) -> HostState:
        """What is to be kept of one host."""
        known = self._known(host)
        return HostState(host, *(getattr(known, name) for name in HostState._fields[1:]))

    def restore(self, states: Iterable[HostState], now: float) -> float:
        """As it was; a request that was in flight has ended meanwhile, and may have arrived until now.

        Returns by how many seconds the clock has been set back since, as far as can be seen.
        """
        ahead = 0.0
        for row in states:
            state = HostState(*row)
            known = self._known(state.host)
            for name in HostState._fields[1:]:
                setattr(known, name, getattr(state, name))
            known.recent = list(state.recent)
            if isinstance(state.addresses, str):
                known.addresses = [state.addresses] if state.addresses else ()
            ahead = max(ahead, self._set_back(known, now))
            if known.in_flight:
                self._remember(known, [now] * known.in_flight)
                known.asked_by, known.in_flight = max(known.asked_by, now), 0
            self.addresses.asked_by(known.addresses, known.asked_by)
        return ahead

    def longest_rest(self, host: str) -> float:
        """No answer lets a host rest for longer, counted from the answer."""
        return self._longest_rest(self._known(host))

    def restarted(self, now: float) -> None:
        """Hosts may have been asked after the last states were kept: until now, for all that is known."""
        self._restarted_at = now
        self.addresses.restarted(now)
        for known in self._hosts.values():
            known.asked_by = max(known.asked_by, now)

    def _set_back(self, known: _Host, now: float) -> float:
        """Who was asked in the future was asked by a clock that was ahead, and rests as long as it was to."""
        ahead = max(0.0, known.asked_by - now)
        if ahead:
            known.asked_by = now
            known.until -= ahead
            known.recent = [moment - ahead for moment in known.recent]
        known.until = min(known.until, now + self._longest_rest(known))
        return ahead

    def _known(self, host: str) -> _Host:
        known = self._hosts.get(host)
        if known is None:
            known = self._hosts[host] = _Host(self._restarted_at)
        return known

    def _leave(self, known: _Host, addresses: Sequence[str], *, was_sent: bool) -> None:
        if known.in_flight:
            known.in_flight -= 1
            self.addresses.ended(addresses, was_sent=was_sent)

    def _remember(self, known: _Host, arrived_by: list[float]) -> None:
        if self.manners.requests:
            known.recent = sorted([*known.recent, *arrived_by])[-self.manners.requests :]

    def _window_opens(self, known: _Host, now: float) -> float:
        """When one more request, besides those in flight, fits into any window that ends there."""
        free = self.manners.requests - known.in_flight
        if free <= 0:
            return now + FULL_FOR
        return known.recent[-free] + self.manners.window if len(known.recent) >= free else NEVER

    def _delay(self, known: _Host) -> float:
        """The slow-down works on at least a second, and never makes a delay shorter."""
        delay = max(self.manners.delay, known.crawl_delay)
        if known.slow_down <= 1.0:
            return delay
        return max(delay, min(max(delay, 1.0) * known.slow_down, self.manners.longest_slow_down))

    def _longest_rest(self, known: _Host) -> float:
        manners = self.manners
        return max(manners.longest_retry_after, manners.longest_break, manners.window, self._delay(known))

    def _judge(self, known: _Host, now: float, verdict: Verdict, retry_after: float | None) -> None:
        manners = self.manners
        if retry_after is not None:
            known.until = max(known.until, now + min(retry_after, manners.longest_retry_after))
        if verdict == "error":
            known.errors += 1
            if known.errors >= manners.errors_to_break or known.breaks:
                rest = min(manners.first_break * 2.0**known.breaks, manners.longest_break)
                known.until = max(known.until, now + rest)
                known.errors, known.breaks = 0, known.breaks + 1
            return
        known.errors = known.breaks = 0
        if verdict == "slow down":
            known.slow_down = min(2 * known.slow_down, manners.longest_slow_down)
            window = manners.window if retry_after is None else 0.0
            known.until = max(known.until, now + max(self._delay(known), window))
        elif known.slow_down > 1.0:
            known.slow_down = max(1.0, known.slow_down * manners.recovery)


def verdict_of(result: Page | Trouble) -> Verdict:
    """What an answer says about its host; a wrong page is not the host's fault."""
    if isinstance(result, Page):
        return "good"
    if result.kind == "rate-limited" or result.status == 503:
        return "slow down"
    return "error" if result.kind in HOST_ERRORS else "good"
