"""The patterns of a running crawl: which of them a page gets, which links are followed, when the crawl ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sundog.engines.live.commits import Spending
from sundog.engines.live.journal import Journal
from sundog.engines.live.patterns.crawl_graph import LONGEST_PATH, CrawlGraph
from sundog.engines.live.patterns.frontier import MOST_WAITING, LiveFrontier
from sundog.engines.live.patterns.links import Priorities, Visits
from sundog.engines.live.patterns.reading import PatternTask
from sundog.engines.live.patterns.stopping import Stopping, VisitsNeeded
from sundog.model import Link
from sundog.patterns.crawl_view import CrawlPage, CrawlView, WaitingPage
from sundog.patterns.definitions import LinkPattern, Patterns
from sundog.patterns.runner import Found, FoundLink, Plan
from sundog.spec import CrawlSpec
from sundog.store import CrawlReader, Observed, PatternFindings
from sundog.store.versions import links_of
from sundog.urls.revisits import is_repetition, without_mark

Admit = Callable[[Sequence[Link]], Sequence[Link]]


def new_live_patterns(
    spec: CrawlSpec,
    plan: Plan | None,
    journal: Journal,
    spending: Spending,
    outcomes: Iterable[Observed] = (),
) -> LivePatterns | None:
    """None: there are no patterns. ``outcomes`` are those of a crawl that goes on."""
    if plan is None:
        return None
    store, catalog = journal.store, journal.catalog
    live = LivePatterns(
        spec.patterns,
        plan,
        url_of=catalog.url,
        depth_of=store.depth,
        parent_of=store.parent,
        links_before=lambda visit: links_of(store, visit) if journal.session.is_revisit(visit) else (),
        seconds=lambda: spending.seconds,
        frontier=LiveFrontier(journal),
    )
    if live.priorities:
        journal.prefer = lambda decision: live.priorities.better(decision, journal.session)
    live.visits.offer(map(without_mark, catalog.urls_since(0)))
    is_resumed = False
    for event in outcomes:
        live.recall(event)
        is_resumed = True
    if is_resumed:
        live.recall_matches(store)
    return live


class ChosenLinks(NamedTuple):
    """Links to be followed, and for each link pattern the places of its own among them."""

    links: list[Link]
    places: Mapping[str, list[int]]


class LivePatterns:
    """``url_of``, ``depth_of`` and ``parent_of`` take the id of a visit; ``links_before``, too: the visits that it
    linked to in earlier rounds."""

    def __init__(
        self,
        patterns: Patterns,
        plan: Plan,
        *,
        url_of: Callable[[int], str],
        depth_of: Callable[[int], int],
        parent_of: Callable[[int], int | None],
        links_before: Callable[[int], Iterable[int]],
        seconds: Callable[[], float],
        frontier: LiveFrontier,
    ) -> None:
        self.patterns, self.plan = patterns, plan
        self.graph = CrawlGraph(plan.names, plan.needs)
        self.stopping = Stopping(patterns, self.graph)
        self._visits_needed = VisitsNeeded(patterns, self.graph)
        self.visits = Visits(patterns)
        self.priorities = Priorities(patterns)
        self._last = -1  # the page that came last before the crawl was resumed
        self._url_of, self._depth_of, self._parent_of, self._seconds = url_of, depth_of, parent_of, seconds
        self._links_before, self._frontier = links_before, frontier

    @property
    def chooses_links(self) -> bool:
        return bool(self.patterns.link)

    @property
    def visits_needed(self) -> float:
        """How many visits may be under way: more would bring more than stop patterns ask for."""
        return self._visits_needed.visits

    @property
    def stop_reason(self) -> str:
        """Why the crawl is to end, if it is."""
        return self.stopping.reason(self._seconds())

    # -- before a page is read -------------------------------------------------------------------------

    def task(self, visit: int) -> PatternTask:
        """With the crawl as it is now, as far as a query asks for it."""
        graph, needs = self.graph, self.plan.needs
        via = graph.via(visit)
        around = CrawlView(
            depth=self._depth_of(visit),
            order=graph.fetched + 1,
            pages=graph.fetched + 1,
            seconds=round(self._seconds(), 3),
            time=round(time.time(), 3),
            counts=dict(graph.counts),
            via=via,
            parents=graph.parents(visit, self._view) if needs.parents else (),
            path=[self._view(each) for each in self._path(visit)] if needs.path else (),
            items=graph.items() if needs.items else {},
            queued=self._frontier.size if needs.waiting else None,
            waiting=[self._waiting(each) for each in self._frontier.first(MOST_WAITING)] if needs.waiting else (),
        )
        return PatternTask(self._applied(visit, via, around.depth), around)

    def _applied(self, visit: int, via: Sequence[str], depth: int) -> list[str]:
        patterns = self.patterns
        wanted = self._wanted(via)
        wanted -= {each.name for each in patterns.link if each.depth is not None and depth >= each.depth}
        applied = [
            each.name
            for each in patterns.on_pages
            if each.name in wanted and (not each.linked_from or self.graph.linked_from(visit, each.linked_from))
        ]
        return applied + [each.name for each in patterns.stop if each.when]

    def _wanted(self, via: Sequence[str]) -> set[str]:
        """What follows the link patterns that led here; seeds were led to by none."""
        nexts = [each.next for each in self.patterns.link if each.name in via] or [self.patterns.start]
        if any(names is None for names in nexts):
            return set(self.patterns.names_on_pages)
        return {name for names in nexts for name in names or ()}

    def _view(self, visit: int) -> CrawlPage:
        return self.graph.view(visit, without_mark(self._url_of(visit)), self._depth_of(visit))

    def _waiting(self, visit: int) -> WaitingPage:
        return WaitingPage(visit, without_mark(self._url_of(visit)), self._depth_of(visit), self.graph.via(visit))

    def _path(self, visit: int) -> list[int]:
        """The visits by which it was reached, the nearest first."""
        path: list[int] = []
        above = self._parent_of(visit)
        while above is not None and len(path) < LONGEST_PATH:
            path.append(above)
            above = self._parent_of(above)
        return path

    # -- when it has come ------------------------------------------------------------------------------

    def choose_links(self, visit: int, found: Found, on_page: Iterable[Link], admit: Admit) -> ChosenLinks:
        """The links of the page that link patterns found, by the order of the patterns' priorities."""
        known: dict[str, Link] = {}
        for link in on_page:
            known.setdefault(link.url, link)
        offered: dict[str, int] = {}
        links: list[Link] = []
        places: dict[str, list[int]] = {}
        path = (
            [without_mark(self._url_of(each)) for each in (visit, *self._path(visit))]
            if self.visits.by_path
            else []
        )
        before = self._names_before(visit)
        for pattern in sorted(self.patterns.link, key=lambda each: -each.priority):
            for link in admit([known.get(each.url) or _link(each) for each in found.links.get(pattern.name, ())]):
                name = before.get(link.url) or self._name(pattern, link.url, visit, path)
                if name is None:
                    continue
                if name not in offered:
                    offered[name] = len(links)
                    links.append(link if name == link.url else link._replace(url=name))
                places.setdefault(pattern.name, []).append(offered[name])
        return ChosenLinks(links, places)

    def _names_before(self, visit: int) -> dict[str, str]:
        """By URL: in a later round a link leads where it led before, and is no other one."""
        if not self.visits.may_repeat:
            return {}
        names = map(self._url_of, self._links_before(visit))
        return {without_mark(name): name for name in names}

    def _name(self, pattern: LinkPattern, url: str, visit: int, path: Sequence[str]) -> str | None:
        if pattern.revisit == "path" and url in path:
            return None
        return self.visits.name(pattern, url, visit)

    def observed(self, visit: int, links: Sequence[int], findings: PatternFindings) -> None:
        """A page came and was kept, with links to these."""
        self.graph.observed(visit, links, findings)
        for name, targets in findings.followed.items():
            self.priorities.offer(name, targets)
        self.stopping.fetched(without_mark(self._url_of(visit)), findings.stops)
        self._visits_needed.fetched(findings.items)

    def failed(self) -> None:
        self.graph.failed_page()
        self.stopping.fetched("")
        self._visits_needed.fetched({})

    def is_one_page(self, visit: int, other: int) -> bool:
        """Whether two visits are of the same page."""
        return without_mark(self._url_of(visit)) == without_mark(self._url_of(other))

    def may_come_by_other_paths(self, visit: int) -> bool:
        """Whether another visit may use the same answer; one that repeats a page after a while wants a new one."""
        return self.visits.by_path and not is_repetition(self._url_of(visit))

    # -- after a stop ----------------------------------------------------------------------------------

    def recall(self, event: Observed) -> None:
        """An outcome before the crawl was resumed; what matched comes later, with ``recall_matches``."""
        if event.kind == "fetched":
            self.graph.fetched_page(event.candidate, event.links.targets.tolist())
            self.stopping.fetched(without_mark(self._url_of(event.candidate)))
            self._last = event.candidate
        elif event.kind == "failed":
            self.graph.failed_page()

    def recall_matches(self, store: CrawlReader) -> None:
        for match in store.matches():
            followed = {match.pattern: match.targets} if match.kind == "link" else {}
            self.graph.matched(match.page, [] if match.kind == "stop" else [match.pattern], followed, 0)
            if match.kind == "data":
                self.graph.last_match(match.page)
            elif match.kind == "stop" and match.page == self._last:
                self.stopping.held(match.pattern)
            self.priorities.offer(match.pattern, match.targets)
            self.visits.recall(match.pattern, match.page, map(self._url_of, match.targets))
        for item in store.items():
            self.graph.found(item.page, item.pattern, [item.item])
        for event in store.replay(plain_choices=False) if self.plan.needs.linked_from else ():
            if isinstance(event, Observed) and event.kind == "fetched":
                self.graph.links_of(event.candidate, event.links.targets.tolist())


def _link(found: FoundLink) -> Link:
    return Link(found.url, found.anchor)
