"""A world by its directory, whichever of the two formats it has."""

from __future__ import annotations

from pathlib import Path

from sundog.errors import SundogError
from sundog.worlds.parquet import LINKS, PAGES, load_parquet
from sundog.worlds.static import StaticWorld
from sundog.worlds.tsv import find_file, load_tsv


def load_world(directory: str | Path) -> StaticWorld:
    """The static world in ``directory``.

    Raises:
        SundogError: the directory is missing, is no world, or one of its files is broken.
    """
    directory = Path(directory)
    if not directory.is_dir():
        raise SundogError(f"world '{directory}' is not a directory; make one with  sundog synth {directory}")
    if (directory / PAGES).exists() or (directory / LINKS).exists():
        return load_parquet(directory)
    if find_file(directory, "index.tsv"):
        return load_tsv(directory)
    raise SundogError(
        f"'{directory}' is no world: it has neither {PAGES} and {LINKS} nor index.tsv, network.tsv and labels.tsv"
    )
