"""A file that may be packed by gzip or bzip2, as a stream."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sundog.errors import unreadable


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """What cannot be read, also in the middle, is an error that names the file."""
    try:
        with _open(path) as file:
            yield file
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from None


def _open(path: Path) -> IO[bytes]:
    openers: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}
    file: IO[bytes] = openers.get(path.suffix, open)(path, "rb")
    return file
