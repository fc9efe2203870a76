"""HEAD requests for content types, as polite as fetches: robots.txt, pace, scope and private addresses count."""

from __future__ import annotations

from dataclasses import replace

from sundog.engines.live.gate import Gate, redirect_trouble
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Extras, Page, Trouble
from sundog.model import HeadResult
from sundog.scope.link_filter import LinkFilter

HEAD = Extras(head=True)
REFUSED = (405, 501)  # the method is not allowed, or not known
LONGEST_TYPE = 100  # characters


class HeadRequests:
    """The gate does not count them as asked: neither they nor their redirects keep a page from its fetch."""

    def __init__(self, polite: PoliteFetcher, link_filter: LinkFilter, gate: Gate) -> None:
        self._polite, self._link_filter, self._gate = polite, link_filter, gate
        self._limits = replace(polite.fetcher.limits, types=None)

    async def ask(self, url: str) -> HeadResult | Trouble:
        """What the server answers; a trouble if nobody was asked, or if asking again may help."""
        result = await self._polite.fetch(
            url, limits=self._limits, extras=HEAD, redirect_filter=self._redirect_filter
        )
        if isinstance(result, Page):
            return HeadResult(result.media_type[:LONGEST_TYPE])
        return head_result_of(result) if result.was_asked and not result.healable else result

    def _redirect_filter(self, target: str, asked: str) -> Trouble | None:
        """A fetch would not be redirected there either."""
        return redirect_trouble(self._link_filter, target, lambda name: not self._gate.was_asked(name))


def head_result_of(why: Trouble) -> HeadResult:
    """What a request without an answer means. A host that refuses HEAD, or answers it wrongly, is not asked again,
    unless a redirect led there: then nothing is known of the first host.

    >>> head_result_of(Trouble("http-4xx", status=404)), head_result_of(Trouble("http-4xx", status=405))
    (HeadResult(content_type=None, refused=False), HeadResult(content_type='', refused=True))
    """
    if why.status in REFUSED or why.kind == "bad-header":  # such as a body, which must not follow
        return HeadResult("", refused=not why.redirects)
    return HeadResult(None)
