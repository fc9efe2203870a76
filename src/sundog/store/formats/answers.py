"""answers: what queries, forms and APIs have answered, one a line."""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.entities import iso_time
from sundog.store.formats.format import Format
from sundog.store.reader import CrawlReader

ROWS = """SELECT u.url, l.at, a.answer FROM answers a JOIN log l ON l.step = a.step
  JOIN urls u ON u.id = l.subject ORDER BY a.id"""


def write_answers(reader: CrawlReader, out: Path) -> None:
    """Rows of a query, records of a form, what was kept of an API; each with its page and time."""
    with out.open("wb") as file:
        for url, at, answer in reader.connection.execute(ROWS):
            item = {"page": url, "fetched_at": iso_time(at), "answer": orjson.loads(answer)}
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


ANSWERS = Format(
    name="answers",
    file="answers.jsonl",
    media_type="application/x-ndjson",
    title="Answers",
    summary="what queries, forms and APIs have answered, one a line",
    write=write_answers,
)
