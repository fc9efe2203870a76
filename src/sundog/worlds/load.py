"""A world by its path, whichever of the formats it has."""

from __future__ import annotations

from pathlib import Path

from sundog.errors import SundogError, UsageError
from sundog.worlds.own_graphs import Frame, Graph, world_of
from sundog.worlds.parquet import LINKS, PAGES, load_parquet
from sundog.worlds.snap import edge_list_in, load_snap
from sundog.worlds.static import StaticWorld
from sundog.worlds.tables import load_tables, table_of_links
from sundog.worlds.tsv import find_file, load_tsv

AnyWorld = StaticWorld | Path | str | Frame | Graph


def load_world(world: AnyWorld, pages: Frame | None = None) -> StaticWorld:
    """The static world at a path, or made of a graph in memory.

    Args:
        world: a directory, an edge list ``*.txt``, ``*.csv`` or ``*.tsv``, each perhaps ``.gz``; or links as a
            frame of polars, pandas or pyarrow, as a dict of columns, or as a networkx graph.
        pages: of links in a frame: what is known of their pages. Without it, those that links name are the pages.

    Raises:
        SundogError: there is nothing, it is no world, or a file or a column is broken.
    """
    if not isinstance(world, (str, Path)):
        return world if isinstance(world, StaticWorld) else world_of(world, pages)
    if pages is not None:
        raise UsageError("pages= is for links in a frame: those of files are beside them")
    path = Path(world)
    if not path.exists():
        raise SundogError(f"world '{path}' is not a directory; make one with  sundog synth {path}")
    if (path / PAGES).exists() or (path / LINKS).exists():
        return load_parquet(path)
    if path.is_dir() and find_file(path, "index.tsv"):
        return load_tsv(path)
    if edges := edge_list_in(path):
        return load_snap(edges)
    if links := table_of_links(path):
        return load_tables(links)
    raise SundogError(
        f"'{path}' is no world: it has neither {PAGES} and {LINKS} nor index.tsv, network.tsv and labels.tsv, "
        "nor links.csv, nor is it an edge list *.txt, *.csv or *.tsv"
    )
