"""``-v``, ``-q`` and ``--log-file``: who hears what the ``sundog`` loggers say."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sundog.cli.terminal import keep_quiet
from sundog.errors import UsageError
from sundog.texts import escaped

LOGGER = logging.getLogger("sundog")
OF_KERNELS = "sundog._jit"


class _Console(logging.Handler):
    """Whatever standard error is at the moment: the picture of a crawl takes its place for a while."""

    def emit(self, record: logging.LogRecord) -> None:
        print(escaped(self.format(record)), file=sys.stderr, flush=True)

    def filter(self, record: logging.LogRecord) -> bool:
        return record.name != OF_KERNELS  # commands say it before they begin


class JsonLines(logging.Formatter):
    """One JSON object a record, on one line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


@contextmanager
def logging_to(verbose: int, quiet: bool, file: Path | None) -> Iterator[None]:
    """Warnings to standard error, with ``-v`` also what happens, with ``-vv`` every page; to ``file`` at least
    what happens."""
    if verbose and quiet:
        raise UsageError("-v and -q exclude each other: give one of them")
    console = _Console(logging.ERROR if quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)])
    console.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handlers: list[logging.Handler] = [console]
    if file is not None:
        handlers.append(_file_handler(file, logging.DEBUG if verbose > 1 else logging.INFO))
    earlier = LOGGER.level
    LOGGER.setLevel(min(handler.level for handler in handlers))
    for handler in handlers:
        LOGGER.addHandler(handler)
    try:
        with keep_quiet(quiet):
            yield
    finally:
        LOGGER.setLevel(earlier)
        for handler in handlers:
            LOGGER.removeHandler(handler)
            handler.close()


def _file_handler(file: Path, level: int) -> logging.Handler:
    try:
        handler = logging.FileHandler(file, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--log-file {file} cannot be written: {error.strerror}") from None
    handler.setLevel(level)
    handler.setFormatter(JsonLines())
    return handler
