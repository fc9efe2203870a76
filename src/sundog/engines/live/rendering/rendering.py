"""From a plain page to the rendered one, if that pays; what was decided is told to the log with the page.

A page whose rendering fails is the plain page, with a fault that says why.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sundog.engines.live.pages.intake import view_of
from sundog.engines.live.pages.reading import Reading
from sundog.engines.live.rendering.first_looks import FirstLooks
from sundog.engines.live.rendering.passed_over import PassedOver
from sundog.engines.live.rendering.price import MeasuredPrice
from sundog.engines.live.rendering.records import PRIOR, Choice, Plain, RenderRecords, reason
from sundog.engines.live.rendering.signs import Signs
from sundog.fetch.values import Page
from sundog.model import Link
from sundog.objectives import Judge
from sundog.results.explain import page_shape
from sundog.spec import CrawlSpec
from sundog.store import RenderChoice
from sundog.urls.hosts import host_of
from sundog.urls.revisits import rendered_visit

if TYPE_CHECKING:
    from sundog.engines.live.wiring import Wiring
    from sundog.fetch.render.pool import Browsers
    from sundog.objectives import Objective
    from sundog.session import CrawlSession

MANY_LINKS: Final = 3  # more than twice those of the plain page, and so many: that is a gain, too
WORTH_OF_LINKS: Final = 0.25  # of a page that is what is looked for
FAULT: Final = "render"
AGAIN: Final = "rendered again"  # where links to second visits are
RECENT: Final = 0.99  # what the harvest rate keeps of itself with each page

ReadPage = Callable[[Page], Awaitable[Reading]]


class RenderedVisit(NamedTuple):
    """The page as it counts from now on, and what was decided."""

    page: Page
    reading: Reading
    choice: RenderChoice
    screenshot: bytes = b""


class Rendering:
    """Of one crawl. ``learned`` is called for every choice that is logged, also when a crawl is resumed."""

    def __init__(self, spec: CrawlSpec, judge: Judge, browsers: Browsers) -> None:
        self._spec, self._judge, self._browsers = spec, judge, browsers
        self.session: CrawlSession | None = None
        self._records, self._signs = RenderRecords(), Signs()
        self._begun = self._logged = 0  # pages rendered by this process, and in all as far as they are logged
        self._ended, self._accounted = 0, 0.0  # pages, and seconds of browsers that these were charged with
        self._price = MeasuredPrice()
        self._harvest = 0.0
        self._passed_over = PassedOver()
        self._looks = FirstLooks()

    def learned(self, choice: RenderChoice) -> None:
        was_rendered = choice.action != "plain"
        self._logged += was_rendered
        if not choice.sign:
            return
        plain = Plain(choice.template, choice.sign, choice.plain_reward)
        if was_rendered:
            self._looks.end(choice.template)
        self._records.learn(plain, was_rendered, choice.gain)
        if choice.gain:
            self._passed_over.take(plain)
        elif not was_rendered and PRIOR[choice.sign]:
            self._passed_over.add(plain, choice.candidate)
        reward = choice.plain_reward + max(0.0, choice.gain or 0.0)
        self._harvest += (1 - RECENT) * (reward - self._harvest)

    @property
    def has_gained(self) -> bool:
        """Only then are pages visited again."""
        return self._records.has_gained

    def second_visits(self, choice: RenderChoice) -> list[Link]:
        """To pages like one that gave more, if that was not known when they came, and to some of templates that
        may be looked at now that it has."""
        if not choice.gain or not choice.sign or self.session is None:
            return []
        like = self._passed_over.like(Plain(choice.template, choice.sign, choice.plain_reward))
        others = self._passed_over.worth_a_look(self._may_look, self._records.looks)
        url_of = self.session.source.url
        return [Link(rendered_visit(url_of(number)), tag_path=AGAIN) for number in (*like, *others)]

    def _may_look(self, page: Plain) -> bool:
        looking = self._looks.count
        return self._has_budget and self._records.choose(page, self.price, self._fetch_worth, looking).render

    async def visit(
        self, candidate: int, page: Page, reading: Reading, read: ReadPage, *, is_known: bool = False
    ) -> RenderedVisit | None:
        """None: nothing was to be decided. ``is_known``: of a page that is visited again nothing is learned."""
        if "html" not in page.content_type or not page.body or not 200 <= page.status < 300:
            return None
        self._price.page_came()
        choice = await self._decision(candidate, page, reading, is_known)
        visit = RenderedVisit(page, reading, choice)
        return visit if choice.action == "plain" else await self._render(visit, read)

    async def _decision(self, candidate: int, page: Page, reading: Reading, is_known: bool) -> RenderChoice:
        if self._spec.render == "always":
            chosen = Choice(self._has_budget, False, 1.0, 1.0, 0.0)
            why = "rendered: all pages are" if chosen.render else "not rendered: rendering.budget is spent"
            return self._noted(candidate, None, chosen, why)
        template = page_shape(page.url)
        plain = Plain(template, self._signs.of(template, page.body), self._reward(page, reading))
        chosen = await self._choose(plain)
        is_look = chosen.render and not is_known and not self._records.has_won(plain)
        if is_look and self._has_budget:
            self._looks.begin(plain.template)
        why = reason(chosen, plain.sign, plain.reward)
        if chosen.render and not self._has_budget:
            chosen, why = chosen._replace(render=False, is_check=False), "not rendered: rendering.budget is spent"
        return self._noted(candidate, plain, chosen, why)

    async def _choose(self, plain: Plain) -> Choice:
        """Plain pages come faster than looks end, so a page waits for those on which its own choice depends: that
        of its template, and all if only these keep it from being looked at."""
        while True:
            looking = self._looks.count
            chosen = self._records.choose(plain, self.price, self._fetch_worth, looking=looking)
            if not looking or not self._has_budget:
                return chosen
            if plain.template not in self._looks or self._records.has_won(plain):
                alone = self._records.choose(plain, self.price, self._fetch_worth)
                if chosen.render or not alone.render:
                    return chosen
            await self._looks.one_ended()

    def _noted(self, candidate: int, plain: Plain | None, chosen: Choice, why: str) -> RenderChoice:
        action = "check" if chosen.is_check else "render" if chosen.render else "plain"
        cost = (self._spec.rendering.price or 0.0) if chosen.render else 0.0
        template, sign, reward = plain or ("", "", 0.0)
        return RenderChoice(candidate, cost, action, why, template, sign, reward, price=round(self.price, 2))

    async def _render(self, visit: RenderedVisit, read: ReadPage) -> RenderedVisit:
        from sundog.fetch.render.values import RenderFailure

        self._begun += 1
        with self._price.rendering():
            found = await self._browsers.render(visit.page)
        traffic, cpu = found.traffic, self._browsers.cpu_seconds
        self._ended += 1
        since, self._accounted = cpu - self._accounted, cpu  # of pages that are rendered at once, each has a part
        choice = visit.choice._replace(
            seconds=round(found.seconds, 3),
            cpu=round(max(0.0, since), 3),
            requests=traffic.requests,
            size=traffic.bytes,
            refused=sum(number for _, number in traffic.refused),
        )
        if isinstance(found, RenderFailure):
            faults = [*visit.reading.faults, (FAULT, str(found))]
            reading = visit.reading._replace(faults=faults)
            return visit._replace(reading=reading, choice=choice._replace(failure=str(found)))
        reading = await read(found.page)
        gain = self._gain(visit, found.page, reading)
        return RenderedVisit(found.page, reading, choice._replace(gain=gain), found.screenshot)

    def _gain(self, plain: RenderedVisit, page: Page, reading: Reading) -> float:
        more = self._reward(page, reading) - self._reward(plain.page, plain.reading)
        links = len(reading.links)
        if more <= 0 and links > 2 * len(plain.reading.links) + MANY_LINKS:
            return WORTH_OF_LINKS
        return max(0.0, more)

    def _reward(self, page: Page, reading: Reading) -> float:
        """Of the page as if it were the first."""
        try:
            return self._judge(view_of(page.url, reading, {})).reward
        except Exception:  # of the objective: the page's own judgement will report it
            return 0.0
        finally:
            self._judge.take_back()

    @property
    def _has_budget(self) -> bool:
        budget = self._spec.rendering.budget
        return budget is None or max(self._begun, self._logged) < budget

    @property
    def price(self) -> float:
        """In fetches: given, or by the processor time that pages took so far, with and without a browser."""
        if self._spec.rendering.price is not None:
            return self._spec.rendering.price
        return self._price.of(self._accounted, self._ended)

    @property
    def _fetch_worth(self) -> float:
        """What one more fetch would bring: as much as of late, if more pages wait than may still be fetched."""
        session = self.session
        if session is None or self._spec.rendering.price is None:
            return 0.0
        left = session.budget - session.used - session.in_flight
        return self._harvest if session.queued > left else 0.0


@asynccontextmanager
async def rendering_of(spec: CrawlSpec, objective: Objective, wiring: Wiring) -> AsyncIterator[Rendering | None]:
    """None where no page is rendered: nothing of a browser is loaded then."""
    if spec.render == "never":
        yield None
        return
    from sundog.fetch.render.browser import check_installed
    from sundog.fetch.render.pool import Browsers

    check_installed()
    judge = objective.judge()
    try:
        async with Browsers(**browser_settings(spec, wiring)) as browsers:
            yield Rendering(spec, judge, browsers)
    finally:
        judge.close()


def browser_settings(spec: CrawlSpec, wiring: Wiring) -> dict[str, Any]:
    """What ``Browsers`` is made of."""
    from sundog.fetch.render.requests import PageRules, Scripts
    from sundog.fetch.render.values import RenderLimits, RenderWait

    scope, given, link_filter = wiring.link_filter.scope, spec.rendering, wiring.link_filter

    def may_ask(url: str) -> str | None:
        """Scripts lie elsewhere than pages do, so only their hosts matter."""
        host = host_of(url)
        if scope.holds_host(host) or _is_below(host, given.hosts):
            return None
        return "host out of scope"

    return {
        "rules": PageRules(wiring.polite, link_filter.out_of_scope, may_ask, Scripts()),
        "limits": RenderLimits(
            requests=given.requests,
            bytes=given.bytes,
            seconds=given.seconds,
            longest=4 * given.seconds,
            nodes=given.nodes,
            memory=given.memory,
            document=spec.limits.max_bytes,
        ),
        "wait": RenderWait(quiet=given.quiet, selector=given.selector, scroll=given.scroll, click=given.click),
        "at_once": given.at_once,
        "screenshots": given.screenshots,
        "clock": wiring.polite.fetcher.clock,
    }


def _is_below(host: str, names: frozenset[str]) -> bool:
    labels = host.partition(":")[0].split(".")
    return any(".".join(labels[at:]) in names for at in range(len(labels)))
