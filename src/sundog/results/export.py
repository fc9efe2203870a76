"""Taking a crawl's data home, in any format that there is."""

from __future__ import annotations

from pathlib import Path

from sundog.errors import UsageError
from sundog.results.result_document import export_result
from sundog.store import formats

RESULT = "result"  # made by the crawl's own queries, which the store knows nothing of


def export(
    directory: Path | str, form: str, out: Path | str | None = None, *, with_provenance: bool = False
) -> Path:
    """Write what a crawl found, finished or running, in a format of ``sundog export``; returns where.

    ``with_provenance``: N-Quads have another graph, which says where the others come from.
    """
    if form != RESULT:
        return formats.export(directory, form, out, with_provenance=with_provenance)
    if with_provenance:
        raise UsageError("provenance is added to nquads only, not to result: there is a format of that name")
    return export_result(directory, out)
