"""The pages. Their data comes from the API; a template gets the session and the names in the address."""

from __future__ import annotations

from pathlib import Path

import jinja2
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.templating import Jinja2Templates

from sundog.syntaxes import MARKUP, TITLES, titles_of
from sundog.web.api_guide import operations_by_tag
from sundog.web.routes.session import about
from sundog.web.site import CrawlDep, Site, SiteDep, get_site

TEMPLATES = Path(__file__).parent.parent / "templates"
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
templates = Jinja2Templates(
    env=jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
)
templates.env.globals |= {"syntax_titles": TITLES, "markup_titles": titles_of(MARKUP)}
FORMATS = {
    "nquads": ("N-Quads", "all statements; each page is a graph"),
    "jsonl": ("JSON lines", "an entity a line, with its page, time and syntax"),
    "csv": ("CSV", "tables of pages, links and entities, in a ZIP file"),
    "parquet": ("Parquet", "tables of pages, links and entities for data frames, in a ZIP file"),
    "answers": ("Answers", "rows of the objective's query, or what was kept of an API, as JSON lines"),
    "items": ("Items", "what data patterns found, as JSON lines"),
    "result": ("Result", "the result document of the patterns"),
    "provenance": ("Provenance", "where and when each document was fetched, as N-Quads"),
    "void": ("VoID", "a description of what was collected, as Turtle"),
    "warc": ("WARC", "the pages themselves, if the crawl was asked to keep them"),
}


def render(request: Request, site: Site, name: str, **values: object) -> Response:
    told = about(request, site)
    return templates.TemplateResponse(request, f"{name}.html", {"site": told, "csrf": told["csrf"], **values})


def problem(request: Request, status: int, sentence: str) -> Response:
    title = "This is not here" if status == 404 else "That did not work"
    page = render(request, get_site(request), "problem", title=title, sentence=sentence)
    page.status_code = status
    return page


@router.get("/")
def crawls(request: Request, site: SiteDep) -> Response:
    return render(request, site, "crawls")


@router.get("/new")
def new(request: Request, site: SiteDep) -> Response:
    return render(request, site, "new")


@router.get("/new/expert")
def expert(request: Request, site: SiteDep) -> Response:
    return render(request, site, "expert")


@router.get("/crawls/{crawl_id}")
def watch(request: Request, crawl_id: str, home: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "watch", crawl_id=home.id)


@router.get("/crawls/{crawl_id}/graph")
def graph(request: Request, crawl_id: str, home: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "graph", crawl_id=home.id)


@router.get("/crawls/{crawl_id}/results")
def results(request: Request, crawl_id: str, home: CrawlDep, site: SiteDep) -> Response:
    there = about(request, site)["formats"]
    ordered = [*(name for name in FORMATS if name in there), *(name for name in there if name not in FORMATS)]
    formats = [(name, *FORMATS.get(name, (name, ""))) for name in ordered]
    return render(request, site, "results", crawl_id=home.id, formats=formats)


@router.get("/crawls/{crawl_id}/pages/{page}")
def page(request: Request, crawl_id: str, page: int, home: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "page", crawl_id=home.id, page=page)


@router.get("/api-guide")
def api_guide(request: Request, site: SiteDep) -> Response:
    address = f"{request.url.scheme}://{request.url.netloc}"
    operations = operations_by_tag(request.app.openapi())
    return render(request, site, "api", operations=operations, address=address)


@router.get("/login")
def login(request: Request, site: SiteDep) -> Response:
    if not about(request, site)["locked"]:
        return RedirectResponse("/", 303)
    return render(request, site, "login")
