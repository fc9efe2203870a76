"""What the routes share: the parts of the site, and what is done with a crawl."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Request

from sundog.errors import SundogError
from sundog.results.export import MADE
from sundog.spec import CrawlSpec
from sundog.store.directory import REPORT, remove_crawl
from sundog.urls.hosts import host_of
from sundog.web.errors import ConflictError
from sundog.web.guard.sessions import Sessions
from sundog.web.new.drafts import spec_of_draft, write_draft
from sundog.web.new.preview import Previews
from sundog.web.notify import Notifier
from sundog.web.one_shot import ConcurrencyLimit
from sundog.web.request_bodies import Draft
from sundog.web.results.entity_index import EntityIndex
from sundog.web.results.explanations import Explainer
from sundog.web.results.exports import Exports
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.demo import DRAFT, Demo
from sundog.web.runs.directories import CrawlDirectory, Root
from sundog.web.runs.state import State
from sundog.web.runs.supervisor import Supervisor
from sundog.web.settings import Settings
from sundog.web.watch.hub import Hub


class Site:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.root = Root(settings.root)
        self.sessions = Sessions(self.root.site_folder, settings.token)
        self.demo = Demo(self.root.site_folder)
        self.crawls = Crawls(self.root)
        self.supervisor = Supervisor(self.root, settings.at_once, ended=self._notify, prepare=self._prepare)
        self.notifier = (
            Notifier(settings.email, self.crawls, self.supervisor.mark_notified) if settings.email else None
        )
        self.previews = Previews(settings)
        self.hub = Hub(self.crawls)
        self.exports = Exports(self.root)
        self.explainer = Explainer()
        self.query_limit = ConcurrencyLimit(2, "answers")
        self._entities: dict[str, EntityIndex] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.supervisor.run())
        try:
            yield
        finally:
            task.cancel()
            self.explainer.close()
            with suppress(asyncio.CancelledError):
                await task

    def entities(self, crawl: CrawlDirectory) -> EntityIndex:
        return self._entities.setdefault(crawl.id, EntityIndex(crawl))

    # -- crawls --------------------------------------------------------------------------------------

    def begin(self, draft: Draft) -> CrawlDirectory:
        return self._begin(draft, spec_of_draft(draft, self.settings), State(owner=draft.owner, email=draft.email))

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

    def crawl_as_json(self, crawl: CrawlDirectory) -> dict[str, Any]:
        """The crawl after something was done with it."""
        self.crawls.refresh_list()
        return self.crawls.as_json(crawl)

    def delete(self, crawl: CrawlDirectory) -> None:
        """What is the crawl's. Files that somebody else has put there stay, and so does their directory."""
        with self.supervisor.while_not_running(crawl):
            shutil.rmtree(crawl.site_folder, ignore_errors=True)
            remove_crawl(crawl.path, made=MADE | {REPORT})
        self.hub.forget(crawl)
        self.crawls.refresh_list()
        self._entities.pop(crawl.id, None)
        if crawl.path.exists():
            left = sorted(path.name for path in crawl.path.iterdir())
            raise ConflictError(f"the crawl is deleted, but its directory holds other files, such as '{left[0]}'")

    def _prepare(self, crawl: CrawlDirectory, state: State) -> None:
        if state.demo:
            self.demo.address()

    def _notify(self, crawl: CrawlDirectory, state: State) -> None:
        if self.notifier is not None:
            self.notifier.crawl_ended(crawl, state.email)


def get_site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


SiteDep = Annotated[Site, Depends(get_site)]


def get_crawl_directory(request: Request, site: SiteDep) -> CrawlDirectory:
    return site.root.crawl(request.path_params["crawl_id"])


CrawlDep = Annotated[CrawlDirectory, Depends(get_crawl_directory)]
Answer = dict[str, Any]
