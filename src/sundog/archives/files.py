"""Archive files as users name them: WARC files, WACZ files, and folders of both."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sundog.archives.warc import LIMITS, Record, read_warc
from sundog.errors import SundogError, UsageError, unreadable
from sundog.fetch.values import Limits

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst")
WACZ = ".wacz"


class ArchiveFile(NamedTuple):
    """A WARC file on disk, or a ``member`` of a WACZ file."""

    path: Path
    member: str = ""

    @property
    def name(self) -> str:
        return f"{self.path}, {self.member}" if self.member else str(self.path)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        try:
            if not self.member:
                with self.path.open("rb") as file:
                    yield file
                return
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as part:
                yield part  # type: ignore[misc]
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise unreadable(self.path, error) from None

    def records(self, tell: Callable[[str], None], limits: Limits = LIMITS) -> Iterator[Record]:
        with self.opened() as stream:
            yield from read_warc(stream, self.name, tell, limits)

    @property
    def size(self) -> int:
        """Bytes that are read of it, for a progress bar."""
        if not self.member:
            return self.path.stat().st_size
        with zipfile.ZipFile(self.path) as archive:
            return archive.getinfo(self.member).file_size


def archive_files(paths: Iterable[Path]) -> list[ArchiveFile]:
    """In the order that was given; the files of a folder by their names. Raises for what is no archive."""
    return [file for path in paths for file in _files_of(path)]


def _files_of(path: Path) -> list[ArchiveFile]:
    if path.is_dir():
        inside = sorted(each for each in path.rglob("*") if each.is_file() and is_archive(each))
        if not inside:
            raise UsageError(f"{path} has no archive: *.warc, *.warc.gz and *.wacz files are read")
        return archive_files(inside)
    if not path.exists():
        raise SundogError(f"{path} is not there")
    if not is_archive(path):
        raise UsageError(f"{path} is no archive by its name: *.warc, *.warc.gz or *.wacz is expected")
    return _members(path) if path.name.lower().endswith(WACZ) else [ArchiveFile(path)]


def is_archive(path: Path) -> bool:
    return path.name.lower().endswith((*WARC_ENDINGS, WACZ))


def _members(path: Path) -> list[ArchiveFile]:
    """The WARC files of a WACZ file: those in its folder ``archive/``."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(archive.namelist())
    except (OSError, zipfile.BadZipFile) as error:
        raise unreadable(path, error) from None
    found = [name for name in names if name.startswith("archive/") and name.lower().endswith(WARC_ENDINGS)]
    if not found:
        raise SundogError(f"{path} is no WACZ file: it has no WARC file in archive/")
    return [ArchiveFile(path, name) for name in found]
