"""The families of webs that policies are compared on: half ``a`` is for choosing, half ``b`` for a last look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.families import forms, many_hosts, single_sites, synthetic, topical
from benchmarks.trials import Family


def families(data: Path | None, halves: str = "ab", *, repeats: int = 3, small: bool = False) -> Iterator[Family]:
    """Those of real pages need ``data``: a folder with the worlds `sites`, `sites2`, … and `site.jsonl.gz`."""
    if data:
        for half in halves:
            yield single_sites.family(data, half, repeats, small=small)
        for half in halves:
            yield many_hosts.family(data, half, small=small)
        yield topical.family(data, halves, repeats, small=small)
    yield from synthetic.families(halves, small=small)
    yield forms.family(halves, small=small)
