"""Placeholder until the branch with the real one is merged."""

from __future__ import annotations


class Outlook:
    def observe(self, relevant: bool) -> None: ...

    def warning(self) -> str | None:
        return None
