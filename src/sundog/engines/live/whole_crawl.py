"""A whole crawl as a document, for result patterns: XML, or N-Quads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sundog.engines.live.spending import SPENT
from sundog.engines.live.steering.marks import bare
from sundog.patterns.surroundings import attributes, item_xml
from sundog.store import CrawlReader
from sundog.store.statements import graph_iri

PAGES = "SELECT id, url, depth, parent, fetched_at, relevant FROM pages ORDER BY fetched_at, id"
LINKS = "SELECT DISTINCT src, dst FROM links WHERE dst IN (SELECT id FROM pages)"
STATEMENTS = """SELECT u.url, s.triples FROM statements s JOIN outcomes o ON o.step = s.id / 8
  JOIN urls u ON u.id = o.candidate ORDER BY s.id"""
CRAWL = "urn:sundog:crawl#"


def crawl_document(reader: CrawlReader) -> str:
    """As docs/patterns.md shows it."""
    pages = reader.connection.execute(PAGES).fetchall()
    matched, links = _matches(reader, {row[0] for row in pages})
    items = list(reader.items())
    parts = []
    for order, (number, url, depth, parent, at, relevant) in enumerate(pages, 1):
        head = {"id": number, "url": bare(url), "depth": depth, "order": order, "at": at, "relevant": relevant}
        head |= {"parent": "" if parent is None else parent, "matched": " ".join(matched.get(number, ()))}
        parts.append(f"<page{attributes(head)}>{''.join(links.get(number, ()))}</page>")
    for each in items:
        head = {"id": each.id, "page": each.page, "url": bare(each.url), "pattern": each.pattern}
        parts.append(item_xml(each.item, **head))
    about = {"pages": len(pages), "items": len(items), "seconds": reader.state(SPENT, {}).get("seconds", 0.0)}
    return f"<crawl{attributes(about)}>{''.join(parts)}</crawl>"


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


def crawl_quads(reader: CrawlReader) -> str:
    """The statements of all pages, and the crawl as a graph of its own."""
    return "".join([*_statements(reader), *_graph(reader)])


def _statements(reader: CrawlReader) -> Iterator[str]:
    for url, triples in reader.connection.execute(STATEMENTS):
        yield triples.replace(" .\n", f" {graph_iri(url)} .\n").replace(
            "<https://schema.org/", "<http://schema.org/"
        )


def _graph(reader: CrawlReader) -> Iterator[str]:
    urls: dict[int, str] = {}
    for order, (number, url, depth, parent, at, _) in enumerate(reader.connection.execute(PAGES).fetchall(), 1):
        urls[number] = graph_iri(bare(url))
        for word, value in (("id", number), ("depth", depth), ("order", order), ("time", at)):
            yield _quad(urls[number], word, _literal(value))
        if parent in urls:
            yield _quad(urls[number], "parent", urls[parent])
    for match in reader.matches():
        if match.page in urls and match.kind != "stop":
            yield _quad(urls[match.page], "matched", _literal(match.pattern))
        for target in match.targets:
            if target in urls and match.page in urls:
                yield _quad(urls[match.page], "link", urls[target])
    for each in reader.items():
        about = f"_:item{each.id}"
        yield _quad(about, "pattern", _literal(each.pattern))
        yield _quad(about, "page", graph_iri(bare(each.url)))
        yield from _fields(about, each.item)


def _fields(about: str, item: Mapping[str, Any]) -> Iterator[str]:
    for place, (name, value) in enumerate(item.items()):
        for number, each in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(each, Mapping):
                inner = f"{about}-{place}-{number}"
                yield _quad(about, name, inner)
                yield from _fields(inner, each)
            elif each is not None:
                yield _quad(about, name, _literal(each))


def _quad(subject: str, word: str, value: str) -> str:
    return f"{subject} {graph_iri(CRAWL + word)} {value} <urn:sundog:crawl> .\n"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
        return f'"{escaped}"'
    kind = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else "double"
    return f'"{str(value).lower()}"^^<http://www.w3.org/2001/XMLSchema#{kind}>'
