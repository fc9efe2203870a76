"""Whether anything can be learned: it cannot if all pages meet the objective, or none does."""

from __future__ import annotations

ENOUGH = 200  # pages


class Outlook:
    """Counts outcomes, from those of a resumed crawl on.

    >>> outlook = Outlook()
    >>> for _ in range(200):
    ...     outlook.observe(False)
    >>> outlook.warning()
    'none of the first 200 pages is relevant: perhaps none can be'
    >>> outlook.observe(True)
    >>> outlook.warning()
    """

    def __init__(self, pages: int = 0, relevant: int = 0) -> None:
        self.pages, self.relevant = pages, relevant

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
