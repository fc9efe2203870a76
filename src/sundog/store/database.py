"""``crawl.db``: its tables and views, and how it is made, written, and read while another process writes it.

docs/store.md says what every column means. The log is the crawl. Strings stand once, by their ids. A page's links
are one JSON array of ids, which costs a fifth of a row a link, and which the view ``links`` takes apart again with
what plain SQLite has.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import orjson

from sundog.errors import NoSpaceError, SundogError
from sundog.store.events import DECISION_PARTS, RENDER_PARTS
from sundog.store.statements import ROOM, STEP
from sundog.syntaxes import STORED

VERSION = 1
APPLICATION = 0x53554E44  # "SUND": tells a crawl's database from any other
OUTCOME = "step candidate decided status trouble final_url content_type size seconds content_hash duplicate_of"
OUTCOME_COLUMNS = (*OUTCOME.split(), *STORED, "types", "faults")
TABLES = f"""
CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT NOT NULL, parent INTEGER, depth INTEGER NOT NULL);
CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE log(step INTEGER PRIMARY KEY, event TEXT NOT NULL, subject INTEGER, at REAL, value REAL, data);
CREATE TABLE outcomes(
  step INTEGER PRIMARY KEY, candidate INTEGER NOT NULL, decided INTEGER NOT NULL,
  status INTEGER, trouble TEXT, final_url TEXT, content_type TEXT, size INTEGER, seconds REAL,
  content_hash BLOB, duplicate_of INTEGER, {", ".join(f"{name} INTEGER NOT NULL" for name in STORED)},
  types TEXT, faults TEXT);
