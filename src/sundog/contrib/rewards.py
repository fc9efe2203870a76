"""What a page was worth: items, an objective, or something of the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from sundog.engines.live.pages.reading import read
from sundog.errors import SundogError, UsageError
from sundog.extract.api import MAX_BYTES
from sundog.objectives import PageView, parse_objective

_IMPORT_PATH = re.compile(r"\w+(?:\.\w+)+", re.ASCII)


class ScrapedPage(NamedTuple):
    """``response`` is what its crawler calls so, and what a user's function gets."""

    response: Any
    url: str
    body: Callable[[], bytes]
    content_type: str


Reward = Callable[[ScrapedPage, Sequence[Any]], float]  # of a page and the items that were scraped from it


def reward_of(setting: Any, name: str) -> Reward:
    """``items``, an objective, or (the path of) a class of items or a function of a response and its items.

    ``name`` is that of the setting, for complaints.
    """
    if setting == "items":
        return lambda page, items: float(len(items))
    if isinstance(setting, str):
        if not _IMPORT_PATH.fullmatch(setting):
            return _objective(setting, name)
        setting = _imported(setting, name)
    if isinstance(setting, type):
        return lambda page, items: float(sum(isinstance(item, setting) for item in items))
    if not callable(setting):
        raise UsageError(f"{name} = {setting!r} is no class of items and no function of a response and items")
    return lambda page, items: float(setting(page.response, items))


def _imported(path: str, name: str) -> Any:
    module, _, attribute = path.rpartition(".")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{name} = {path!r} cannot be imported: {error}") from None


def _objective(text: str, name: str) -> Reward:
    try:
        objective = parse_objective(text)
        judge = objective.judge()
    except SundogError as error:
        raise UsageError(f"{name}: {error}") from None

    def reward(page: ScrapedPage, items: Sequence[Any]) -> float:
        found = read(page.body(), page.url, page.content_type, max_bytes=MAX_BYTES, with_text=objective.needs_text)
        view = PageView(page.url, found.counts, found.types, found.statements, found.text, found.language)
        return judge(view).reward

    return reward
