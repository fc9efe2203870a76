"""Where an export goes: under a temporary name first, and over nothing that is not its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sundog.errors import SundogError
from sundog.store.directory import OURS, temporary_name


def check_target(target: Path, directory: Path, *, is_table: bool) -> None:
    """Nothing is overwritten but a file, or the tables of an earlier export; never a part of the crawl."""
    if not target.name or target.name == "..":
        raise SundogError(f"'{target}' names no file or directory of its own")
    try:
        inside = target.resolve().parent == directory.resolve()
        if inside and target.name in OURS:
            raise SundogError(f"{target} is a part of the crawl itself: choose another name")
        if not target.exists():
            return
        if target.is_dir() and not is_table:
            raise SundogError(f"{target} is a directory: name a file")
        if target.is_dir() and any(target.iterdir()) and not _is_export(target):
            raise SundogError(f"{target} is a directory with other files: choose another name")
        if not target.is_dir() and (is_table or not target.is_file()):
            raise SundogError(f"{target} is no {'directory' if is_table else 'regular file'}: choose another name")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SundogError(f"{target} cannot be written: {reason}") from None


@contextmanager
def complete_or_absent(target: Path) -> Iterator[Path]:
    """A name to write to, which becomes ``target`` if all goes well and nothing if not."""
    temporary = temporary_name(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        if target.is_dir():
            shutil.rmtree(target)
        temporary.rename(target)
    except OSError as error:
        raise SundogError(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            if temporary.is_dir():
                shutil.rmtree(temporary, ignore_errors=True)
            else:
                temporary.unlink(missing_ok=True)


def _is_export(directory: Path) -> bool:
    """Tables of an earlier export may be replaced; nothing else is ever deleted."""
    names = {entry.name for entry in directory.iterdir()}
    tables = {f"{table}{suffix}" for table in ("pages", "links") for suffix in (".csv", ".parquet")}
    return bool(names & tables) and names <= tables | {"entities", "items"}
