"""A crawl's directory: which files are its own, who may use it, and what an export may overwrite.

Whatever is wrong with it is found before anything is changed, and reported in one sentence.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from sundog.errors import SundogError, unwritable
from sundog.files import remove, temporary_of

OWN_FILES = frozenset(
    {
        SPEC := "spec.toml",
        OBJECTIVE := "objective",
        DATABASE := "crawl.db",
        f"{DATABASE}-wal",
        f"{DATABASE}-shm",
        STATEMENTS := "statements",
        WARC := "pages.warc.gz",
        SCREENSHOTS := "screenshots",  # of rendered pages, by candidate
        ENTITIES := "entities.db",
        f"{ENTITIES}-wal",
        f"{ENTITIES}-shm",
        MODEL := "model.npz",
        CHECKPOINT := "session.checkpoint",
        CLUSTER := "cluster.json",
        ROUND := "round.json",  # of a crawl in shards: the last round
        LEARNED := "learned",
        SUMMARY := "summary.json",
        LIVE := "live.json",
        BUDGET_REQUEST := "budget.json",  # another budget, for the process that runs it
        ERRORS := "errors.log",
        IN_HAND := "in-hand",
        INDEXING := "indexing",
        LOCK := "lock",
        REPAIRED := f"{DATABASE}.repaired",  # complete, and about to become the database
        f"{DATABASE}.damaged",
        f"{DATABASE}.damaged-wal",
        f"{WARC}.damaged",
    }
)
REPORT = "report.html"  # made of a crawl, like its exports


def prepare_new(directory: Path) -> None:
    """Make a directory for a new crawl, or refuse one that holds something else."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        found = {entry.name for entry in directory.iterdir()}
    except FileExistsError:
        raise SundogError(f"{directory} is a file: a crawl needs a directory of its own") from None
    except OSError as error:
        raise SundogError(f"{directory} cannot be made or read: {error.strerror}") from None
    # Without a database nothing is a crawl's, whatever its name: somebody's own spec.toml must not be lost.
    if CLUSTER in found:
        raise SundogError(f"{directory} holds a crawl already: resume it, or choose another directory")
    foreign = sorted(name for name in found if name != LOCK and not name.startswith("."))
    if foreign and DATABASE not in found:
        raise SundogError(f"{directory} holds other files ('{foreign[0]}'): choose an empty or new directory")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise SundogError(f"{directory} cannot be written to")


def remove_crawl(directory: Path, made: Iterable[str] = ()) -> None:
    """Remove what is a crawl's and what was ``made`` of it, and the directory if nothing else is in it.

    What a process left that was killed while it wrote one of them goes, too.
    """
    names = OWN_FILES | set(made)
    for path in list(directory.iterdir()):
        if path.name in names or temporary_of(path.name) in names:
            remove(path)
    with suppress(OSError):
        directory.rmdir()


def merge_first(directory: Path) -> str:
    """To say of a crawl in shards, where only an ordinary one will do."""
    return f"{directory} is a crawl in shards: make an ordinary one of it with sundog merge {directory} OUT"


def check_crawl(directory: Path, *, write: bool) -> None:
    """Make sure that there is a crawl, and that it may be read (and written)."""
    if not directory.is_dir():
        raise SundogError(f"there is no directory {directory}")
    if (directory / REPAIRED).exists():
        raise SundogError(f"a repair of {directory} was interrupted: run it again (sundog repair {directory})")
    if not (directory / DATABASE).is_file():
        if (directory / CLUSTER).is_file():
            raise SundogError(merge_first(directory))
        raise SundogError(f"{directory} holds no crawl: it has no {DATABASE}")
    if not os.access(directory / DATABASE, os.R_OK):
        raise SundogError(f"{directory / DATABASE} cannot be read")
    if write and not (os.access(directory, os.W_OK | os.X_OK) and os.access(directory / DATABASE, os.W_OK)):
        raise SundogError(f"{directory} cannot be written to")


class Lock:
    """One process at a time. The kernel lets go of it when the process ends, however it ends."""

    def __init__(self, directory: Path) -> None:
        path = directory / LOCK
        try:
            self._handle: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise SundogError(f"{path} cannot be opened: {error.strerror}") from None
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._close()
            raise SundogError(f"{directory} is in use by another process") from None
        # A forked worker would otherwise hold the lock for as long as it outlives us.
        os.register_at_fork(after_in_child=self._close)

    def release(self) -> None:
        """Also for workers that were forked and have not come to closing their handle yet."""
        if self._handle is not None:
            fcntl.flock(self._handle, fcntl.LOCK_UN)
            self._close()

    def _close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def check_target(target: Path, directory: Path, *, folder_of: frozenset[str] | None = None) -> None:
    """Nothing is overwritten but a file, or the folder of an earlier export; never a part of the crawl.

    ``folder_of``: a folder is to be written, and one that holds such parts and nothing else may be replaced.
    """
    if not target.name or target.name == "..":
        raise SundogError(f"'{target}' names no file or directory of its own")
    try:
        inside = target.resolve().parent == directory.resolve()
        if inside and target.name in OWN_FILES:
            raise SundogError(f"{target} is a part of the crawl itself: choose another name")
        if not target.exists():
            return
        if folder_of is None and target.is_dir():
            raise SundogError(f"{target} is a directory: name a file")
        if folder_of is None and not target.is_file():
            raise SundogError(f"{target} is no regular file: choose another name")
        if folder_of is not None and not target.is_dir():
            raise SundogError(f"{target} is no directory: choose another name")
        if folder_of is not None and any(target.iterdir()) and not _holds_only(target, folder_of):
            raise SundogError(f"{target} is a directory with other files: choose another name")
    except (OSError, ValueError) as error:
        raise unwritable(target, error) from None


def _holds_only(directory: Path, parts: frozenset[str]) -> bool:
    """Also one of its files: folders called ``items`` or ``entities`` may be anybody's."""
    entries = list(directory.iterdir())
    return all(entry.name in parts for entry in entries) and any(entry.is_file() for entry in entries)
