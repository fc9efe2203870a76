"""The world that a spec asks for. To add one: a module with ``open_world``, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sundog.engines.live.worlds import api, form, web
from sundog.engines.live.worlds.context import WorldContext
from sundog.engines.live.worlds.world import World

WORLDS: dict[str, Callable[[WorldContext], World[Any]]] = {
    "web": web.open_world,
    "api": api.open_world,
    "form": form.open_world,
    "archive": web.open_world,  # the pages of a Web that is not asked
}


def open_world(context: WorldContext) -> World[Any]:
    return WORLDS[context.spec.world](context)
