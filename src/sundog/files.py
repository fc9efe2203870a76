"""Files that appear whole or not at all: written under a temporary name beside their own, then renamed."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sundog.errors import unwritable

_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp", re.DOTALL)


def write_whole(path: Path, data: bytes, *, durable: bool = True) -> None:
    """The file has its old content or the new one, never a part of it. SundogError if it cannot be written.

    ``durable``: also after a power cut, which costs a wait for the disk.
    """
    try:
        _check_regular(path)
        temporary = temporary_name(path)
        try:
            with temporary.open("wb") as file:
                file.write(data)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            _remove(temporary)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


@contextmanager
def complete_or_absent(target: Path) -> Iterator[Path]:
    """A name to write a file or a folder to, which becomes ``target`` if all goes well and nothing if not."""
    with complete_together(target) as (temporary,):
        yield temporary


@contextmanager
def complete_together(*targets: Path) -> Iterator[list[Path]]:
    """The same for several that belong together, in one folder: none is renamed before all are written."""
    temporary = [temporary_name(target) for target in targets]
    try:
        targets[0].parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        for made, target in zip(temporary, targets, strict=True):
            if target.is_dir():
                shutil.rmtree(target)
            made.rename(target)
    except OSError as error:
        raise unwritable(targets[0] if len(targets) == 1 else targets[0].parent, error) from None
    finally:
        for made in temporary:
            _remove(made)


def temporary_name(path: Path) -> Path:
    """A name beside it, so that renaming is one step of the file system."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")


def temporary_of(name: str) -> str | None:
    """What a file or folder was to become, if it was left by a process that was killed while it wrote.

    >>> temporary_of(temporary_name(Path("export.nq")).name), temporary_of(".notes.tmp")
    ('export.nq', None)
    """
    found = _TEMPORARY.fullmatch(name)
    return found[1] if found else None


def remove(path: Path) -> None:
    """A file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _remove(temporary: Path) -> None:
    with suppress(OSError):
        remove(temporary)


def _check_regular(path: Path) -> None:
    """Renaming would put a file in the place of a device."""
    if path.is_dir():
        raise IsADirectoryError(None, "it is a directory")
    if path.exists() and not path.is_file():
        raise OSError(None, "it is not a regular file")
