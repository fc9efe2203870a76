"""What the routes share: the parts of the site, and what is done with a crawl."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from sundog.engines.live.control.budget_request import change_budget
from sundog.errors import SundogError
from sundog.results.export import files_of_exports
from sundog.spec import CrawlSpec
from sundog.store.directory import REPORT, remove_crawl
from sundog.urls.hosts import host_of
from sundog.web.errors import ConflictError
from sundog.web.guard.sessions import Sessions
from sundog.web.new.drafts import spec_of_draft, write_draft
from sundog.web.new.examples import Examples
from sundog.web.new.preview import Previews
from sundog.web.notify.notifier import Notifier
from sundog.web.one_shot import ConcurrencyLimit
from sundog.web.request_bodies import Draft
from sundog.web.results.explanations import Explainer
from sundog.web.results.exports import Exports
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.demo import DRAFT, Demo
from sundog.web.runs.directories import CrawlDirectory, Root
from sundog.web.runs.state import State
from sundog.web.runs.supervisor import Supervisor
from sundog.web.settings import Settings
from sundog.web.watch.hub import Hub

SECONDS_TO_TAKE = 5.0  # a new budget, which the crawl looks for a few times a second


class Site:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.root = Root(settings.root)
        self.sessions = Sessions(self.root.site_folder, settings.token)
        self.demo = Demo(self.root.site_folder)
        self.crawls = Crawls(self.root)
        self.notifier = Notifier(
            settings, self.crawls, lambda crawl, way: self.supervisor.mark_notified(crawl, way)
        )
        self.supervisor = Supervisor(
            self.root,
            settings.at_once,
            prepare=self._prepare,
            ended=self.notifier.ended,
            needs_attention=self.notifier.needs_attention,
        )
        self.previews = Previews(settings)
        self.examples = Examples(settings)
        self.hub = Hub(self.crawls)
        self.exports = Exports(self.root)
        self.explainer = Explainer()
        self.query_limit = ConcurrencyLimit(2, "answers")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.supervisor.run())
        try:
            yield
        finally:
            task.cancel()
            self.notifier.close()
            self.explainer.close()
            self.examples.close()
            with suppress(asyncio.CancelledError):
                await task

    # -- crawls --------------------------------------------------------------------------------------

    def begin(self, draft: Draft) -> CrawlDirectory:
        state = State(owner=draft.owner, email=draft.email, webhook=draft.webhook)
        return self._begin(draft, spec_of_draft(draft, self.settings), state)

    def begin_demo(self) -> CrawlDirectory:
        settings = replace(self.settings, connect_to=self.demo.address())
        return self._begin(DRAFT, spec_of_draft(DRAFT, settings), State(demo=True))

    def _begin(self, draft: Draft, spec: CrawlSpec, state: State) -> CrawlDirectory:
        names = [
            spec.title,
            host_of(spec.seed_urls[0]) if spec.world_kind.has_pages else "",
        ]
        crawl = self.root.make(draft.id, names)
        try:
            write_draft(crawl, draft, spec)
        except SundogError:
            shutil.rmtree(crawl.path, ignore_errors=True)
            raise
        self.supervisor.begin(crawl, state)
        return crawl

    def resume(self, crawl: CrawlDirectory, budget: int | None) -> None:
        """Refused here, a budget that is spent already does no harm; refused by the crawl's process, it would make
        a finished crawl a failed one."""
        if budget is not None:
            self._check_budget(crawl, budget)
        self.supervisor.resume(crawl, budget)

    def change_budget(self, crawl: CrawlDirectory, budget: int) -> dict[str, Any]:
        """The crawl with its new budget; with its old one if it is too busy to take it now."""
        if "budget" not in self.crawls.as_json(crawl)["actions"]:
            raise ConflictError(f"{crawl.id} does not run: its budget can be changed when it is resumed")
        if crawl.is_sharded:
            raise ConflictError(f"{crawl.id} is a crawl in shards: its budget can be changed when it is resumed")
        change = change_budget(crawl.path, budget, seconds=SECONDS_TO_TAKE)
        return {**self.crawl_as_json(crawl), "budget": change.budget or change.before}

    def _check_budget(self, crawl: CrawlDirectory, budget: int) -> None:
        now = self.crawls.as_json(crawl)
        if budget <= now["spent"]:
            spent = f"{now['spent']:,} {now['unit']}"
            raise ConflictError(f"a budget of {budget:,} is spent already: {spent} so far, so give more than that")

    def crawl_as_json(self, crawl: CrawlDirectory) -> dict[str, Any]:
        """The crawl after something was done with it."""
        self.crawls.refresh_list()
        return self.crawls.as_json(crawl)

    def delete(self, crawl: CrawlDirectory) -> None:
        """What is the crawl's. Files that somebody else has put there stay, and so does their directory."""
        with self.supervisor.while_not_running(crawl):
            shutil.rmtree(crawl.site_folder, ignore_errors=True)
            made = files_of_exports() | {REPORT}
            parts = [*crawl.logs, crawl.path] if crawl.is_sharded else []
            for path in [*filter(Path.is_dir, parts), crawl.home]:
                remove_crawl(path, made=made)
        self.hub.forget(crawl)
        self.crawls.refresh_list()
        if crawl.home.exists():
            left = sorted(path.name for path in crawl.home.iterdir())
            raise ConflictError(f"the crawl is deleted, but its directory holds other files, such as '{left[0]}'")

    def _prepare(self, crawl: CrawlDirectory, state: State) -> None:
        if state.demo:
            self.demo.address()


def get_site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


SiteDep = Annotated[Site, Depends(get_site)]


def get_crawl_directory(request: Request, site: SiteDep) -> CrawlDirectory:
    return site.root.crawl(request.path_params["crawl_id"])


CrawlDep = Annotated[CrawlDirectory, Depends(get_crawl_directory)]
Answer = dict[str, Any]
