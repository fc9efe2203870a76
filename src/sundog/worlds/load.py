"""A world by its path, whichever of the formats it has."""

from __future__ import annotations

from pathlib import Path

from sundog.errors import SundogError
from sundog.worlds.parquet import LINKS, PAGES, load_parquet
from sundog.worlds.snap import edge_list_in, load_snap
from sundog.worlds.static import StaticWorld
from sundog.worlds.tsv import find_file, load_tsv


def load_world(path: str | Path) -> StaticWorld:
    """The static world at ``path``: a directory, or an edge list ``*.txt`` or ``*.txt.gz``.

    Raises:
        SundogError: there is nothing, it is no world, or one of its files is broken.
    """
    path = Path(path)
    if not path.exists():
        raise SundogError(f"world '{path}' is not a directory; make one with  sundog synth {path}")
    if (path / PAGES).exists() or (path / LINKS).exists():
        return load_parquet(path)
    if path.is_dir() and find_file(path, "index.tsv"):
        return load_tsv(path)
    if edges := edge_list_in(path):
        return load_snap(edges)
    raise SundogError(
        f"'{path}' is no world: it has neither {PAGES} and {LINKS} nor index.tsv, network.tsv and labels.tsv, "
        "nor is it an edge list *.txt"
    )
