"""answers: what queries, forms and APIs have answered, one a line."""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.database import LATEST
from sundog.store.formats.format import JSON_LINES, Format, write_json_lines
from sundog.store.reader import CrawlReader
from sundog.texts import iso_time

ROWS = f"""SELECT u.url, l.at, a.answer FROM answers a JOIN log l ON l.step = a.step
  JOIN urls u ON u.id = l.subject JOIN outcomes o ON o.step = a.step WHERE {LATEST} ORDER BY a.id"""


def write_answers(reader: CrawlReader, out: Path) -> None:
    """Rows of a query, records of a form, what was kept of an API; each with its page and time."""
    rows = reader.connection.execute(ROWS)
    write_json_lines(
        out,
        ({"page": url, "fetched_at": iso_time(at), "answer": orjson.loads(answer)} for url, at, answer in rows),
    )


ANSWERS = Format(
    name="answers",
    file="answers.jsonl",
    media_type=JSON_LINES,
    title="Answers",
    summary="what queries, forms and APIs have answered, one a line",
    write=write_answers,
)
