"""From one page of an endpoint to the next: by number, by cursor, by URL, or by the Link header. Always ends."""

from __future__ import annotations

import re
from typing import Any

import ada_url

from sundog.engines.live.graph.answers import WrongAnswerError, found, id_in
from sundog.fetch.robots import origin_of
from sundog.fetch.values import Page
from sundog.spec.api import Api
from sundog.spec.template import Template

LINK = re.compile(r"<([^<>]*)>([^<>]*)")
IS_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"[^\"]*\bnext\b|next\b)", re.IGNORECASE)

NO_CURSOR = ("0", "-1")  # what some APIs say after the last page


class Pages:
    """The URLs of one endpoint for one node."""

    def __init__(self, api: Api, template: Template, node: str) -> None:
        self._api, self._template, self._node = api, template, node
        self._number, self._asked = api.first_page, 1
        self.first = template.fill(id=node, page=api.first_page, cursor=api.first_cursor)
        self._known = {self.first}

    def after(self, page: Page, answer: Any, entries: int) -> str | None:
        """The next URL, if there is one; ``entries`` is how much this page had. Raises WrongAnswerError."""
        url = self._next(page, answer, entries)
        if url is None:
            return None
        if origin_of(url) != origin_of(self.first or ""):
            raise WrongAnswerError(f"the next page would be elsewhere: {url[:100]}")
        if url in self._known:
            raise WrongAnswerError(f"pages go round in a circle: {url[:100]}")
        if self._asked >= self._api.max_pages:
            raise WrongAnswerError(f"cut: more than {self._api.max_pages} pages")
        self._known.add(url)
        self._asked += 1
        return url

    def _next(self, page: Page, answer: Any, entries: int) -> str | None:
        if "page" in self._template.fields:
            if entries == 0 or entries < self._api.page_size:
                return None
            self._number += 1
            return self._template.fill(id=self._node, page=self._number)
        if not self._api.next:
            return next_link(page)
        told = id_in(found(self._api.next, answer))
        if not told:
            return None
        if "cursor" in self._template.fields:
            return None if told in NO_CURSOR else self._template.fill(id=self._node, cursor=told)
        return joined(page.url, told)


def next_link(page: Page) -> str | None:
    """What the Link header says."""
    for url, parameters in LINK.findall(page.headers.get("link", "")):
        if IS_NEXT.search(parameters):
            return joined(page.url, url)
    return None


def joined(base: str, reference: str) -> str | None:
    try:
        url: str = ada_url.join_url(base, reference)
    except ValueError:
        return None
    return url.partition("#")[0] if url.startswith(("http://", "https://")) else None
