"""Nodes behind a JSON API: each takes a few requests for its items and its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sundog.engines.live.page_failures import StageError
from sundog.engines.live.pages.intake import judged
from sundog.engines.live.worlds.context import WorldContext
from sundog.engines.live.worlds.counted_requests import NodeRequests, NotAsked
from sundog.engines.live.worlds.json_answers import (
    Neighbour,
    Pages,
    WrongAnswerError,
    json_of,
    neighbours_in,
    score_in,
    search_answer,
    texts_in,
)
from sundog.engines.live.worlds.nodes import NodeVisit, NodeWorld
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.values import Extras, Page, Trouble, trouble
from sundog.model import Fetched, Link
from sundog.objectives import Judge, PageView
from sundog.objectives.judge import TextScore
from sundog.spec.api import Api, Template

MOST_KEPT = 10_000  # answers of one node


@dataclass
class ApiVisit(NodeVisit):
    """What was read from a node's answers."""

    node: str
    texts: list[str] = field(default_factory=list)
    score: float = 0.0
    neighbours: list[Neighbour] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)


Take = Callable[[ApiVisit, Any], int]  # reads an answer; returns how many entries it had


def open_world(context: WorldContext) -> ApiWorld:
    api, session = context.spec.api, context.session
    node_requests = context.node_requests(most=lambda: session.budget)
    return ApiWorld(api, node_requests, context.judge, context.objective.text_score, context.max_depth)


class ApiWorld(NodeWorld):
    """``text_score`` is the objective's; without it, scores come from the answers."""

    def __init__(
        self,
        api: Api,
        node_requests: NodeRequests,
        judge: Judge,
        text_score: TextScore | None,
        max_depth: float,
    ) -> None:
        super().__init__(node_requests, max_depth)
        self._api, self._judge, self._text_score = api, judge, text_score
        self._extras = Extras(accept="application/json")
        self._items = Template(api.items)
        self._neighbours = Template(api.neighbours) if api.neighbours else None

    @property
    def requests(self) -> int:
        return self._node_requests.made

    async def visit(self, url: str, candidate: int) -> ApiVisit | Trouble | None:
        node = self._api.node_of(url)
        if node is None:
            return trouble("bad-url", "no node of this API", was_asked=False)
        result = await self._node_requests.first(url, url, self._extras)
        if isinstance(result, NotAsked):
            return None
        if isinstance(result, Trouble):
            return result
        visit = ApiVisit(node, status=result.status, content_type="application/json")
        await self._walk(visit, Pages(self._api, self._items, node), result, self._take_items)
        if not visit.pages:
            return trouble("other", visit.faults[0][1])
        if self._neighbours:
            pages = Pages(self._api, self._neighbours, node)
            await self._walk(visit, pages, await self._ask(visit, pages.first), self._take_links)
        return visit

    async def _walk(self, visit: ApiVisit, pages: Pages, page: Page | None, take: Take) -> None:
        """Page after page, as long as there are more; an answer that cannot be read ends it and is a fault."""
        try:
            while page is not None:
                visit.add(page)
                answer = json_of(page)
                visit.pages += 1
                entries = take(visit, answer)
                page = await self._ask(visit, pages.after(page, answer, entries))
        except WrongAnswerError as error:
            visit.faults.append(("api", str(error)))

    async def _ask(self, visit: ApiVisit, url: str | None) -> Page | None:
        if url is None:
            return None
        result = await self._node_requests.further(url, self._extras)
        if isinstance(result, Page):
            return result
        visit.faults.append(("api", result))
        return None

    def _take_items(self, visit: ApiVisit, answer: Any) -> int:
        texts = texts_in(search_answer(self._api.texts, answer))
        visit.texts += texts
        visit.score += score_in(search_answer(self._api.score, answer))
        kept = search_answer(self._api.keep, answer)
        if kept is not None:
            visit.kept += kept if isinstance(kept, list) else [kept]
        return len(texts) + (0 if self._neighbours else self._take_links(visit, answer))

    def _take_links(self, visit: ApiVisit, answer: Any) -> int:
        neighbours = list(neighbours_in(search_answer(self._api.links, answer)))
        visit.neighbours += neighbours
        return len(neighbours)

    # -- taking in -----------------------------------------------------------------------------------

    def observe(self, url: str, visit: ApiVisit, depth: int, candidate: int) -> Observation:
        reward, record, errors = visit.score, visit.record(), list[StageError]()
        if not self._api.score:
            view = PageView(url, {}, (), {}, "\n".join(visit.texts))
            judgement = judged(self._judge, view, errors.append)
            reward, record = judgement.reward, visit.record(faults=judgement.faults)
        links = self._links(url, visit) if depth < self._max_depth else []
        error = errors[0] if errors else None
        return Observation(Fetched(reward, links), record, answers=visit.kept[:MOST_KEPT], error=error)

    def _links(self, here: str, visit: ApiVisit) -> list[Link]:
        """One for each neighbour, with its largest score, or that of its texts; none to the node itself."""
        scores: dict[str, float] = {}
        texts: dict[str, list[str]] = {}
        for neighbour in visit.neighbours:
            url = self._api.node_url(neighbour.id)
            if url is not None and url != here:
                scores[url] = max(scores.get(url, 0.0), neighbour.score or 0.0)
                if neighbour.text and neighbour.score is None:
                    texts.setdefault(url, []).append(neighbour.text)
        if self._text_score:
            for url, around in texts.items():
                scores[url] = max(scores[url], self._text_score("\n".join(around), ""))
        return [Link(url, score=score) for url, score in scores.items()]
