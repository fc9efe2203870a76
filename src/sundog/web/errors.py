"""What the API refuses, with the status that says why."""

from __future__ import annotations

from sundog.errors import SundogError


class NotFoundError(SundogError):
    """There is no such thing: 404."""


class ConflictError(SundogError):
    """Not while things are as they are: 409."""


class BusyError(SundogError):
    """Too much at once: 429."""
