"""A text file that appears whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sundog.errors import SundogError


def write_text(path: Path, text: str) -> None:
    """Write under a temporary name in the same directory, then rename.

    A path that cannot be written, or that is a directory or a device, is a SundogError.
    """
    try:
        _check_target(path)
        _write(path, text.encode("utf-8", "replace"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SundogError(f"cannot write the report '{path}': {reason}") from error


def _check_target(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(None, "it is a directory")
    if path.exists() and not path.is_file():
        raise OSError(None, "it is not a regular file")


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".sundog-report.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def temporary_name(path: Path) -> Path:
    """A name beside it, so that renaming is one step of the file system."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")


def write_whole(path: Path, data: bytes) -> None:
    """The file has its old content or the new one, never a part of it."""
    temporary = temporary_name(path)
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise SundogError(f"{path} cannot be written: {error.strerror}") from None


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
