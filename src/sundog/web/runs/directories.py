"""The root and its crawls. A crawl's id is the name of its directory, and nothing else can be reached by it."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from sundog.errors import SundogError, UsageError
from sundog.store.directory import DATABASE, LIVE, SPEC, SUMMARY
from sundog.store.shards import MERGED, is_sharded, shard_directories
from sundog.web.errors import ConflictError, NotFoundError

SITE_FOLDER = ".web"
MOST_CRAWLS = 1_000  # that the site begins and lists; there may be more, begun elsewhere
NEW_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
LONGEST_NAME = 255  # bytes of a directory's name, for most file systems
LONGEST_FILE = 5_000_000  # bytes of a small file of ours


@dataclass(frozen=True)
class CrawlDirectory:
    """A crawl by its files: what it writes itself, and what the site keeps of it in a folder of its own."""

    id: str
    path: Path

    @property
    def home(self) -> Path:
        """Where it says how it runs. Of a crawl in shards, ``path`` is a folder there: what was merged of it."""
        return self.path.parent if self.path.name == MERGED and is_sharded(self.path.parent) else self.path

    @property
    def is_sharded(self) -> bool:
        return self.home != self.path

    @property
    def logs(self) -> list[Path]:
        """The directories whose logs are the crawl's as it is now."""
        return shard_directories(self.home) if self.is_sharded else [self.path]

    @property
    def site_folder(self) -> Path:
        return self.home / SITE_FOLDER

    @property
    def output(self) -> Path:
        """What its process prints."""
        return self.site_folder / "output.log"

    @property
    def state(self) -> Path:
        """What is wanted of it."""
        return self.site_folder / "state.json"

    @property
    def changed_at(self) -> float:
        """When its log or what is wanted of it has last changed."""
        databases = [log / name for log in self.logs for name in (DATABASE, f"{DATABASE}-wal")]
        return max(stamp_of(path).changed_at for path in [*databases, self.state])

    @property
    def has_database(self) -> bool:
        return (self.path / DATABASE).is_file()

    @property
    def is_crawl(self) -> bool:
        """Begun, or about to begin."""
        return self.has_database or self.is_sharded or self.draft_spec.is_file()

    @property
    def draft(self) -> Path:
        """The spec and the files of the objective as they were sent; a crawl begun elsewhere has none."""
        return self.site_folder / "draft"

    @property
    def draft_spec(self) -> Path:
        return self.draft / SPEC

    @property
    def spec_text(self) -> str:
        """As it was run, or as it is to be run."""
        for path in (self.home / SPEC, self.draft_spec):
            if text := read_small_file(path):
                return text
        return ""

    @property
    def summary(self) -> dict[str, Any]:
        return read_json(self.home / SUMMARY)

    @property
    def live(self) -> dict[str, Any]:
        return read_json(self.home / LIVE)


class Root:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.site_folder = path / SITE_FOLDER
        try:
            self.site_folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SundogError(f"{path} cannot be used as root: {error.strerror}") from None

    def crawls(self) -> list[CrawlDirectory]:
        """Begun here or elsewhere, by name."""
        with os.scandir(self.path) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        found = (CrawlDirectory(name, _place_of(self.path / name)) for name in names if not name.startswith("."))
        return [crawl for crawl in found if crawl.is_crawl]

    def crawl(self, name: str) -> CrawlDirectory:
        """Raises NotFoundError for a name that is no crawl's, whatever it may lead to."""
        if (
            not name
            or name.startswith(".")
            or {"/", "\\", "\0"} & set(name)
            or len(os.fsencode(name)) > LONGEST_NAME
            or (self.path / name).is_symlink()
            or not (crawl := CrawlDirectory(name, _place_of(self.path / name))).is_crawl
        ):
            raise NotFoundError(f"there is no crawl '{name[:80]}'")
        return crawl

    def make(self, wanted: str, otherwise: Sequence[str]) -> CrawlDirectory:
        """A new directory: by the name that is wanted, or a free one after one of the others."""
        if len(self.crawls()) >= MOST_CRAWLS:
            raise ConflictError(f"there are {MOST_CRAWLS:,} crawls: delete some before you begin another")
        if wanted and not NEW_ID.fullmatch(wanted):
            raise UsageError(f"'{wanted[:80]}' cannot be a crawl's name: letters, digits, '.', '_' and '-' can")
        for name in [wanted] if wanted else _free_names(otherwise):
            try:
                (self.path / name).mkdir()
            except FileExistsError:
                continue
            except OSError as error:
                raise SundogError(f"{name} cannot be made: {error.strerror}") from None
            crawl = CrawlDirectory(name, self.path / name)
            crawl.draft.mkdir(parents=True)
            return crawl
        raise ConflictError(f"there is a crawl '{wanted}' already: choose another name")


def _place_of(path: Path) -> Path:
    """Of a crawl in shards, what was merged of it last."""
    return path / MERGED if is_sharded(path) and not (path / MERGED).is_symlink() else path


def _free_names(texts: Sequence[str]) -> list[str]:
    slugs = [slug for text in texts if (slug := re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60])]
    first = slugs[0] if slugs else "crawl"
    return [first, *(f"{first}-{number}" for number in range(2, 100)), f"{first}-{secrets.token_hex(4)}"]


class Stamp(NamedTuple):
    """Changes whenever a file is written anew; zeros for one that is not there."""

    changed_at: float = 0.0
    inode: int = 0


def stamp_of(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return Stamp()
    return Stamp(found.st_mtime, found.st_ino)


def read_small_file(path: Path) -> str:
    """The text of a small file; empty if it is none, or leads elsewhere."""
    try:
        with opened(path) as file:
            return file.read(LONGEST_FILE).decode("utf-8", "replace")
    except OSError:
        return ""


def read_end(path: Path, most: int) -> str:
    """The last bytes of a file that grows, as text; empty if there is none, or it leads elsewhere."""
    try:
        with opened(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - most))
            return file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""


def opened(path: Path) -> BinaryIO:
    """To read; OSError if there is none, or it leads elsewhere."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a small file; empty if there is none, or the file holds anything else."""
    try:
        found = orjson.loads(read_small_file(path))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
