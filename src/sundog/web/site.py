"""Everything that the routes share."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Request

from sundog.errors import SundogError
from sundog.spec import CrawlSpec
from sundog.store.directory import remove_crawl
from sundog.urls.hosts import host_of
from sundog.web.errors import ConflictError, NotFoundError
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

MADE = (
    "report.html",
    "export.nq",
    "export.jsonl",
    "export-parquet",
    "export-csv",
    "answers.jsonl",
    "export.warc.gz",
)


class Site:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.root = Root(settings.root)
        self.keeper = Sessions(self.root.ours, settings.token)
        self.demo = Demo(self.root.ours)
        self.crawls = Crawls(self.root)
        self.supervisor = Supervisor(self.root, settings.at_once, ended=self._ended, prepare=self._prepare)
        self.post = Notifier(settings.email, self.crawls, self.supervisor.was_told) if settings.email else None
        self.previews = Previews(settings)
        self.hub = Hub(self.crawls)
        self.exports = Exports(self.root)
        self.explaining, self.querying = Explainer(), ConcurrencyLimit(2, "answers")
        self._entities: dict[str, EntityIndex] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.supervisor.run())
        try:
            yield
        finally:
            task.cancel()
            self.explaining.close()
            with suppress(asyncio.CancelledError):
                await task

    def entities(self, home: CrawlDirectory) -> EntityIndex:
        return self._entities.setdefault(home.id, EntityIndex(home))

    # -- crawls --------------------------------------------------------------------------------------

    def begin(self, draft: Draft) -> CrawlDirectory:
        return self._begun(draft, spec_of_draft(draft, self.settings), State(owner=draft.owner, email=draft.email))

    def begin_demo(self) -> CrawlDirectory:
        if not self.demo.is_there:
            raise NotFoundError("the demo's web is not part of this installation")
        settings = replace(self.settings, connect_to=self.demo.address())
        return self._begun(DRAFT, spec_of_draft(DRAFT, settings), State(demo=True))

    def _begun(self, draft: Draft, spec: CrawlSpec, state: State) -> CrawlDirectory:
        names = [
            spec.title,
            host_of(spec.seed_urls[0]) if spec.world_kind.has_pages else "",
        ]
        home = self.root.make(draft.id, names)
        try:
            write_draft(home, draft, spec)
        except SundogError:
            shutil.rmtree(home.directory, ignore_errors=True)
            raise
        self.supervisor.begin(home, state)
        return home

    def told_anew(self, home: CrawlDirectory) -> dict[str, Any]:
        """The crawl after something was done with it."""
        self.crawls.forget_list()
        return self.crawls.crawl(home)

    def delete(self, home: CrawlDirectory) -> None:
        """What is the crawl's. Files that somebody else has put there stay, and so does their directory."""
        with self.supervisor.at_rest(home):
            shutil.rmtree(home.ours, ignore_errors=True)
            for name in MADE:
                path = home.directory / name
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
            remove_crawl(home.directory)
        self.hub.forget(home)
        self.crawls.forget_list()
        self._entities.pop(home.id, None)
        if home.directory.exists():
            left = sorted(path.name for path in home.directory.iterdir())
            raise ConflictError(f"the crawl is deleted, but its directory holds other files, such as '{left[0]}'")

    def _prepare(self, home: CrawlDirectory, state: State) -> None:
        if state.demo:
            self.demo.address()

    def _ended(self, home: CrawlDirectory, state: State) -> None:
        if self.post is not None:
            self.post.ended(home, state.email)


def get_site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


SiteDep = Annotated[Site, Depends(get_site)]


def get_crawl_directory(request: Request, site: SiteDep) -> CrawlDirectory:
    return site.root.home(request.path_params["crawl_id"])


CrawlDep = Annotated[CrawlDirectory, Depends(get_crawl_directory)]
Answer = dict[str, Any]
