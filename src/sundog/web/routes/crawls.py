"""Crawls: all of them, one of them, and what can be done with one."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from sundog.store.directory import ERRORS
from sundog.web.errors import NotFoundError
from sundog.web.new.drafts import draft_of
from sundog.web.query_parameters import only_known
from sundog.web.request_bodies import BudgetBody, Draft, ResumeBody
from sundog.web.runs import process_log
from sundog.web.runs.code import code_of
from sundog.web.runs.crawls import details_as_json
from sundog.web.runs.directories import read_end
from sundog.web.runs.state import read_state
from sundog.web.site import Answer, CrawlDep, SiteDep

router = APIRouter(prefix="/api", tags=["crawls"], dependencies=[Depends(only_known)])
ERRORS_SHOWN = 64_000  # bytes


@router.get("/crawls")
def crawls(site: SiteDep) -> Answer:
    """All crawls, the latest first; of very many, those that run or wait and the latest of the others."""
    return {
        "crawls": site.crawls.all(),
        "total": site.crawls.count,
        "running": site.supervisor.running,
        "at_once": site.settings.at_once,
    }


@router.post("/crawls", status_code=201)
def begin(draft: Draft, site: SiteDep) -> Answer:
    """Begin a crawl, by fields or by a whole spec."""
    return site.crawl_as_json(site.begin(draft))


@router.post("/demo", status_code=201)
def begin_demo(site: SiteDep) -> Answer:
    """Serve the demo's web, and begin a crawl of it."""
    return site.crawl_as_json(site.begin_demo())


@router.get("/crawls/{crawl_id}")
def crawl(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """One crawl, with its spec and what its process has printed."""
    return {**site.crawls.as_json(crawl), **details_as_json(crawl, read_state(crawl))}


@router.get("/crawls/{crawl_id}/errors", response_class=PlainTextResponse)
def errors(crawl_id: str, crawl: CrawlDep) -> str:
    """The end of its errors.log: how Sundog itself failed on pages; empty if it did not."""
    return read_end(crawl.path / ERRORS, ERRORS_SHOWN)


@router.delete("/crawls/{crawl_id}", status_code=204)
def delete(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    """Delete a crawl that does not run."""
    site.delete(crawl)
    return Response(status_code=204)


@router.post("/crawls/{crawl_id}/pause")
def pause(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """End its process; what is in flight is finished and kept."""
    site.supervisor.pause(crawl)
    return site.crawl_as_json(crawl)


@router.post("/crawls/{crawl_id}/stop")
def stop(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """End it for good; it can still be resumed."""
    site.supervisor.stop(crawl)
    return site.crawl_as_json(crawl)


@router.post("/crawls/{crawl_id}/resume")
def resume(crawl_id: str, crawl: CrawlDep, site: SiteDep, body: ResumeBody | None = None) -> Answer:
    """Go on, with a larger budget if one is given."""
    site.resume(crawl, body.budget if body else None)
    return site.crawl_as_json(crawl)


@router.post("/crawls/{crawl_id}/budget")
def budget(crawl_id: str, crawl: CrawlDep, site: SiteDep, body: BudgetBody) -> Answer:
    """Another budget for a crawl that runs, without stopping it; not less than is spent."""
    return site.change_budget(crawl, body.budget)


@router.get("/crawls/{crawl_id}/log")
def log(crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Answer:
    """The ends of what its process has printed and of its errors.log, without secrets."""
    return process_log.tails(crawl, site.settings)


@router.get("/crawls/{crawl_id}/log/{name}", response_class=PlainTextResponse)
def whole_log(crawl_id: str, crawl: CrawlDep, site: SiteDep, name: process_log.LogName) -> Response:
    """All of one of them, as a file."""
    if not process_log.path_of(crawl, name).is_file():
        raise NotFoundError(f"{crawl.id} has no such log: nothing was written")
    file = f"{crawl.id}-{name}.log"
    return StreamingResponse(
        process_log.whole(crawl, name, site.settings),
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f"attachment; filename*=utf-8''{quote(file)}"},
    )


@router.get("/crawls/{crawl_id}/code")
def code(crawl_id: str, crawl: CrawlDep, site: SiteDep, request: Request) -> Answer:
    """Ways to do the same elsewhere, to be copied: a command, a spec, calls of this API, Python."""
    address = f"{request.url.scheme}://{request.url.netloc}"
    budget = site.crawls.as_json(crawl)["budget"]
    return code_of(crawl, budget, address, needs_token=site.sessions.needs_token)


@router.get("/crawls/{crawl_id}/draft")
def draft(crawl_id: str, crawl: CrawlDep) -> Answer:
    """The crawl as a draft, to be changed and begun again."""
    state = read_state(crawl)
    return draft_of(crawl, state.owner, state.email)
