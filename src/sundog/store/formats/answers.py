"""sundog.store.formats.answers"""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.entities import iso_time
from sundog.store.reader import CrawlReader

ANSWERS = """SELECT u.url, l.at, a.answer FROM answers a JOIN log l ON l.step = a.step
  JOIN urls u ON u.id = l.subject ORDER BY a.id"""


def write_answers(reader: CrawlReader, out: Path) -> None:
    """One answer a line: rows of a query, records of a form, what was kept of an API; with its page and time."""
    with out.open("wb") as file:
        for url, at, answer in reader.connection.execute(ANSWERS):
            item = {"page": url, "fetched_at": iso_time(at), "answer": orjson.loads(answer)}
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))
