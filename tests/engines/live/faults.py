"""Faults injected into a running crawl: a function of the product raises where a test says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


class InjectedError(Exception):
    """Nobody expects it."""


def always(*_: Any, **__: Any) -> bool:
    return True


def breaks(patch: pytest.MonkeyPatch, owner: Any, name: str, is_hit: Callable[..., bool] = always) -> None:
    """``is_hit`` gets the arguments of the call."""
    real = getattr(owner, name)

    def broken(*arguments: Any, **more: Any) -> Any:
        if is_hit(*arguments, **more):
            raise InjectedError("what \x1b[2J is this?")
        return real(*arguments, **more)

    patch.setattr(owner, name, broken)
