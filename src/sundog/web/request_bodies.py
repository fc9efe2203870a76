"""Bodies of requests. What a browser sends is bounded before anybody reads it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _encodable(name: str) -> str:
    """Halves of characters, which JSON can name, would break whoever writes or repeats them."""
    name.encode()
    return name


Line = Annotated[str, Field(max_length=300)]
Text = Annotated[str, Field(max_length=1_000_000)]
Url = Annotated[str, Field(max_length=4_000)]
Name = Annotated[str, AfterValidator(_encodable), Field(max_length=300)]  # keys are not looked at otherwise


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Draft(_Body):
    """A crawl to be begun: by a whole ``spec``, or by the fields after it."""

    id: Annotated[str, Field(max_length=80)] = ""
    owner: Line = ""
    email: Line = ""
    title: Line = ""
    description: Annotated[str, Field(max_length=10_000)] = ""
    spec: Text | None = None
    files: Annotated[dict[Name, Text], Field(max_length=20)] = {}
    seeds: Annotated[list[Url], Field(max_length=10_000)] = []
    objective: Annotated[str, Field(max_length=10_000)] = "any"
    budget: Annotated[int, Field(ge=1, le=10**9)] | None = None
    seconds: Annotated[float, Field(gt=0, le=1e9)] | None = None
    stay: Literal["host", "domain", "web"] = "web"
    policy: Line = "sundog"
    parameters: Annotated[dict[Name, Line], Field(max_length=50)] = {}
    delay: Annotated[float, Field(ge=0, le=86_400)] = 1.0
    patterns: Text = ""  # TOML, as in a spec


class PreviewBody(_Body):
    url: Url
    draft: Draft


class ChosenField(_Body):
    """``value`` as the page shows it; ``same``: only pages that say the same are wanted."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,39}$")]
    value: Line
    same: bool = False


class FieldsBody(_Body):
    """An example page, the page where the crawl begins, and what was chosen so far."""

    url: Url
    start: Annotated[str, Field(max_length=4_000)] = ""
    chosen: Annotated[list[ChosenField], Field(max_length=40)] = []
    order: Annotated[str, Field(pattern=r"^-?[A-Za-z0-9_-]{0,40}$")] = ""


class ResumeBody(_Body):
    budget: Annotated[int, Field(ge=1, le=10**9)] | None = None


class QueryBody(_Body):
    query: Annotated[str, Field(max_length=200_000)]


class LoginBody(_Body):
    token: Line
