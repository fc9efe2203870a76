"""Whether anything can be learned: an objective that all pages meet, or none, tells none of them apart."""

from __future__ import annotations

ENOUGH = 200  # pages


class Outlook:
    """Counts outcomes; knows nothing of crawls.

    >>> outlook = Outlook()
    >>> for _ in range(200):
    ...     outlook.observe(False)
    >>> outlook.warning()
    'none of the first 200 pages is relevant: perhaps none can be'
    >>> outlook.observe(True)
    >>> outlook.warning()
    """

    def __init__(self) -> None:
        self.pages = self.relevant = 0

    def observe(self, relevant: bool) -> None:
        self.pages += 1
        self.relevant += relevant

    def warning(self) -> str | None:
        """What the user should know; it is withdrawn when it is no longer so."""
        if self.pages < ENOUGH:
            return None
        if not self.relevant:
            return f"none of the first {self.pages:,} pages is relevant: perhaps none can be"
        if self.relevant == self.pages:
            return f"all of the first {self.pages:,} pages are relevant: nothing can be learned"
        return None
