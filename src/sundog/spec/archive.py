"""The table ``[archive]``: a crawl of archived pages, as if they were the Web."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sundog.errors import UsageError
from sundog.fetch.pace import Manners
from sundog.spec.world import Web


@dataclass(frozen=True, kw_only=True)
class Archive(Web):
    """Nobody is asked, so nobody needs to be spared; pages come one at a time, in the same order every time."""

    path: str = ""

    summary = "pages of WARC and WACZ files instead of the network, by --world archive:PATH: sundog crawl"
    one_at_a_time = True

    def check(self) -> None:
        if not self.path:
            raise UsageError("'archive.path' is missing: a WARC or WACZ file, a folder of them, or a crawl")

    def manners(self, usual: Manners) -> Manners:
        return replace(usual, delay=0.0, concurrency=1)
