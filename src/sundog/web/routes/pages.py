"""The pages. Their data comes from the API; a template gets the session and the names in the address."""

from __future__ import annotations

from pathlib import Path

import jinja2
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.templating import Jinja2Templates

from sundog.entities.things import NAMES
from sundog.patterns.definitions import LANGUAGES, PAGE_LANGUAGES
from sundog.results.export import all_formats
from sundog.spec.crawl import BUDGET
from sundog.spec.world import USUAL_OBJECTIVE
from sundog.store.directory import REPORT
from sundog.syntaxes import MARKUP, STORED, TITLES, titles_of
from sundog.web.api_guide import operations_by_tag
from sundog.web.guard.middleware import POLICY_WITH_IMAGES
from sundog.web.new.bounds import LONGEST_DESCRIPTION, LONGEST_LINE
from sundog.web.new.frame import frame_document, frame_policy
from sundog.web.notify.webhook import LONGEST_URL
from sundog.web.results.page_filters import KIND_TITLES
from sundog.web.results.saved_queries import LONGEST_NAME
from sundog.web.routes.session import about
from sundog.web.runs.state import GROUPS
from sundog.web.site import CrawlDep, Site, SiteDep, get_site
from sundog.web.watch.counters import TROUBLE_WORDS
from sundog.web.watch.crawl_events import LAST

IMAGES = "sundog-images"  # a cookie that the page of results sets
TEMPLATES = Path(__file__).parent.parent / "templates"
router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
templates = Jinja2Templates(
    env=jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
)
SPEC_START = f'seeds = ["https://www.example.org/"]\nobjective = "{USUAL_OBJECTIVE}"\nbudget = {BUDGET}\n'
templates.env.policies["json.dumps_kwargs"] = {"sort_keys": False}  # tables keep their order
templates.env.globals |= {
    "longest_line": LONGEST_LINE,
    "longest_webhook": LONGEST_URL,
    "longest_query_name": LONGEST_NAME,
    "longest_description": LONGEST_DESCRIPTION,
    "markup_titles": titles_of(MARKUP),
    "naming_properties": NAMES,
    "page_kinds": KIND_TITLES,
    "page_engines": PAGE_LANGUAGES,
    "pattern_engines": {name: language.endings for name, language in LANGUAGES.items()},
    "spec_start": SPEC_START,
    "state_groups": GROUPS,
    "stream_pages": LAST,
    "stored_syntaxes": STORED,
    "syntax_titles": TITLES,
    "trouble_words": TROUBLE_WORDS,
}


def render(request: Request, site: Site, name: str, **values: object) -> Response:
    session = about(request, site)
    return templates.TemplateResponse(
        request, f"{name}.html", {"site": session, "csrf": session["csrf"], **values}
    )


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


@router.get("/new/frame")
def picture_frame() -> Response:
    """An empty frame for the picture of an example page; it may do nothing but show it."""
    return HTMLResponse(frame_document(), headers={"content-security-policy": frame_policy()})


@router.get("/crawls/{crawl_id}")
def watch(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "watch", crawl_id=crawl.id)


@router.get("/crawls/{crawl_id}/graph")
def graph(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "graph", crawl_id=crawl.id)


@router.get("/crawls/{crawl_id}/results")
def results(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    images = request.cookies.get(IMAGES) == "shown"  # the browser's user has chosen to load those of other sites
    values = {"formats": all_formats().values(), "report": REPORT, "images": images}
    page = render(request, site, "results", crawl_id=crawl.id, **values)
    if images:
        page.headers["content-security-policy"] = POLICY_WITH_IMAGES
    return page


@router.get("/crawls/{crawl_id}/entities/{entity}")
def entity(request: Request, crawl_id: str, entity: int, crawl: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "entity", crawl_id=crawl.id, entity=entity)


@router.get("/crawls/{crawl_id}/rounds")
def rounds(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "rounds", crawl_id=crawl.id)


@router.get("/crawls/{crawl_id}/log")
def log(request: Request, crawl_id: str, crawl: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "log", crawl_id=crawl.id)


@router.get("/crawls/{crawl_id}/pages/{page}")
def page(request: Request, crawl_id: str, page: int, crawl: CrawlDep, site: SiteDep) -> Response:
    return render(request, site, "page", crawl_id=crawl.id, page=page)


@router.get("/api-guide")
def api_guide(request: Request, site: SiteDep) -> Response:
    address = f"{request.url.scheme}://{request.url.netloc}"
    operations = operations_by_tag(request.app.openapi())
    return render(request, site, "api", operations=operations, address=address)


@router.get("/login")
def login(request: Request, site: SiteDep, wrong: bool = False) -> Response:
    """``wrong``: a link has led here whose token is not ours."""
    if not about(request, site)["locked"]:
        return RedirectResponse("/", 303)
    return render(request, site, "login", wrong=wrong)