CREATE INDEX outcomes_by_candidate ON outcomes(candidate);
CREATE TABLE hops(step INTEGER NOT NULL, url TEXT NOT NULL);
CREATE TABLE statements(id INTEGER PRIMARY KEY, syntax TEXT NOT NULL, triples TEXT NOT NULL);
CREATE TABLE answers(id INTEGER PRIMARY KEY, step INTEGER NOT NULL, answer TEXT NOT NULL);
CREATE TABLE contents(hash BLOB PRIMARY KEY, candidate INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE host_states(host TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE states(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
ADDED_LATER = """
CREATE INDEX IF NOT EXISTS log_relevant ON log(step) WHERE event = 'fetched' AND value > 0;
CREATE INDEX IF NOT EXISTS log_failed ON log(step) WHERE event = 'failed';
CREATE INDEX IF NOT EXISTS log_refused ON log(step) WHERE event = 'refused';
CREATE TABLE IF NOT EXISTS found_items(
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL, pattern TEXT NOT NULL, item TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS found_matches(
  step INTEGER NOT NULL, pattern TEXT NOT NULL, kind TEXT NOT NULL, found INTEGER NOT NULL, targets TEXT);
CREATE INDEX IF NOT EXISTS log_rounds ON log(step) WHERE event = 'round';
CREATE TABLE IF NOT EXISTS foreign_links(step INTEGER PRIMARY KEY, links TEXT NOT NULL, known TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS asked_elsewhere(url TEXT PRIMARY KEY) WITHOUT ROWID;
"""  # also made in the database of a crawl that was begun without them
OF_ROUNDS = """
CREATE TABLE IF NOT EXISTS {schema}revisits(
  step INTEGER PRIMARY KEY, candidate INTEGER NOT NULL, decided INTEGER NOT NULL, result TEXT NOT NULL,
  status INTEGER, age REAL NOT NULL, size INTEGER, found INTEGER NOT NULL, reason TEXT);
CREATE INDEX IF NOT EXISTS {schema}revisits_by_candidate ON revisits(candidate);
CREATE TABLE IF NOT EXISTS {schema}validators(
  candidate INTEGER PRIMARY KEY, etag TEXT, last_modified TEXT, text_hash BLOB);
"""  # likewise; readers of such a crawl see empty ones
OF_HEALTH = """
CREATE TABLE IF NOT EXISTS {schema}signs(
  step INTEGER PRIMARY KEY, signs TEXT NOT NULL, candidate INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS {schema}robots_files(
  step INTEGER NOT NULL, origin TEXT NOT NULL, digest TEXT, trouble TEXT);
CREATE TABLE IF NOT EXISTS {schema}hints(
  candidate INTEGER PRIMARY KEY, listing INTEGER NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS {schema}own_hints(
  candidate INTEGER PRIMARY KEY, fresh_for REAL, last_modified REAL, date_modified REAL);
"""  # likewise
# For queries in which o are outcomes, s statements and u URLs:
LATEST = "NOT EXISTS (SELECT 1 FROM outcomes later WHERE later.candidate = o.candidate AND later.step > o.step)"
PROMISED = 6  # syntaxes whose columns others know by their places in ``pages``; later ones come last
COUNTS = ", ".join(f"o.{name}" for name in STORED)
COUNTS_SUM = " + ".join(f"o.{name}" for name in STORED)
STATEMENTS = f"statements s JOIN outcomes o ON o.step = {STEP} JOIN urls u ON u.id = o.candidate"
CHOSEN = "(SELECT value FROM json_each(?))"  # of ids that ``as_ids`` has made a text of
PARTS = ", ".join(f'"{name}"' for name in DECISION_PARTS)
REST = "substr(url, instr(url, '://') + 3)"
ROUND_OF = "(SELECT coalesce(max(r.subject), 0) FROM log r WHERE r.event = 'round' AND r.step < o.step)"
GONE = "gone"  # a kind of trouble: the page was there, and is not any more
PAGES = f"""
CREATE VIEW pages(id, url, host, status, fetched_at, depth, parent, relevant, reward, score,
    {", ".join([*STORED[:PROMISED], "fault", *STORED[PROMISED:]])}) AS
  SELECT o.candidate, u.url, h.host, o.status, l.at, u.depth, u.parent, coalesce(l.value > 0, 0),
    coalesce(l.value, 0.0), d.value, {", ".join(f"o.{name}" for name in STORED[:PROMISED])},
    CASE WHEN l.event = 'failed' THEN l.data
      WHEN o.trouble = '{GONE}' THEN '{GONE}: status ' || o.status
      ELSE (SELECT group_concat(json_extract(value, '$[0]') || ': ' || json_extract(value, '$[1]'), '; ')
            FROM json_each(o.faults)) END{"".join(f", o.{name}" for name in STORED[PROMISED:])}
  FROM outcomes o JOIN log l ON l.step = o.step JOIN log d ON d.step = o.decided
    JOIN urls u ON u.id = o.candidate JOIN hosts_of_urls h ON h.id = o.candidate
  WHERE l.event <> 'refused' AND {LATEST};
"""
RENDERS = f"""
CREATE VIEW renders(step, page, url, cost, {", ".join(RENDER_PARTS)}) AS
  SELECT l.step, u.id, u.url, l.value,
    {", ".join(f"json_extract(l.data, '$[{place}]')" for place in range(len(RENDER_PARTS)))}
  FROM log l JOIN urls u ON u.id = l.subject WHERE l.event = 'rendered';
"""
OF_REVISITS = f"""
CREATE VIEW rounds(round, step, began, age, budget) AS
  SELECT subject, step, at, value, json_extract(data, '$[0]') FROM log WHERE event = 'round';

CREATE VIEW visits(step, page, url, round, at, result, status, size, found, reason, worth, value, rate, since) AS
  SELECT o.step, o.candidate, u.url, {ROUND_OF}, l.at, o.result, o.status, o.size, o.found, o.reason, d.value,
    json_extract(d.data, '$[0]'), json_extract(d.data, '$[1]'), json_extract(d.data, '$[2]')
  FROM revisits o JOIN log l ON l.step = o.step JOIN log d ON d.step = o.decided JOIN urls u ON u.id = o.candidate;

CREATE VIEW versions(page, url, version, step, round, since, until, status, reward, gone) AS
  SELECT o.candidate, u.url, row_number() OVER page_versions, o.step, {ROUND_OF}, max(l.at) OVER page_versions,
    CASE WHEN lead(l.at) OVER page_versions IS NOT NULL THEN max(l.at) OVER
      (PARTITION BY o.candidate ORDER BY o.step ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) END,
    o.status, coalesce(l.value, 0.0), coalesce(o.trouble = '{GONE}', 0)
  FROM outcomes o JOIN log l ON l.step = o.step JOIN urls u ON u.id = o.candidate
  WHERE l.event IN ('fetched', 'revisited') WINDOW page_versions AS (PARTITION BY o.candidate ORDER BY o.step);
"""
VIEWS = f"""
CREATE VIEW hosts_of_urls(id, url, host) AS
  SELECT id, url, substr(authority, instr(authority, '@') + 1) FROM (
    SELECT id, url, substr(rest, 1, min(instr(rest || '/', '/'), instr(rest || '?', '?'), instr(rest || '#', '#'))
      - 1) AS authority FROM (SELECT id, url, {REST} AS rest FROM urls));
{PAGES}
CREATE VIEW links(src, dst, anchor, tag_path) AS
  SELECT o.candidate, json_extract(link.value, '$[0]'), a.text, p.text
  FROM outcomes o CROSS JOIN log l ON l.step = o.step CROSS JOIN json_each(l.data) link
    LEFT JOIN texts a ON a.id = json_extract(link.value, '$[1]')
    LEFT JOIN texts p ON p.id = json_extract(link.value, '$[2]')
  WHERE l.event IN ('fetched', 'revisited') AND {LATEST};

CREATE VIEW refusals(id, url, at, reason) AS
  SELECT u.id, u.url, l.at, l.data FROM log l JOIN urls u ON u.id = l.subject WHERE l.event = 'refused';

CREATE VIEW decisions(step, id, url, at, score, {PARTS}) AS
  SELECT l.step, u.id, u.url, l.at, l.value,
    {", ".join(f"json_extract(l.data, '$[{place}]')" for place in range(len(DECISION_PARTS)))}
  FROM log l JOIN urls u ON u.id = l.subject WHERE l.event = 'decided';

CREATE VIEW types(page, type) AS
  SELECT o.candidate, each.value FROM outcomes o, json_each(o.types) each WHERE {LATEST};

CREATE VIEW faults(page, syntax, reason) AS
  SELECT o.candidate, json_extract(each.value, '$[0]'), json_extract(each.value, '$[1]')
  FROM outcomes o, json_each(o.faults) each WHERE {LATEST};

CREATE VIEW page_statements(page, syntax, triples) AS
  SELECT o.candidate, s.syntax, s.triples FROM statements s JOIN outcomes o ON o.step = {STEP}
  WHERE s.triples <> '' AND {LATEST};

CREATE VIEW items(id, page, url, pattern, fetched_at, item) AS
  SELECT i.id, o.candidate, u.url, i.pattern, l.at, i.item FROM found_items i
    JOIN outcomes o ON o.step = i.step JOIN log l ON l.step = i.step JOIN urls u ON u.id = o.candidate
  WHERE {LATEST};

CREATE VIEW matches(page, pattern, kind, found) AS
  SELECT o.candidate, m.pattern, m.kind, m.found FROM found_matches m JOIN outcomes o ON o.step = m.step
  WHERE {LATEST};

{RENDERS}
{OF_REVISITS}
"""
VIEW_NAMES = tuple(re.findall(r"CREATE VIEW (\w+)", VIEWS))
NUMBERS = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
SCHEMA = f"BEGIN; {TABLES} {ADDED_LATER} {(OF_ROUNDS + OF_HEALTH).format(schema='')} {VIEWS} {NUMBERS} COMMIT;"
PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -65536;
PRAGMA wal_autocheckpoint = 4000;
"""
# The last two: a quota is used up, or there is no room for the file that readers and the writer share.
NO_SPACE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
WAIT_MS = 10_000  # for a reader that takes a snapshot while the log is moved into the database


def as_ids(ids: Iterable[int]) -> str:
    """Ids as a parameter for ``CHOSEN``."""
    return orjson.dumps(list(ids)).decode()


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """What SQLite complains of, as one sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) in NO_SPACE:  # errors of Python's own part have none
            raise NoSpaceError(f"{path} cannot be written: {error}") from None
        if isinstance(error, sqlite3.OperationalError) and "disk" in str(error):
            raise SundogError(f"{path} cannot be written: {error}") from None
        raise SundogError(f"{path} is damaged or no database of a crawl ({error}); {_way_out(path)}") from None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def connect_new(path: Path) -> sqlite3.Connection:
    """Where a database is to be made; one that a crawl left before its first commit is as good as none."""
    with plain_errors(path), _closed_on_error(_connect(path, "rwc")) as connection:
        if not _is_empty(connection):
            raise SundogError(f"{path.parent} holds a crawl already: resume it, or choose another directory")
        return connection


def build(connection: sqlite3.Connection) -> None:
    connection.executescript(PRAGMAS)
    connection.executescript(SCHEMA)


def open_for_writing(path: Path) -> sqlite3.Connection:
    with plain_errors(path), _closed_on_error(_connect(path, "rw")) as connection:
        _check_version(connection, path)
        check_intact(connection, path)
        connection.executescript(PRAGMAS)
        connection.executescript(ADDED_LATER + OF_HEALTH.format(schema=""))
        _add_syntaxes(connection)
        _add_rounds(connection)
        if not _has_table(connection, "renders"):
            connection.executescript(RENDERS)
        return connection


def check_intact(connection: sqlite3.Connection, path: Path) -> None:
    """Reads all of it, about a GB in a second: a query alone finds no damage in pages that it does not come by."""
    if wrong := damage(connection, path, "quick_check"):
        raise SundogError(f"{path} is damaged ({wrong}); {_way_out(path)}")


def damage(connection: sqlite3.Connection, path: Path, check: Literal["quick_check", "integrity_check"]) -> str:
    """What is wrong with how it is built; empty if nothing is."""
    state = _cut_off(connection, path) or connection.execute(f"PRAGMA {check}(1)").fetchone()[0]
    return "" if state == "ok" else " ".join(state.split())


def _way_out(path: Path) -> str:
    return f"sundog repair {path.parent} saves what can be read"


def _cut_off(connection: sqlite3.Connection, path: Path) -> str:
    """SQLite takes a part of a page for a whole one. While there is a write-ahead log, pages may be in that."""
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists() and wal.stat().st_size:
        return ""
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    missing = int(pages * size) - path.stat().st_size
    return f"{missing:,} bytes of it are missing" if missing > 0 else ""


def show_as_of(connection: sqlite3.Connection, step: int) -> None:
    """For one who only reads: tables and views as they were after this step hide those that are."""
    known = [name for _, name, *_ in connection.execute("PRAGMA main.table_info(outcomes)")]
    columns = ", ".join(name if name in known else f"0 AS {name}" for name in OUTCOME_COLUMNS)
    shown = {"outcomes": columns, **dict.fromkeys(("log", "hops", "answers", "found_items", "revisits"), "*")}
    tables = {name for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
    views = [
        f"CREATE TEMP VIEW {name} AS SELECT {what} FROM main.{name} WHERE step <= {step:d};"
        for name, what in {**shown, "found_matches": "rowid, *"}.items()
        if name in tables
    ]
    views.append(f"CREATE TEMP VIEW statements AS SELECT * FROM main.statements WHERE id < {ROOM * (step + 1):d};")
    hidden = ("outcomes", *VIEW_NAMES)
    drops = [f"DROP VIEW IF EXISTS temp.{name};" for name in hidden]
    connection.executescript(" ".join([*drops, *views, as_temporary(VIEWS)]))


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Sees the state of one commit for as long as a query runs; never blocks the writer."""
    with plain_errors(path):
        try:
            return _checked(_connect(path, "ro"), path)
        except sqlite3.OperationalError:
            if path.with_name(f"{path.name}-wal").exists():
                raise
            return _checked(_connect(path, "ro", "&immutable=1"), path)  # its directory may only be read


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    with _closed_on_error(connection):
        _check_version(connection, path)
        _show_syntaxes(connection)
        if not knows_rounds(connection):
            connection.executescript(OF_ROUNDS.format(schema="temp.") + as_temporary(OF_REVISITS))
        if not _has_table(connection, "renders"):
            connection.executescript(as_temporary(RENDERS))
        if not _has_table(connection, "signs"):
            connection.executescript(OF_HEALTH.format(schema="temp."))
    return connection


def as_temporary(views: str) -> str:
    """Views that only this connection sees."""
    return views.replace("CREATE VIEW", "CREATE TEMP VIEW")


def knows_rounds(connection: sqlite3.Connection) -> bool:
    return _has_table(connection, "revisits")


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT count(*) FROM main.sqlite_master WHERE name = ?"
    return bool(connection.execute(query, (name,)).fetchone()[0])


def _add_rounds(connection: sqlite3.Connection) -> None:
    """To a crawl that was begun before a page had versions; its views show the latest from now on."""
    if not knows_rounds(connection):
        drops = "".join(f"DROP VIEW IF EXISTS {name}; " for name in VIEW_NAMES)
        connection.executescript(f"BEGIN; {drops} {OF_ROUNDS.format(schema='')} {VIEWS} COMMIT;")


def _missing_syntaxes(connection: sqlite3.Connection) -> list[str]:
    """Those that a crawl of an earlier version has no columns for: it did not look for them."""
    known = {name for _, name, *_ in connection.execute("PRAGMA table_info(outcomes)")}
    return [name for name in STORED if name not in known]


def _add_syntaxes(connection: sqlite3.Connection) -> None:
    missing = _missing_syntaxes(connection)
    if missing:
        with transaction(connection):
            for name in missing:
                connection.execute(f"ALTER TABLE outcomes ADD COLUMN {name} INTEGER NOT NULL DEFAULT 0")
            connection.execute("DROP VIEW pages")
            connection.execute(PAGES)


def _show_syntaxes(connection: sqlite3.Connection) -> None:
    """For one who may only read: views of this connection, which hide the tables of the same names."""
    missing = _missing_syntaxes(connection)
    if missing:
        columns = (f"0 AS {name}" if name in missing else name for name in OUTCOME_COLUMNS)
        connection.execute(f"CREATE TEMP VIEW outcomes AS SELECT {', '.join(columns)} FROM main.outcomes")
        connection.execute(as_temporary(PAGES))


def _connect(path: Path, mode: str, more: str = "") -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}{more}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
    return connection


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if _is_empty(connection):
        raise SundogError(f"{path.parent} holds no crawl: it was stopped before it began, so begin it again")
    if application != APPLICATION:
        raise SundogError(f"{path} is no database of a crawl")
    if version > VERSION:
        raise SundogError(
            f"{path} is of version {version}, made by a newer Sundog; this one knows version {VERSION}: upgrade it"
        )
