"""Crawls as the API tells of them."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from threading import Lock
from time import monotonic
from typing import Any

from sundog.web.directories import Home, Root
from sundog.web.overview import Overview
from sundog.web.states import State, read_state
from sundog.web.status import status_of

LIVE_FIGURES = ("queued", "asleep", "in_flight", "hosts_found", "seconds_left")
OUTPUT_SHOWN = 4_000  # characters
SECONDS_LISTED = 1.0


class Crawls:
    """All crawls under the root; keeps their figures, which grow with their logs."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self._overviews: dict[str, Overview] = {}
        self._lock, self._listing = Lock(), Lock()
        self._list: list[dict[str, Any]] = []
        self._next = 0.0

    def all(self) -> list[dict[str, Any]]:
        """The latest first. Those who ask at about the same time share the answer."""
        with self._listing:
            if monotonic() >= self._next:
                self._list = self._listed()
                self._next = monotonic() + SECONDS_LISTED
            return self._list

    def forget_list(self) -> None:
        """Something was done that everybody should see at once."""
        self._next = 0.0

    def _listed(self) -> list[dict[str, Any]]:
        homes = self.root.homes()
        self._forget({home.id for home in homes})
        return sorted((self.crawl(home) for home in homes), key=lambda crawl: -(crawl["began"] or 0.0))

    def crawl(self, home: Home) -> dict[str, Any]:
        overview = self.overview(home)
        overview.update()
        return described(home, read_state(home), overview)

    def overview(self, home: Home) -> Overview:
        with self._lock:
            return self._overviews.setdefault(home.id, Overview(home))

    def _forget(self, present: set[str]) -> None:
        with self._lock:
            for name in self._overviews.keys() - present:
                del self._overviews[name]


def described(home: Home, state: State, overview: Overview) -> dict[str, Any]:
    spec, live, summary = spec_of(home), home.live, home.summary
    status = status_of(home, state, live)
    is_running = status.name in ("running", "pausing", "stopping")
    now = live if is_running else {}
    moments = overview.moments
    return {
        "id": home.id,
        "title": _text(spec, "title"),
        "owner": state.owner,
        "objective": _text(spec, "objective") or _usual_objective(spec),
        "policy": _text(spec, "policy", "sundog"),
        "world": _text(spec, "world", "web"),
        "state": status.name,
        "reason": status.reason,
        "actions": status.actions,
        "loading": overview.loading,
        "budget": now.get("budget") or overview.budget or spec.get("budget") or 1_000,
        "spent": now.get("requests") or summary.get("requests") or overview.fetched,
        "fetched": overview.fetched,
        "relevant": overview.relevant,
        "harvest": overview.relevant / overview.fetched if overview.fetched else None,
        "reward": overview.reward,
        "failed": overview.failed,
        "refused": overview.refused,
        "looked_at": overview.looked_at,
        "statements": overview.statements,
        "hosts": now.get("hosts_found") or summary.get("hosts"),
        "recent": overview.recent,
        "pages_per_second": now.get("pages_per_second"),
        "began": state.began or (moments[0] if moments else None),
        "changed": moments[-1] if moments else state.began or None,
        "seconds": now.get("elapsed") or summary.get("seconds"),
        "sparkline": overview.sparkline,
        **{name: now.get(name) for name in LIVE_FIGURES},
        "stage": str(now.get("stage") or ""),
        "warning": str(now.get("warning") or ""),
    }


def details(home: Home, state: State) -> dict[str, Any]:
    """What is shown of one crawl only."""
    spec = spec_of(home)
    seeds, parameters = spec.get("seeds"), spec.get("parameters")
    patterns = spec.get("patterns")
    return {
        "patterns": isinstance(patterns, dict) and bool(patterns),
        "description": _text(spec, "description"),
        "seeds": seeds if isinstance(seeds, list) else [],
        "parameters": parameters if isinstance(parameters, dict) else {},
        "delay": spec.get("delay", 1.0),
        "spec": home.spec_text,
        "email": state.email,
        "output": output_of(home)[-OUTPUT_SHOWN:],
    }


def spec_of(home: Home) -> dict[str, Any]:
    """What the spec says; nothing of it is taken for granted, for others may have written it."""
    return _parsed(home.spec_text)


@lru_cache(maxsize=256)
def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _usual_objective(spec: dict[str, Any]) -> str:
    """Of a spec that names none, as ``CrawlSpec.usual_objective`` has it."""
    patterns = spec.get("patterns")
    return "patterns" if isinstance(patterns, dict) and patterns.get("data") else "any"


def output_of(home: Home) -> str:
    """What the process has printed."""
    path = home.ours / "output.log"
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 2 * OUTPUT_SHOWN))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _text(spec: dict[str, Any], name: str, otherwise: str = "") -> str:
    found = spec.get(name)
    return found if isinstance(found, str) else otherwise
