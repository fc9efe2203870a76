"""``repair``: finds what is damaged in a crawl's directory, and makes of what can be read a whole crawl again.

It may be killed at any moment and run again. A new file is complete before it takes the place of a damaged one,
which is kept beside it under another name. While ``crawl.db.repaired`` is there, nobody else opens the crawl.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyoxigraph

from sundog.errors import SundogError, unwritable
from sundog.files import remove, temporary_name, temporary_of
from sundog.model import INDEX_FAULT, NOT_KEPT
from sundog.store import database
from sundog.store.directory import CHECKPOINT, DATABASE, OWN_FILES, REPAIRED, STATEMENTS, WARC, Lock
from sundog.store.reader import INDEXED, WARC_LENGTH, CrawlReader
from sundog.store.repair import archive, consistent
from sundog.store.repair.rows import CHECKS, found_rows, insert, is_sound, table_of
from sundog.store.repair.sqlite_pages import Pages
from sundog.store.shards import is_sharded
from sundog.store.statements import HAS_STATEMENTS, graph_iri
from sundog.store.writer import CrawlStore
from sundog.texts import counted

MOST_NAMED = 5  # pages
KEPT_PAGES = f"""SELECT coalesce(o.final_url, u.url) FROM outcomes o JOIN log l ON l.step = o.step
  JOIN urls u ON u.id = o.candidate
  WHERE l.event = 'fetched' AND coalesce(instr(o.faults, '"{NOT_KEPT}"'), 0) = 0"""
GRAPHS = f"""SELECT DISTINCT {{graph}} FROM outcomes o JOIN urls u ON u.id = o.candidate
  WHERE {HAS_STATEMENTS} AND {database.LATEST}
  AND coalesce(instr(o.faults, '["{INDEX_FAULT}",'), 0) = 0"""


def repair(directory: Path | str, tell: Callable[[str], object] = print) -> bool:
    """Whether there was anything to repair. ``tell`` gets a sentence for what was found, saved and lost."""
    directory = Path(directory)
    _check(directory)
    lock = Lock(directory)
    try:
        _remove_temporary(directory)
        with _plain_os_errors(directory):
            was_damaged = _repair_database(directory, tell)
            with ExitStack() as last:
                lost_archive = _repair_archive(directory, tell)
                made_index = _repair_index(directory, tell)
                _finish(directory, lock, last, is_new=was_damaged)
        return was_damaged or lost_archive or made_index
    finally:
        lock.release()


def _check(directory: Path) -> None:
    if not directory.is_dir():
        raise SundogError(f"there is no directory {directory}")
    whole = next((each for each in (directory, directory.absolute().parent) if is_sharded(each)), None)
    if whole is not None:  # what shards told each other is in their logs: half of one fits the others no more
        raise SundogError(
            f"{whole} is a crawl in shards: move the directory of its damaged shard away, "
            f"and sundog resume {whole} begins that shard again with what the others send it"
        )
    if not any((directory / name).exists() for name in (DATABASE, REPAIRED, f"{DATABASE}-wal")):
        raise SundogError(f"{directory} holds no crawl: it has no {DATABASE}")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise SundogError(f"{directory} cannot be written to")


@contextmanager
def _plain_os_errors(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise unwritable(error.filename or directory, error) from None


def _remove_temporary(directory: Path) -> None:
    """What a repair or a crawl left that was killed."""
    for path in list(directory.iterdir()):
        if temporary_of(path.name) in OWN_FILES:
            remove(path)


# -- the database ------------------------------------------------------------------------------------


def _repair_database(directory: Path, tell: Callable[[str], object]) -> bool:
    path = directory / DATABASE
    if (directory / REPAIRED).exists():  # by a repair that was killed
        _replace_database(directory, tell)
        return True
    wrong = damage_of(path)
    if not wrong:
        return False
    tell(f"{DATABASE} is damaged: {wrong}")
    temporary = temporary_name(path)
    try:
        lost = _salvage(path, temporary, directory)
        _tell_saved(directory, temporary, lost, tell)
        os.replace(temporary, directory / REPAIRED)
    finally:
        remove(temporary)
    _sync(directory)
    _replace_database(directory, tell)
    return True


def damage_of(path: Path) -> str:
    """What is wrong with a database, in a few words; empty if it is whole. Reads all of it and changes nothing."""
    try:
        connection = database.open_for_reading(path)
    except SundogError:
        if not _holds_a_crawl(path):
            raise
        return "it cannot be opened"
    try:
        wrong = database.damage(connection, path, "integrity_check")
        return wrong or next(iter(consistent.missing(connection)), "") or _unsound(connection)
    except sqlite3.DatabaseError as error:
        return str(error)
    finally:
        connection.close()


def _holds_a_crawl(path: Path) -> bool:
    """Whether something of it can be saved, and this version of Sundog knows how."""
    pages = Pages(path)
    if pages.version > database.VERSION:
        return False
    tables = {table_of(row) for row in pages.rows()}
    return tables >= {"urls", "log"}


def _unsound(connection: sqlite3.Connection) -> str:
    for table in CHECKS:
        count = 0
        columns = ", ".join(database.OUTCOME_COLUMNS) if table == "outcomes" else "*"
        for row in connection.execute(f"SELECT {columns} FROM {table}"):
            count += not is_sound(table, row)
        if count:
            return f"its table {table} has {counted(count, 'row')} that no crawl has written"
    return ""


def _salvage(path: Path, out: Path, directory: Path) -> consistent.Lost:
    """A new database with all rows that can be read; returns what is known to be lost."""
    rows = found_rows(Pages(path))
    connection = sqlite3.connect(out, isolation_level=None)
    try:
        with database.plain_errors(out):
            connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            connection.executescript(database.SCHEMA)
            connection.execute("BEGIN")
            insert(connection, rows)
            del rows
            lost = consistent.make_consistent(connection)
            connection.execute("DELETE FROM states WHERE name = ?", (INDEXED,))
            if (directory / WARC).exists():  # also what the saved part of the database does not know of
                length = (directory / WARC).stat().st_size
                connection.execute("INSERT OR REPLACE INTO states VALUES (?, ?)", (WARC_LENGTH, str(length)))
            connection.execute("COMMIT")
            state = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if state != "ok":
            raise SundogError(f"what was saved of {path} is not whole ({state}); nothing was changed")
    finally:
        connection.close()
    with out.open("rb") as file:
        os.fsync(file.fileno())
    return lost


def _tell_saved(directory: Path, path: Path, lost: consistent.Lost, tell: Callable[[str], object]) -> None:
    connection = sqlite3.connect(path)
    try:
        count = "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM urls), (SELECT count(*) FROM log)"
        pages, urls, events = connection.execute(count).fetchone()
        expected = CrawlReader(directory, connection).summary.get("fetched", 0)
    finally:
        connection.close()
    if expected > pages:
        lost = {f"of {counted(expected, 'page')} that the crawl had when it last ended": expected - pages, **lost}
    saved = f"{counted(pages, 'page')}, {counted(urls, 'URL')} and {counted(events, 'event')}"
    tell(f"saved: {saved}")
    if lost:
        tell(f"lost: {', '.join(f'{count:,} {what}' for what, count in lost.items())}")
        tell("pages whose outcome was lost may be fetched again by: sundog resume")
    else:
        tell("lost: nothing that the rest knows of; what came last may be missing")


def _replace_database(directory: Path, tell: Callable[[str], object]) -> None:
    """Each step can be the last one, for the next run goes on here."""
    damaged = _free_name(directory / f"{DATABASE}.damaged")
    for suffix in ("-wal", ""):  # the database last: until then its name is free
        path = directory / f"{DATABASE}{suffix}"
        if path.exists():
            path.rename(f"{damaged}{suffix}")
    (directory / f"{DATABASE}-shm").unlink(missing_ok=True)
    remove(directory / CHECKPOINT)  # of the log as it was
    os.replace(directory / REPAIRED, directory / DATABASE)
    _sync(directory)
    tell(f"the damaged file is kept: {damaged}")


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- the WARC file -----------------------------------------------------------------------------------


def _repair_archive(directory: Path, tell: Callable[[str], object]) -> bool:
    path = directory / WARC
    with _reader(directory) as reader:
        committed = int(reader.state(WARC_LENGTH, 0))
        if not committed:
            return False
        size = path.stat().st_size if path.exists() else 0
        found = list(archive.parts(path, committed)) if size else []
        kept = [part for part in found if part.head]
        length = sum(part.size for part in kept)
        if length == committed:
            return False
        bad = len(found) - len(kept)
        where = f"{counted(bad, 'place')} cannot be read" if bad else "its end is missing"
        tell(f"{WARC} is damaged: {where}; {committed - length:,} of {committed:,} bytes are lost")
        _tell_lost_pages(reader, kept, tell)
    if bad:
        _replace_archive(path, kept, tell)
    return True


def _tell_lost_pages(reader: CrawlReader, kept: list[archive.Part], tell: Callable[[str], object]) -> None:
    archived = {archive.response_url(part) for part in kept}
    lost = [url for (url,) in reader.connection.execute(KEPT_PAGES) if url not in archived]
    if lost:
        named = ", ".join(lost[:MOST_NAMED]) + (" …" if len(lost) > MOST_NAMED else "")
        tell(f"not in it any more: {counted(len(lost), 'page')} of {DATABASE} ({named})")
    else:
        tell(f"all pages of {DATABASE} are still in it")


def _replace_archive(path: Path, kept: list[archive.Part], tell: Callable[[str], object]) -> None:
    temporary, damaged = temporary_name(path), path.with_name(f"{path.name}.damaged")
    try:
        archive.copy(path, kept, temporary)
        if not (damaged.exists() and damaged.samefile(path)):  # by a repair that was killed
            damaged = _free_name(damaged)
            os.link(path, damaged)
        os.replace(temporary, path)
    finally:
        remove(temporary)
    _sync(path.parent)
    tell(f"the damaged file is kept: {damaged}")


# -- the index, and the end --------------------------------------------------------------------------


def _repair_index(directory: Path, tell: Callable[[str], object]) -> bool:
    path = directory / STATEMENTS
    with _reader(directory) as reader:
        if wrong := _wrong_with_index(path, reader):
            tell(f"{STATEMENTS}/ is made anew from {DATABASE}: {wrong}")
    if wrong and path.exists():
        trash = temporary_name(path)
        path.rename(trash)
        remove(trash)
    return bool(wrong)


def _wrong_with_index(path: Path, reader: CrawlReader) -> str:
    if not path.exists():
        return "it is missing" if reader.pages_with_statements_since(0) else ""
    if not reader.indexed and reader.pages_to_index:
        return f"it is not of this {DATABASE}"
    try:
        store = pyoxigraph.Store.read_only(str(path))
        graphs = {quad.graph_name.value for quad in store}
        del store
    except BaseException as error:  # Oxigraph may panic, and that is no Exception
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return "it cannot be read"
    first = reader.connection.execute(GRAPHS.format(graph=reader.graph_column))
    behind = reader.pages_to_index
    missing = sum(graph_iri(url)[1:-1] not in graphs for (url,) in first)
    return f"it lacks {counted(missing, 'page')}" if missing > behind else ""


def _reader(directory: Path) -> CrawlReader:
    return CrawlReader(directory, database.open_for_reading(directory / DATABASE))


def _finish(directory: Path, lock: Lock, last: ExitStack, *, is_new: bool) -> None:
    """Opening the crawl completes its index and knows how long its WARC file is; then its totals are new."""
    connection = database.open_for_writing(directory / DATABASE)
    last.callback(connection.close)
    store = CrawlStore(directory, connection, lock)
    last.callback(store.close)
    if store.state(WARC_LENGTH) is not None:
        path = directory / WARC
        store.save(WARC_LENGTH, path.stat().st_size if path.exists() else 0)
    if is_new and store.summary:
        store.write_summary({**store.summary, **store.totals()})
