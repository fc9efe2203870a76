"""result: what the result pattern makes of the crawl.

The pattern is given the whole crawl as a document, XML or N-Quads, which is made anew from what is committed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from sundog.errors import SundogError, UsageError
from sundog.files import complete_or_absent
from sundog.patterns.crawl_view import (
    NAMESPACE,
    WaitingPage,
    attributes,
    crawl_term_iri,
    item_xml,
    waiting_xml,
)
from sundog.patterns.definitions import LANGUAGES, RESULT_FORMATS, Patterns
from sundog.patterns.runner import ResultRunner, asks_for_waiting
from sundog.rdf.namespaces import one_schema_org
from sundog.rdf.terms import of_value
from sundog.spec.crawl import parse_spec
from sundog.store import CrawlReader
from sundog.store.database import LATEST
from sundog.store.directory import SPEC, check_target
from sundog.store.formats.csv import CsvTable
from sundog.store.formats.format import Format
from sundog.store.formats.parquet import ParquetTable
from sundog.store.page_texts import page_texts
from sundog.store.reader import SPENT
from sundog.store.statements import graph_iri, nquads
from sundog.store.tables import write_records
from sundog.urls.revisits import without_mark

PAGES = "SELECT id, url, depth, parent, fetched_at, relevant FROM pages ORDER BY fetched_at, id"
GRAPHS = f"SELECT u.id, {{graph}} FROM outcomes o JOIN urls u ON u.id = o.candidate WHERE {LATEST}"
LINKS = "SELECT DISTINCT src, dst FROM links WHERE dst IN (SELECT id FROM pages)"
WAITING = """SELECT id, url, depth FROM urls WHERE id NOT IN (SELECT candidate FROM outcomes)
  AND id NOT IN (SELECT subject FROM log WHERE event = 'refused') ORDER BY id"""
MEDIA_TYPES = {
    "xml": "application/xml",
    "json": "application/json",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
}
Record = Mapping[str, Any]


def write_result(reader: CrawlReader, patterns: Patterns) -> Path:
    """At the end of a crawl, by the process that has it open; returns where."""
    target = reader.directory / _file(patterns)
    check_target(target, reader.directory)
    content = _made(reader, patterns)
    with complete_or_absent(target) as temporary:
        _write(content, patterns.result.written_as, temporary)
    return target


def _file(patterns: Patterns) -> str:
    return f"result.{patterns.result.written_as}"


def _patterns_of(reader: CrawlReader) -> Patterns:
    patterns = parse_spec(reader.spec_text, str(reader.directory / SPEC)).patterns
    if not patterns or not reader.knows_patterns:
        raise UsageError(f"{reader.directory} has no result: its spec has no patterns")
    return patterns


def _export(reader: CrawlReader, out: Path) -> None:
    patterns = _patterns_of(reader)
    _write(_made(reader, patterns), patterns.result.written_as, out)


RESULT = Format(
    name="result",
    file="result.xml",
    media_type=MEDIA_TYPES["xml"],
    title="Result",
    summary="what the result pattern makes of the crawl",
    write=_export,
    of_patterns=True,
    variants={f"result.{each}": MEDIA_TYPES[each] for each in RESULT_FORMATS},
    choose=lambda reader: _file(_patterns_of(reader)),
)


def _made(reader: CrawlReader, patterns: Patterns) -> str | Sequence[Any]:
    """A text, or records."""
    result = patterns.result
    if not result.find:
        return _items(reader, result.of, result.order)[: result.limit]
    with_waiting = asks_for_waiting(f"crawl {result.find}")
    make = crawl_quads if LANGUAGES[result.engine].over_statements else crawl_document
    crawl = make(reader, with_waiting=with_waiting)
    answer = ResultRunner(patterns).run(crawl)
    made: str | Sequence[Any] = answer["text"] if "text" in answer else answer["records"]
    return made


def _items(reader: CrawlReader, of: Sequence[str] | None, order: Sequence[str]) -> list[Record]:
    """As they are, each with its page and its pattern."""
    found: list[Record] = [
        {
            **each.item,
            "url": each.item.get("url", without_mark(each.url)),
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


def crawl_document(reader: CrawlReader, *, with_waiting: bool = False) -> str:
    """As docs/patterns.md shows it."""
    pages = reader.connection.execute(PAGES).fetchall()
    matched, links = _matches(reader, {row[0] for row in pages})
    items = list(reader.items())
    parts = []
    for order, (number, url, depth, parent, at, relevant) in enumerate(pages, 1):
        head = {
            "id": number,
            "url": without_mark(url),
            "depth": depth,
            "order": order,
            "at": at,
            "relevant": relevant,
        }
        head |= {"parent": "" if parent is None else parent, "matched": " ".join(matched.get(number, ()))}
        parts.append(f"<page{attributes(head)}>{''.join(links.get(number, ()))}</page>")
    for each in items:
        head = {"id": each.id, "page": each.page, "url": without_mark(each.url), "pattern": each.pattern}
        parts.append(item_xml(each.item, **head))
    about = {"pages": len(pages), "items": len(items), "seconds": reader.state(SPENT, {}).get("seconds", 0.0)}
    if with_waiting:
        waiting = _waiting(reader)
        parts.append(waiting_xml(waiting, len(waiting)))
    return f"<crawl{attributes(about)}>{''.join(parts)}</crawl>"


def _waiting(reader: CrawlReader) -> list[WaitingPage]:
    """Pages that were found and not asked for, the first found first."""
    via: dict[int, list[str]] = {}
    for match in reader.matches():
        for target in match.targets:
            if match.pattern not in via.setdefault(target, []):
                via[target].append(match.pattern)
    rows = reader.connection.execute(WAITING).fetchall()
    return [WaitingPage(number, without_mark(url), depth, via.get(number, ())) for number, url, depth in rows]


def _matches(reader: CrawlReader, pages: set[int]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """What matched where; and links between pages that came, with the patterns that found them, as elements."""
    matched: dict[int, list[str]] = {}
    links: dict[int, list[str]] = {}
    has_patterns = False
    for match in reader.matches():
        if match.kind != "stop":
            matched.setdefault(match.page, []).append(match.pattern)
        for target in match.targets:
            has_patterns = True
            if target in pages:
                element = f"<link{attributes({'to': target, 'by': match.pattern})}/>"
                links.setdefault(match.page, []).append(element)
    if not has_patterns:
        for source, target in reader.connection.execute(LINKS):
            links.setdefault(source, []).append(f"<link{attributes({'to': target})}/>")
    return matched, links


def crawl_quads(reader: CrawlReader, *, with_waiting: bool = False) -> str:
    """The statements of all pages, and the crawl as a graph of its own."""
    return "".join([*_statements(reader), *_graph(reader), *(_frontier(reader) if with_waiting else ())])


def _frontier(reader: CrawlReader) -> Iterator[str]:
    for page in _waiting(reader):
        about = graph_iri(page.url)
        yield _quad(about, "waiting", of_value(True))
        yield _quad(about, "depth", of_value(page.depth))
        for pattern in page.via:
            yield _quad(about, "via", of_value(pattern))


def _statements(reader: CrawlReader) -> Iterator[str]:
    """As ``sundog query`` sees them, but all visits of a page are in one graph: the crawl's facts are about it."""
    for page in page_texts(reader):
        yield nquads(graph_iri(without_mark(page.graph)), one_schema_org(page.triples))


