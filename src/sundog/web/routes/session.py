"""Who asks: the session, its CSRF token, and the way in."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from sundog import __version__
from sundog.results.export import all_formats
from sundog.spec.crawl import BUDGET, CrawlSpec
from sundog.web.errors import BusyError
from sundog.web.guard.sessions import TOO_MANY_WRONG
from sundog.web.request_bodies import LoginBody
from sundog.web.site import Answer, SiteDep

router = APIRouter(prefix="/api", tags=["session"])


def about(request: Request, site: SiteDep) -> Answer:
    return {
        "csrf": site.sessions.csrf(request.state.session),
        "version": __version__,
        "email": site.settings.email is not None,
        "webhook": site.settings.webhook is not None,
        "private": site.settings.allow_private,
        "at_once": site.settings.at_once,
        "formats": list(all_formats()),
        "defaults": {"budget": BUDGET, "delay": CrawlSpec.delay, "policy": CrawlSpec.policy},
        "can_log_out": site.sessions.needs_token and request.state.session.known,
        "locked": site.sessions.needs_token and not request.state.session.known,
    }


@router.get("/session")
def session(request: Request, site: SiteDep) -> Answer:
    """Who asks, and what this server can do."""
    return about(request, site)


@router.post("/login", status_code=204)
def login(request: Request, body: LoginBody, site: SiteDep) -> Response:
    """Show the token once; a cookie remembers it."""
    address = request.client.host if request.client else ""
    if not site.sessions.is_token(body.token, address):
        if site.sessions.is_closed(address):
            raise BusyError(TOO_MANY_WRONG)
        return Response(b'{"error": "this is not the token"}', 401, media_type="application/json")
    cookie = site.sessions.header(site.sessions.new(known=True))
    return Response(status_code=204, headers={"set-cookie": cookie})


@router.post("/logout", status_code=204)
def logout(request: Request, site: SiteDep) -> Response:
    """End the session of the cookie, here and in the browser."""
    site.sessions.end(request.state.session)
    return Response(status_code=204, headers={"set-cookie": site.sessions.gone_header()})
