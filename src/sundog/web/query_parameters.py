"""Misspelt query parameters are refused: FastAPI drops them, and what was not filtered looks like an answer."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from sundog.errors import UsageError, nearest_or_all


def only_known(request: Request) -> None:
    """For routers, as a dependency of all their routes."""
    route = request.scope["route"]
    if not isinstance(route, APIRoute):
        return
    known = sorted(set(_names(route.dependant)))
    for name in request.query_params:
        if name not in known:
            hint = nearest_or_all(name, known) if known else "; it takes none"
            raise UsageError(f"unknown query parameter '{name[:100]}'{hint}")


def _names(dependant: Dependant) -> Iterator[str]:
    for field in dependant.query_params:
        kind = field.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from kind.model_fields
        else:
            yield field.alias
    for inner in dependant.dependencies:
        yield from _names(inner)
