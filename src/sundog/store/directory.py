"""A crawl's directory: what lies where, and who may use it.

Everything that can be wrong with it is found before anything is done to it, and said in one sentence.

Where an export goes: under a temporary name first, and over nothing that is not its own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

from sundog.errors import SundogError, unwritable

SPEC, DATABASE, STATEMENTS, SUMMARY, WARC, LOCK, OBJECTIVE, MODEL, LIVE = (
    "spec.toml",
    "crawl.db",
    "statements",
    "summary.json",
    "pages.warc.gz",
    "lock",
    "objective",
    "model.npz",
    "live.json",
)
OWN_FILES = {
    SPEC,
    DATABASE,
    f"{DATABASE}-wal",
    f"{DATABASE}-shm",
    STATEMENTS,
    SUMMARY,
    WARC,
    LOCK,
    OBJECTIVE,
    MODEL,
    LIVE,
}


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
    foreign = sorted(name for name in found if name != LOCK and not name.startswith("."))
    if foreign and DATABASE not in found:
        raise SundogError(f"{directory} holds other files ('{foreign[0]}'): choose an empty or new directory")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise SundogError(f"{directory} cannot be written to")


def remove_crawl(directory: Path) -> None:
    """Remove what is a crawl's, and the directory if nothing else is in it."""
    for name in OWN_FILES:
        path = directory / name
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    with suppress(OSError):
        directory.rmdir()


def check_crawl(directory: Path, *, write: bool) -> None:
    """Make sure that there is a crawl, and that it may be read (and written)."""
    if not directory.is_dir():
        raise SundogError(f"there is no directory {directory}")
    if not (directory / DATABASE).is_file():
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


def check_target(target: Path, directory: Path, *, is_table: bool) -> None:
    """Nothing is overwritten but a file, or the tables of an earlier export; never a part of the crawl."""
    if not target.name or target.name == "..":
        raise SundogError(f"'{target}' names no file or directory of its own")
    try:
        inside = target.resolve().parent == directory.resolve()
        if inside and target.name in OWN_FILES:
            raise SundogError(f"{target} is a part of the crawl itself: choose another name")
        if not target.exists():
            return
        if target.is_dir() and not is_table:
            raise SundogError(f"{target} is a directory: name a file")
        if target.is_dir() and any(target.iterdir()) and not _holds_tables(target):
            raise SundogError(f"{target} is a directory with other files: choose another name")
        if not target.is_dir() and (is_table or not target.is_file()):
            raise SundogError(f"{target} is no {'directory' if is_table else 'regular file'}: choose another name")
    except (OSError, ValueError) as error:
        raise unwritable(target, error) from None


def _holds_tables(directory: Path) -> bool:
    """Tables of an earlier export may be replaced; nothing else is ever deleted."""
    names = {entry.name for entry in directory.iterdir()}
    tables = {f"{table}{suffix}" for table in ("pages", "links") for suffix in (".csv", ".parquet")}
    return bool(names & tables) and names <= tables | {"entities", "items"}
