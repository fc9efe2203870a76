"""Contexts that a document names by URL. Nothing is fetched here: they are given, or noted as missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from sundog.extract.guards import Report
from sundog.urls.references import Base

DEEPEST: Final = 10  # contexts that include each other
MOST_MISSING: Final = 100  # of a page


class ContextDocument(NamedTuple):
    """A context as it was fetched: ``url`` is where it came from in the end. ``fault``: why there is none."""

    url: str
    body: bytes = b""
    fault: str = ""


class RemoteContext(NamedTuple):
    """``local`` is the value of its ``@context``; relative references in it are resolved against ``here``."""

    url: str
    local: Any
    here: Base


class RemoteContexts:
    """Those that are given to a page, by URL: as ``ContextDocument``, JSON text or parsed JSON."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        self._given = given or {}
        self._read: dict[str, RemoteContext | str] = {}
        self.missing: dict[str, None] = {}  # in the order in which they were asked for

    def find(self, name: str, here: Base | None, report: Report) -> RemoteContext | None:
        """The context of that name, where ``here`` is the place of the name; what is wrong with it is reported."""
        url = (here.resolve(name) if here is not None else name).partition("#")[0]
        if url not in self._given:
            if len(self.missing) < MOST_MISSING:
                self.missing[url] = None
            report(f"remote context {url[:200]} is not fetched")
            return None
        if url not in self._read:
            self._read[url] = _read(url, self._given[url])
        found = self._read[url]
        if isinstance(found, str):
            report(f"remote context {url[:200]} {found}")
            return None
        return found


def _read(url: str, given: Any) -> RemoteContext | str:
    """The context, or what is wrong with it."""
    here = url
    if isinstance(given, ContextDocument):
        if given.fault:
            return f"cannot be had: {given.fault[:200]}"
        here, given = given.url, given.body
    if isinstance(given, bytes | str):
        try:
            given = orjson.loads(given)
        except ValueError:
            return "is not JSON"
    if not isinstance(given, Mapping) or "@context" not in given:
        return "has no @context"
    return RemoteContext(url, given["@context"], Base(here))
