"""One call: cap, unpack, find out what it is, run the extractors that can find something."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from sundog.errors import UsageError, nearest
from sundog.extract.dom import parse_html
from sundog.extract.media import charset_of, unpacked
from sundog.extract import jsonld
from sundog.extract.microdata import read_microdata
from sundog.extract.page import Page
from sundog.extract.result import Extraction, Fault
from sundog.extract.urls import Base
from sundog.extract.rdfa import read_rdfa
from sundog.extract.timebox import OutOfTimeError, TimeBox

MAX_BYTES: Final = 5_000_000
SECONDS: Final = 2.0


def _microdata(page: Page, box: TimeBox, result: Extraction) -> None:
    read_microdata(page, box, result.by_syntax["microdata"])


def _jsonld(page: Page, box: TimeBox, result: Extraction) -> None:
    def report(reason: str) -> None:
        result.faults.append(Fault("jsonld", reason))

    jsonld.read_scripts(page, box, result.by_syntax["jsonld"], report)


def _rdfa(page: Page, box: TimeBox, result: Extraction) -> None:
    read_rdfa(page, box, result.by_syntax["rdfa"])


Extractor = Callable[[Page, TimeBox, Extraction], None]
_EXTRACTORS: dict[str, tuple[tuple[bytes, ...], Extractor]] = {
    "jsonld": ((b"ld+json",), _jsonld),
    "microdata": ((b"itemscope",), _microdata),
    "rdfa": ((b"property", b"typeof", b"vocab", b"rel", b"rev"), _rdfa),
}
SYNTAXES: Final = (*_EXTRACTORS, "rdf")


def extract(
    body: bytes,
    base: str = "",
    content_type: str = "text/html",
    syntaxes: Iterable[str] | None = None,
    *,
    max_bytes: int = MAX_BYTES,
    seconds: float = SECONDS,
) -> Extraction:
    """Everything that a page or file says."""
    wanted = _checked(syntaxes)
    result = Extraction(base)
    body = unpacked(body, max_bytes, result.faults)
    if 'json' in content_type:
        result.by_syntax['rdf']=[]
        jsonld.read_document(body.decode(),Base(base),TimeBox(seconds),result.by_syntax['rdf'],lambda r: result.faults.append(Fault('rdf',r)))
    else: _from_html(body, content_type, wanted, seconds, result)
    return result


def _checked(syntaxes: Iterable[str] | None) -> tuple[str, ...]:
    wanted = SYNTAXES if syntaxes is None else tuple(syntaxes)
    for name in wanted:
        if name not in SYNTAXES:
            raise UsageError(f"unknown syntax '{name}'{nearest(name, SYNTAXES)}; there are {', '.join(SYNTAXES)}")
    return wanted


def _from_html(body: bytes, content_type: str, wanted: tuple[str, ...], seconds: float, result: Extraction) -> None:
    document = parse_html(body, encoding=charset_of(content_type))
    if document.cut:
        result.faults.append(Fault("html", f"only the first {len(document.elements):,} elements were read"))
    page = result.page = Page(document, result.base)
    lower = body.lower()
    for name in wanted:
        if name == "rdf":
            continue
        result.by_syntax[name] = []
        marks, extractor = _EXTRACTORS[name]
        if any(mark in lower for mark in marks):
            _run(name, extractor, page, seconds, result)


def _run(name: str, extractor: Extractor, page: Page, seconds: float, result: Extraction) -> None:
    try:
        extractor(page, TimeBox(seconds), result)
    except OutOfTimeError:
        result.faults.append(Fault(name, f"stopped after {seconds:g} seconds"))
    except RecursionError:
        result.faults.append(Fault(name, "nested too deeply"))
    except Exception as error:  # a page that breaks an extractor costs that extractor's result only
        result.faults.append(Fault(name, f"{type(error).__name__}: {error}"))
    result.by_syntax[name] = list(dict.fromkeys(result.by_syntax[name]))
