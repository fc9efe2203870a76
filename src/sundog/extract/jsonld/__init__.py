"""JSON-LD: script blocks of pages, and documents.

Blocks are read one by one, so that a broken one costs nothing but itself. Together they are one document, as
the specification says of pages with several.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

import orjson

from sundog.extract.guards import Report, TimeBox
from sundog.extract.jsonld.local_context import Surroundings
from sundog.extract.jsonld.reader import Reader
from sundog.extract.jsonld.repair import complete_nodes, parse
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.remote_contexts import RemoteContexts
from sundog.media_types import TYPE_OF_KIND, media_type
from sundog.urls.references import Base

__all__ = ["read_document", "read_scripts"]


def read_scripts(page: HtmlPage, box: TimeBox, out: Statements, report: Report) -> None:
    """Append the statements of all script blocks; what could not be read is reported."""
    scripts = [node for node in page.document.parsed.select("script[type]") if _is_jsonld(node.attr("type"))]
    if not scripts:
        return
    _, _, fragment = page.url.partition("#")
    if fragment:  # a URL that points at one block means that one
        scripts = [node for node in scripts if node.attr("id") == fragment] or scripts
    documents: list[Any] = []
    for number, node in enumerate(scripts, 1):
        text = node.text
        if not text or text.isspace():
            continue
        try:
            documents += parse(text, box)
        except (ValueError, RecursionError) as error:
            report(f"block {number}: {_reason(error)}")
    around = Surroundings(page.base, page.remote, box, report)
    _read_all(documents, Reader(out, around, repairs=True), report)


def read_document(
    text: str,
    base: Base,
    box: TimeBox,
    out: Statements,
    report: Report,
    remote: RemoteContexts | None = None,
    linked: str = "",
) -> None:
    """Append the statements of a JSON-LD file; of one that stops half-way those of the nodes before that.

    ``linked`` is the context of a file that names none.
    """
    begun = len(out)
    documents, broken = _documents(text, box)
    around = Surroundings(base, remote or RemoteContexts(), box, report)
    _read_all(documents, Reader(out, around, repairs=False), report, linked)
    if broken:
        report(f"broken after {len(out) - begun:,} statements: {broken}" if documents else broken)


def _documents(text: str, box: TimeBox) -> tuple[list[Any], str]:
    """What is in the file, and what is wrong with it. That it was cut is looked for first: repairs take longer."""
    with suppress(ValueError):
        return [orjson.loads(text)], ""
    beginning = complete_nodes(text, box)
    with suppress(ValueError):
        return [orjson.loads(beginning)], "not JSON: it stops half-way"
    try:
        return parse(text, box), ""
    except (ValueError, RecursionError) as error:
        return [], _reason(error)


def _read_all(documents: list[Any], reader: Reader, report: Report, linked: str = "") -> None:
    for document in documents:
        try:
            reader.read(document, alone=len(documents) == 1, linked=linked)
        except RecursionError as error:
            report(_reason(error))


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else f"not JSON: {error}"


@lru_cache(maxsize=256)
def _is_jsonld(kind: str) -> bool:
    return media_type(kind) == TYPE_OF_KIND["jsonld"]
