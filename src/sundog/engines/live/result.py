"""The result document of a crawl with patterns: made from what is committed, whenever somebody wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from sundog.engines.live.steering.marks import bare
from sundog.engines.live.whole_crawl import crawl_document, crawl_quads
from sundog.errors import SundogError, UsageError
from sundog.patterns.surroundings import item_xml
from sundog.patterns.whole import ResultRunner
from sundog.spec.crawl import parse_spec
from sundog.spec.patterns import Patterns
from sundog.store import CrawlReader, open_readonly
from sundog.store.records import write_records
from sundog.store.tables import CsvTable, ParquetTable
from sundog.store.targets import check_target, complete_or_absent

Record = Mapping[str, Any]


def export_result(directory: Path | str, out: Path | str | None = None) -> Path:
    """Write the result of a crawl, finished or running, anew; returns where."""
    directory = Path(directory)
    with open_readonly(directory) as reader:
        patterns = parse_spec(reader.spec_text, str(directory / "spec.toml")).patterns
        if not patterns or not reader.knows_patterns:
            raise UsageError(f"{directory} has no result: its spec has no patterns")
        return write_result(reader, patterns, Path(out) if out is not None else None)


def write_result(reader: CrawlReader, patterns: Patterns, out: Path | None = None) -> Path:
    target = out or reader.directory / f"result.{patterns.result.form}"
    check_target(target, reader.directory, is_table=False)
    content = _made(reader, patterns)
    with complete_or_absent(target) as temporary:
        _write(content, patterns.result.form, temporary)
    return target


def _made(reader: CrawlReader, patterns: Patterns) -> str | Sequence[Any]:
    """A text, or records."""
    result = patterns.result
    if not result.find:
        return _items(reader, result.of, result.order)[: result.limit]
    crawl = crawl_quads(reader) if result.engine == "sparql" else crawl_document(reader)
    answer = ResultRunner(patterns).run(crawl)
    made: str | Sequence[Any] = answer["text"] if "text" in answer else answer["records"]
    return made


def _items(reader: CrawlReader, of: Sequence[str] | None, order: Sequence[str]) -> list[Record]:
    """As they are, each with its page and its pattern."""
    found: list[Record] = [
        {
            **each.item,
            "url": each.item.get("url", bare(each.url)),
            "node_id": each.page,
            "matched_id": each.pattern,
        }
        for each in reader.items()
        if of is None or each.pattern in of
    ]
    for name in reversed(order):
        field, backwards = name.removeprefix("-"), name.startswith("-")
        with_it = [each for each in found if each.get(field) is not None]
        without = [each for each in found if each.get(field) is None]
        found = sorted(with_it, key=lambda each: _key(each[field]), reverse=backwards) + without
    return found


def _key(value: Any) -> tuple[int, Any]:
    """Numbers stand before texts."""
    if isinstance(value, int | float):
        return 0, value
    return 1, value if isinstance(value, str) else orjson.dumps(value).decode()


def _write(content: str | Sequence[Any], form: str, path: Path) -> None:
    if form == "xml":
        text = content if isinstance(content, str) else _as_xml(content)
        path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8")
    elif form == "json":
        path.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    else:
        write_records(_table(content), path, CsvTable if form == "csv" else ParquetTable)


def _as_xml(records: Sequence[Any]) -> str:
    items = "\n".join(item_xml(each) for each in records)
    return f"<result>\n{items}\n</result>"


def _table(records: str | Sequence[Any]) -> list[Record]:
    """Elements that are wrapped in one are its rows."""
    rows: Any = records
    while isinstance(rows, list) and len(rows) == 1 and isinstance(rows[0], Mapping) and len(rows[0]) == 1:
        inner = next(iter(rows[0].values()))
        if not (isinstance(inner, list) and inner and all(isinstance(each, Mapping) for each in inner)):
            break
        rows = inner
    if isinstance(rows, Mapping):
        rows = [rows]
    if not isinstance(rows, list):
        raise SundogError("a table is made of maps or elements with children: the result pattern gives a text")
    return [each if isinstance(each, Mapping) else {"value": each} for each in rows]