def _graph(reader: CrawlReader) -> Iterator[str]:
    graphs = dict(reader.connection.execute(GRAPHS.format(graph=reader.graph_column)).fetchall())
    urls: dict[int, str] = {}
    for order, (number, _, depth, parent, at, _) in enumerate(reader.connection.execute(PAGES).fetchall(), 1):
        urls[number] = graph_iri(without_mark(graphs[number]))
        for word, value in (("id", number), ("depth", depth), ("order", order), ("time", at)):
            yield _quad(urls[number], word, of_value(value))
        if parent in urls:
            yield _quad(urls[number], "parent", urls[parent])
    for match in reader.matches():
        if match.page in urls and match.kind != "stop":
            yield _quad(urls[match.page], "matched", of_value(match.pattern))
        for target in match.targets:
            if target in urls and match.page in urls:
                yield _quad(urls[match.page], "link", urls[target])
    for each in reader.items():
        about = f"_:item{each.id}"
        yield _quad(about, "pattern", of_value(each.pattern))
        yield _quad(about, "page", urls.get(each.page) or graph_iri(without_mark(each.url)))
        yield from _fields(about, each.item)


def _fields(about: str, item: Mapping[str, Any]) -> Iterator[str]:
    for place, (name, value) in enumerate(item.items()):
        for number, each in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(each, Mapping):
                inner = f"{about}-{place}-{number}"
                yield _quad(about, name, inner)
                yield from _fields(inner, each)
            elif each is not None:
                yield _quad(about, name, of_value(each))


def _quad(subject: str, word: str, value: str) -> str:
    return f"{subject} <{crawl_term_iri(word)}> {value} <{NAMESPACE}> .\n"
