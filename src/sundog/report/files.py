"""A text file that appears whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from sundog.errors import SundogError


def write_whole(path: Path, text: str) -> None:
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
