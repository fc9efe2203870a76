"""The table ``[form]``: a search form, whose nodes are the keywords that are typed into it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qsl, urlencode

import turbohtml

from sundog.errors import UsageError
from sundog.spec.jmespath_expressions import check_expression
from sundog.spec.world import USUAL_OBJECTIVE, WorldKind, identity_kept
from sundog.urls.identity import identity

if TYPE_CHECKING:
    from sundog.objectives import Objective

LONGEST_KEYWORD = 100


@dataclass(frozen=True, kw_only=True)
class Form(WorldKind):
    """Selectors are CSS in HTML and JMESPath in JSON; ``id`` and ``text`` are looked for within a record."""

    action: str = ""
    field: str = ""  # the name of the field for the keyword
    method: Literal["get", "post"] = "get"
    fields: Mapping[str, str] = dataclasses.field(default_factory=dict)  # others that are sent along
    format: Literal["html", "json"] = "html"
    records: str = ""
    id: str = ""  # "a@href", "@data-id", or a selector of text; empty: the record's text
    text: str = ""  # where its words are; empty: in all of it
    next: str = ""  # the link to more records
    page_field: str = ""  # or the name of the field for the number of the page
    first_page: int = 1
    max_pages: int = 5
    min_length: int = 3  # of a keyword
    max_share: float = 0.5  # words of a larger share of all records say nothing

    summary = 'keywords of a search form, by a spec with world = "form": sundog crawl'
    seed_word = "keyword"
    unit = "queries"

    def check(self) -> None:
        for name in ("action", "field", "records"):
            if not getattr(self, name):
                raise UsageError(f"'form.{name}' is missing")
        if identity(self.action) is None or "#" in self.action:
            raise UsageError(f'form.action = "{self.action}": an http or https URL is expected')
        if self.field in dict(parse_qsl(self.action.partition("?")[2])) or self.field in self.fields:
            raise UsageError(f'form.field = "{self.field}": the form has that field already, with a fixed value')
        for name, value in self.fields.items():
            if not isinstance(value, str):
                raise UsageError(f"form.fields.{name}: a text in quotes is expected")
        if self.next and self.page_field:
            raise UsageError("form.next and form.page_field are two ways to further pages: give one")
        if not 0 < self.max_share <= 1:
            raise UsageError(f"form.max_share = {self.max_share:g}: a share above 0 and up to 1 is expected")
        for name in ("records", "id", "text", "next"):
            check = check_expression if self.format == "json" else _check_selector
            check(getattr(self, name), f"form.{name}")

    def check_objective(self, objective: Objective, environment: Mapping[str, str]) -> None:
        if objective.text != USUAL_OBJECTIVE:
            raise UsageError(f"world = \"form\" is after new records: it has no objective '{objective.text}'")

    def seed_url(self, seed: str) -> str | None:
        return self.node_url(seed)

    def node_url(self, keyword: str) -> str | None:
        """The name of a keyword in the crawl; where the form is sent by GET, also the URL of its first records.

        >>> Form(action="https://a.example/find?lang=en", field="q", fields={"sort": "new"}).node_url("far breton")
        'https://a.example/find?lang=en&q=far+breton&sort=new'
        """
        if not keyword or len(keyword) > LONGEST_KEYWORD:
            return None
        try:
            return identity_kept(self.with_query(self.entries(keyword)))
        except UnicodeEncodeError:
            return None

    def node_of(self, url: str) -> str | None:
        return dict(parse_qsl(url.partition("?")[2])).get(self.field)

    def entries(self, keyword: str, page: int | None = None) -> dict[str, str]:
        """All that is sent."""
        more = {self.page_field: str(page)} if self.page_field and page is not None else {}
        return {self.field: keyword, **self.fields, **more}

    def with_query(self, entries: Mapping[str, str]) -> str:
        return f"{self.action}{'&' if '?' in self.action else '?'}{urlencode(entries)}"


def split_place(place: str) -> tuple[str, str]:
    """A selector, and the attribute to read of what it selects; empty: its text.

    >>> split_place("a.title@href"), split_place("@id"), split_place("a[href='@']")
    (('a.title', 'href'), ('', 'id'), ("a[href='@']", ''))
    """
    selector, at, attribute = place.rpartition("@")
    return (selector, attribute) if at and attribute.replace("-", "").isalnum() else (place, "")


def _check_selector(text: str, place: str) -> None:
    selector = split_place(text)[0] if place == "form.id" else text
    if not selector:
        return
    try:
        turbohtml.parse("<p>").select(selector)
    except Exception as error:
        raise UsageError(f'{place} = "{text}": no CSS selector ({str(error)[:100]})') from None
