"""A crawl in shards: ``DIR/cluster.json``, and a directory with a crawl of its own for each shard."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import orjson

from sundog.errors import SundogError, unreadable
from sundog.files import write_whole
from sundog.store.directory import CLUSTER, DATABASE

LOG_ID = "log"  # the state of a shard's database with a random name of its log
MERGED = "merged"  # the folder in which a crawl in shards is kept as one


class Layout(NamedTuple):
    """How a crawl is divided. ``split``: domains that go by host."""

    shards: int
    split: tuple[str, ...] = ()


def is_sharded(directory: Path) -> bool:
    return (directory / CLUSTER).is_file()


def shard_directory(directory: Path, number: int) -> Path:
    return directory / f"shard-{number:03}"


def shard_number(directory: Path) -> int:
    return int(directory.name.rpartition("-")[2])


def shard_directories(directory: Path) -> list[Path]:
    """Those that hold a crawl, in their order; also of shards that there were once."""
    found = sorted(directory.glob("shard-[0-9]*"), key=lambda path: (len(path.name), path.name))
    return [path for path in found if (path / DATABASE).is_file()]


def read_layout(directory: Path) -> Layout:
    path = directory / CLUSTER
    try:
        found = orjson.loads(path.read_bytes())
        return Layout(int(found["shards"]), tuple(map(str, found["split"])))
    except OSError as error:
        raise unreadable(path, error) from None
    except (ValueError, KeyError, TypeError):
        raise SundogError(f"{path} does not say how the crawl is divided: it was changed or is damaged") from None


def write_layout(directory: Path, layout: Layout) -> None:
    write_whole(directory / CLUSTER, orjson.dumps(layout._asdict(), option=orjson.OPT_INDENT_2))
