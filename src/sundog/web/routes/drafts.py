"""What is needed to write a new crawl: checks, a preview, and what there is to choose from."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from sundog.objectives.schema_org import parents, with_superclasses
from sundog.patterns.ready import ready_specs
from sundog.policies.presets import all_policies
from sundog.web.new import drafts
from sundog.web.new.guided import guided_form
from sundog.web.query_parameters import only_known
from sundog.web.request_bodies import Draft, ExampleBody, PictureBody, PreviewBody
from sundog.web.site import Answer, SiteDep

router = APIRouter(prefix="/api", tags=["drafts"], dependencies=[Depends(only_known)])
MOST_TYPES = 30


@router.post("/check")
def check(draft: Draft, site: SiteDep) -> Answer:
    """What is wrong with a draft, with line and column."""
    return drafts.check(draft, site.settings)


@router.post("/guided")
def guided(draft: Draft, site: SiteDep) -> Answer:
    """A draft as the answers of the guided form, and what they cannot say."""
    return guided_form(draft, site.settings)


@router.post("/preview")
async def preview(body: PreviewBody, site: SiteDep) -> Answer:
    """Fetch one page, and show what the objective and the patterns of a draft yield on it."""
    return await site.previews.preview(body)


@router.post("/picture")
async def picture(body: PictureBody, site: SiteDep) -> Answer:
    """Fetch an example page: what can be drawn of it, and its labelled values."""
    return await site.examples.picture(body)


@router.post("/patterns")
async def patterns_by_example(body: ExampleBody, site: SiteDep) -> Answer:
    """Patterns that find what was chosen on an example page, there and on pages like it."""
    return await site.examples.patterns(body)


@router.post("/patterns/trial")
async def patterns_trial(body: ExampleBody, site: SiteDep) -> Answer:
    """What these patterns find on the example page and on two others, which are fetched."""
    return await site.examples.trial(body)


@router.get("/schema-types")
def schema_types(search: Annotated[str, Query(max_length=100)] = "") -> Answer:
    """Types whose names begin with what is searched for, then those that contain it."""
    wanted = search.strip().lower()
    found = [name for name in parents() if wanted in name.lower()]
    found.sort(key=lambda name: (not name.lower().startswith(wanted), len(name), name))
    return {"types": [{"name": name, "path": _path(name)} for name in found[:MOST_TYPES]]}


def _path(name: str) -> list[str]:
    """From Thing to the type's parent, the first parent of each."""
    path: list[str] = []
    above = parents().get(name, ())
    while above and above[0] not in path and len(path) < len(with_superclasses(name)):
        path.insert(0, above[0])
        above = parents().get(above[0], ())
    return path


@router.get("/policies")
def policies() -> Answer:
    """The policies and their parameters."""
    return {
        "policies": [
            {
                "name": name,
                "about": policy.summary,
                "parameters": [
                    {
                        "name": each,
                        "about": parameter.meaning,
                        "default": _plain(policy.defaults.get(each)),
                    }
                    for each, parameter in policy.parameters.items()
                    if each != "pretrain"
                ],
            }
            for name, policy in all_policies().items()
            if not policy.foresees
        ]
    }


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)


@router.get("/patterns")
def patterns() -> Answer:
    """Specs that are ready to be adapted."""
    return {"patterns": [spec._asdict() for spec in ready_specs()]}
