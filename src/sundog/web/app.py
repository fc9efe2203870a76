"""The application: its routes, behind its guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from sundog import __version__
from sundog.errors import SundogError
from sundog.web.errors import BusyError, ConflictError, NotFoundError
from sundog.web.guard.middleware import HEADERS, Guard
from sundog.web.routes import crawls, drafts, entities, pages, results, rounds, session, sparql, watch
from sundog.web.settings import Settings
from sundog.web.site import Site

STATIC = Path(__file__).parent / "static"
STATUS: dict[type[SundogError], int] = {NotFoundError: 404, ConflictError: 409, BusyError: 429}


def make_app(settings: Settings) -> FastAPI:
    site = Site(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with site.running():
            yield

    app = FastAPI(
        title="Sundog",
        version=__version__,
        description="Crawls: begin, watch and read them.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # their pages would load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.site = site
    for each in (session, crawls, rounds, watch, results, entities, sparql, drafts, pages):
        app.include_router(each.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(SundogError, _sundog_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _server_error)
    app.add_middleware(Guard, settings=settings, sessions=site.sessions)
    return app


def _sundog_error(request: Request, error: Exception) -> Response:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    inside = f"{request.app.state.site.root.path.absolute()}/"  # where the root is concerns nobody
    return _error_response(request, status, str(error).replace(inside, ""))


def _validation_error(request: Request, error: Exception) -> Response:
    """One sentence: the first of what is wrong."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _error_response(request, 422, f"the request is no JSON: {first['ctx']['error']}")
    place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return _error_response(request, 422, f"{place[:200]}: {first['msg']}")


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error_response(request, error.status_code, str(error.detail), error.headers)


def _server_error(request: Request, error: Exception) -> Response:
    """A fault of ours, which is logged. It is answered outside of the guard, so the headers are added here."""
    return JSONResponse({"error": "this failed: the server's log says why"}, 500, headers=HEADERS)


def _error_response(
    request: Request, status: int, sentence: str, headers: Mapping[str, str] | None = None
) -> Response:
    """As JSON to programs, as a page to people."""
    sentence = sentence.encode("utf-8", "replace").decode()  # it may repeat what cannot be encoded
    if request.url.path.startswith(("/api/", "/static/")):
        return JSONResponse({"error": sentence}, status, headers=headers)
    return pages.problem(request, status, sentence)
