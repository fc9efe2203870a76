"""Bodies of requests, bounded before anybody reads them. What a spec bounds has the same bounds here."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sundog.model import LARGEST_NUMBER
from sundog.objectives.tokens import MOST_CHARACTERS as LONGEST_OBJECTIVE
from sundog.patterns.definitions import FIELD_NAME_PATTERN
from sundog.rdf.sparql import MOST_CHARACTERS as LONGEST_QUERY
from sundog.scope.scope import Extent
from sundog.spec import CrawlSpec
from sundog.spec.world import USUAL_OBJECTIVE

LONGEST_LINE = 300  # characters of a title, a name, an address
LONGEST_DESCRIPTION = 10_000


def _encodable(name: str) -> str:
    """Halves of characters, which JSON can name, would break whoever writes or repeats them."""
    name.encode()
    return name


Line = Annotated[str, Field(max_length=LONGEST_LINE)]
Text = Annotated[str, Field(max_length=1_000_000)]
Budget = Annotated[int, Field(ge=1, le=int(LARGEST_NUMBER))]
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
    title: Line = ""
    description: Annotated[str, Field(max_length=LONGEST_DESCRIPTION)] = ""
    spec: Text | None = None
    files: Annotated[dict[Name, Text], Field(max_length=20)] = {}
    seeds: Annotated[list[Url], Field(max_length=10_000)] = []
    objective: Annotated[str, Field(max_length=LONGEST_OBJECTIVE)] = USUAL_OBJECTIVE
    budget: Budget | None = None
    seconds: Annotated[float, Field(gt=0, le=LARGEST_NUMBER)] | None = None
    stay: Extent = CrawlSpec.extent
    policy: Line = CrawlSpec.policy
    parameters: Annotated[dict[Name, Line], Field(max_length=50)] = {}
    delay: Annotated[float, Field(ge=0, le=LARGEST_NUMBER)] = CrawlSpec.delay
    patterns: Text = ""  # TOML, as in a spec


class PreviewBody(_Body):
    url: Url
    draft: Draft


class ChosenField(_Body):
    """``value`` as the page shows it; ``same``: only pages that say the same are wanted."""

    name: Annotated[str, Field(pattern=f"^{FIELD_NAME_PATTERN}$")]
    value: Line
    same: bool = False


class FieldsBody(_Body):
    """An example page, the page where the crawl begins, and what was chosen so far."""

    url: Url
    start: Url = ""
    chosen: Annotated[list[ChosenField], Field(max_length=40)] = []
    order: Annotated[str, Field(pattern=f"^(-?{FIELD_NAME_PATTERN})?$")] = ""


class ResumeBody(_Body):
    budget: Budget | None = None


class QueryBody(_Body):
    query: Annotated[str, Field(max_length=LONGEST_QUERY)]


class LoginBody(_Body):
    token: Line
