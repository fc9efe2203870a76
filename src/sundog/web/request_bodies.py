"""Bodies of requests, bounded before anybody reads them. What a spec says too has the same bounds here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sundog.objectives.tokens import MOST_CHARACTERS as LONGEST_OBJECTIVE
from sundog.patterns.definitions import FIELD_NAME_PATTERN
from sundog.rdf.sparql import MOST_CHARACTERS as LONGEST_QUERY
from sundog.scope.scope import Extent
from sundog.spec import CrawlSpec
from sundog.spec.rendering import Render
from sundog.spec.world import USUAL_OBJECTIVE
from sundog.web.new.bounds import LONGEST_DESCRIPTION, LONGEST_LINE, MOST_BY_KEY, MOST_SEEDS
from sundog.web.notify.webhook import LONGEST_URL
from sundog.web.results.saved_queries import LONGEST_NAME
from sundog.web.results.saved_queries import LONGEST_QUERY as LONGEST_SAVED


def _encodable(name: str) -> str:
    """Halves of characters, which JSON can name, would break whoever writes or repeats them."""
    name.encode()
    return name


Line = Annotated[str, Field(max_length=LONGEST_LINE)]
Text = Annotated[str, Field(max_length=1_000_000)]
Budget = Annotated[int, Field(ge=1, le=int(MOST_BY_KEY["budget"]))]
Url = Annotated[str, Field(max_length=4_000)]
# Keys of objects, which nobody else checks:
Name = Annotated[str, AfterValidator(_encodable), Field(max_length=LONGEST_LINE)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Draft(_Body):
    """A crawl to be begun: by a whole ``spec``, or by the fields after it."""

    id: Annotated[str, Field(max_length=80)] = ""
    owner: Line = ""
    email: Line = ""
    webhook: Annotated[str, Field(max_length=LONGEST_URL)] = ""
    title: Line = ""
    description: Annotated[str, Field(max_length=LONGEST_DESCRIPTION)] = ""
    spec: Text | None = None
    files: Annotated[dict[Name, Text], Field(max_length=20)] = {}
    seeds: Annotated[list[Url], Field(max_length=MOST_SEEDS)] = []
    objective: Annotated[str, Field(max_length=LONGEST_OBJECTIVE)] = USUAL_OBJECTIVE
    budget: Budget | None = None
    seconds: Annotated[float, Field(gt=0, le=MOST_BY_KEY["seconds"])] | None = None
    stay: Extent = CrawlSpec.extent
    policy: Line = CrawlSpec.policy
    parameters: Annotated[dict[Name, Line], Field(max_length=50)] = {}
    delay: Annotated[float, Field(ge=0, le=MOST_BY_KEY["delay"])] = CrawlSpec.delay
    warc: bool = CrawlSpec.warc
    render: Render = CrawlSpec.render
    patterns: Text = ""  # TOML, as in a spec
    items: Annotated[int, Field(ge=1, le=int(MOST_BY_KEY["patterns.stop.items"]))] | None = None  # that are enough


class PreviewBody(_Body):
    url: Url
    draft: Draft


class PictureBody(_Body):
    url: Url
    render: Render = CrawlSpec.render


class ChosenValue(_Body):
    """An element of the example page, by its number; ``same``: only pages that say the same there are wanted.

    ``attribute``: what of it is wanted; empty for its text, null for what is usual.
    """

    element: Annotated[int, Field(ge=0, le=10_000_000)]
    name: Annotated[str, Field(pattern=f"^({FIELD_NAME_PATTERN})?$")] = ""
    attribute: Literal["", "content", "datetime", "href", "src", "value", "title", "alt"] | None = None
    same: bool = False


class ChosenLink(_Body):
    """A link on the example page or on the page where the crawl begins."""

    element: Annotated[int, Field(ge=0, le=10_000_000)]
    on: Literal["example", "start"] = "example"


class ExampleBody(_Body):
    """An example page, the page where the crawl begins, and what was chosen on them.

    ``structure`` and ``start_structure`` are those of the pictures in which it was chosen. ``item``: what one item
    is. ``follow``: what to do if nothing says which links to follow.
    """

    url: Url
    render: Render = CrawlSpec.render
    structure: Line = ""
    start: Url = ""
    start_structure: Line = ""
    values: Annotated[list[ChosenValue], Field(max_length=40)] = []
    links: Annotated[list[ChosenLink], Field(max_length=20)] = []
    item: Literal["page", "part", "either"] = "either"
    next_page: bool = True
    follow: Literal["links", "every", "none"] = "links"
    order: Annotated[str, Field(pattern=f"^(-?{FIELD_NAME_PATTERN})?$")] = ""


class BudgetBody(_Body):
    budget: Budget


class ResumeBody(_Body):
    budget: Budget | None = None


class RefreshBody(_Body):
    """A round: so many fetches, ``revisits`` the share of known pages; null: what is worth more."""

    budget: Budget
    revisits: Annotated[float, Field(ge=0, le=1)] | None = None


class ScheduleBody(RefreshBody):
    """Rounds again and again: ``every`` is 30m, 12h, 1d or 1w."""

    every: Line


class QueryBody(_Body):
    query: Annotated[str, Field(max_length=LONGEST_QUERY)]


class SavedQueryBody(_Body):
    name: Annotated[str, AfterValidator(_encodable), Field(max_length=LONGEST_NAME, pattern=r"\S")]
    query: Annotated[str, AfterValidator(_encodable), Field(max_length=LONGEST_SAVED, pattern=r"\S")]


class LoginBody(_Body):
    token: Line
