"""Native RDF: Turtle, TriG, N-Triples, N-Quads, N3, RDF/XML and JSON-LD documents.

A file is first read as strictly as the standards want it. If it breaks them, it is read once more, leniently: IRIs
are mended as a browser would, statements that cannot be mended are left out, and of a file that stops half-way
everything before that is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import IO, Any, Final

import pyoxigraph
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, RdfFormat, Triple

from sundog.extract import jsonld
from sundog.extract.guards import Report, TimeBox, triple_term_danger
from sundog.extract.media import UTF_8_MARK
from sundog.extract.output import Statements, TooMuchOutputError
from sundog.extract.remote_contexts import RemoteContexts
from sundog.extract.xml_danger import ends_early, xml_danger
from sundog.rdf.namespaces import RDF
from sundog.rdf.terms import Statement, iri, literal, quoted, typed
from sundog.urls.references import Base

# A file that is declared to be Turtle may be TriG, which has all that Turtle has; likewise N-Triples and N-Quads.
FORMATS: Final = {
    "turtle": RdfFormat.TRIG,
    "trig": RdfFormat.TRIG,
    "ntriples": RdfFormat.N_QUADS,
    "nquads": RdfFormat.N_QUADS,
    "n3": RdfFormat.N3,
    "rdfxml": RdfFormat.RDF_XML,
}
LINES: Final = ("ntriples", "nquads")  # a broken line costs nothing but itself
WHOLE: Final = ("rdfxml", "jsonld")  # must be in memory to be read
MAX_STATEMENTS: Final = 250_000  # as of a dump: more of them would hold up a crawl that stores them
MAX_CHARACTERS: Final = 100_000_000  # of all statements, as ``_size`` counts: a prefix may make a short file long
MOST_OF_A_FILE: Final = 50_000_000  # the same, of a file that is not packed
TIMES_ITS_BYTES: Final = 150  # the same; a list of numbers in Turtle becomes a hundred times as long
LEAST_CHARACTERS: Final = 1_000_000  # for the smallest file
MAX_TERM: Final = 1_000_000  # characters
MOST_ERRORS: Final = 1_000
_SINGLE_QUOTED = re.compile(rb"(<!ENTITY\s+[\w.:\x80-\xff-]+\s+)'([^'\"]*)'")
_WITHOUT_LANGUAGE = (f'"^^<{RDF}langString>', f'"^^<{RDF}dirLangString>')
_STATEMENTS_A_CHECK = 1024
_DEFAULT = DefaultGraph()

Source = bytes | Callable[[], IO[bytes]]  # a stream can be opened again


class _TooManyError(Exception):
    """There are more statements, or longer ones, than are kept."""


def read_rdf(
    kind: str,
    source: Source,
    base: str,
    box: TimeBox,
    out: list[Statement],
    report: Report,
    most: int = MAX_STATEMENTS,
    remote: RemoteContexts | None = None,
    linked: str = "",
) -> None:
    """Append the file's statements; of a broken one those that can be read. ``WHOLE`` kinds come as bytes.

    ``remote`` and ``linked`` are contexts of JSON-LD.
    """
    begun = len(out)
    if isinstance(source, bytes):
        if kind == "jsonld":
            _read_jsonld(source, base, box, out, report, remote, linked)
            if len(out) - begun > most:
                del out[begun + most :]
                report(f"only the first {most:,} statements were read")
            _without_giants(out, begun, report)
            return
        source = source.removeprefix(UTF_8_MARK)
        if kind == "rdfxml":
            source = _SINGLE_QUOTED.sub(rb'\1"\2"', source)  # XML allows both, pyoxigraph knows one
        danger = xml_danger(source) if kind == "rdfxml" else triple_term_danger(source)
        if danger:
            report(danger)
            return
    try:
        if isinstance(source, bytes):
            _read_twice(kind, source, base, box, out, report, most)
            if kind == "rdfxml" and ends_early(source):  # pyoxigraph does not mind
                report(f"broken after {len(out) - begun:,} statements: its root element has no end")
        else:
            quads = _parsed(kind, source(), base)
            _read_on(kind, quads, _SharedTerms().plain, box, out, report, most, MAX_CHARACTERS)
    except _TooManyError:
        report(f"only the first {len(out) - begun:,} statements were read")
    except MemoryError:  # of the parser's buffer, which is 16 MB
        report(f"broken after {len(out) - begun:,} statements: a term is too long")
    _without_giants(out, begun, report)


def _read_jsonld(
    source: bytes,
    base: str,
    box: TimeBox,
    out: list[Statement],
    report: Report,
    remote: RemoteContexts | None,
    linked: str,
) -> None:
    found = Statements(characters_for(len(source)))
    text = source.decode("utf-8-sig", "replace")
    try:
        jsonld.read_document(text, Base(base), box, found, report, remote, linked)
    except TooMuchOutputError:
        report(f"only the first {len(found):,} statements were read")
    finally:
        out.extend(found)


def characters_for(size: int) -> int:
    """That the statements of a file of so many bytes may have.

    >>> characters_for(100), characters_for(100_000), characters_for(5_000_000)
    (1000000, 15000000, 50000000)
    """
    return min(MOST_OF_A_FILE, max(LEAST_CHARACTERS, TIMES_ITS_BYTES * size))


def _parsed(kind: str, source: bytes | IO[bytes], base: str, *, lenient: bool = False) -> Iterator[Any]:
    known_base = iri(base)
    return pyoxigraph.parse(
        source,
        format=FORMATS[kind],
        base_iri=known_base[1:-1] if known_base else None,
        rename_blank_nodes=True,
        lenient=lenient,
    )


def _read_twice(
    kind: str, body: bytes, base: str, box: TimeBox, out: list[Statement], report: Report, most: int
) -> None:
    """Strictly, and if that fails leniently."""
    begun = len(out)
    try:
        room = characters_for(len(body))
        plain = _SharedTerms().plain
        for number, quad in enumerate(_parsed(kind, body, base), 1):
            terms = plain(quad)
            room -= _size(terms)
            if number > most or room < 0:
                raise _TooManyError
            out.append(terms)
            if number % _STATEMENTS_A_CHECK == 0:
                box.check()
    except SyntaxError as error:
        box.check()  # a file may have been broken slowly on purpose
        del out[begun:]
        quads, room = _parsed(kind, body, base, lenient=True), characters_for(len(body))
        _read_on(kind, quads, _mended, box, out, report, most, room, error.msg)


def _read_on(
    kind: str,
    quads: Iterator[Any],
    terms_of: Callable[[Any], tuple[str, ...] | None],
    box: TimeBox,
    out: list[Statement],
    report: Report,
    most: int,
    room: int,
    mended: str = "",
) -> None:
    """Past what is broken, where the format has lines. ``mended``: why it is not read strictly."""
    begun, errors, left_out = len(out), 0, 0
    for number in count(1):
        if number % _STATEMENTS_A_CHECK == 0:
            box.check()
        try:
            quad = next(quads, None)
        except SyntaxError as error:
            errors += 1
            if errors == 1:
                report(f"broken after {len(out) - begun:,} statements: {error.msg}")
            if kind not in LINES or errors == MOST_ERRORS:
                break
            continue
        if quad is None:
            break
        if len(out) - begun == most:
            raise _TooManyError
        terms = terms_of(quad)
        if terms is None:
            left_out += 1
        else:
            room -= _size(terms)
            if room < 0:
                raise _TooManyError
            out.append(terms)
    if mended and not errors and not left_out:
        report(f"mended: {mended}")
    if errors > 1:
        report(f"{errors:,} errors, and then it was given up" if errors == MOST_ERRORS else f"{errors:,} errors")
    if left_out:
        report(f"{left_out:,} statements left out: an IRI is relative and there is no base, or is none at all")


class _SharedTerms:
    """What is named again and again is one text in memory: a third of a dump's, and of what its reader sends."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def plain(self, quad: Any) -> tuple[str, ...]:
        share, value = self._known.setdefault, quad.object
        subject, predicate = str(quad.subject), str(quad.predicate)
        text = f"<<( {value} )>>" if isinstance(value, Triple) else str(value)
        if text.endswith(_WITHOUT_LANGUAGE):  # pyoxigraph writes what it does not read
            text = quoted(value.value)
        terms = (
            share(subject, subject),
            share(predicate, predicate),
            text if text[0] == '"' else share(text, text),
        )
        return terms if quad.graph_name == _DEFAULT else (*terms, str(quad.graph_name))


def _size(terms: tuple[str, ...]) -> int:
    """In characters of one byte: a single emoji makes every character of its text take four."""
    value = terms[2]
    return len(terms[0]) + len(terms[1]) + (len(value) if value.isascii() else 4 * len(value))


def _mended(quad: Any) -> tuple[str, ...] | None:
    """The statement with terms that strict parsers accept; None if one cannot be made so."""
    terms = [_mended_term(quad.subject), _mended_term(quad.predicate), _mended_term(quad.object)]
    if not isinstance(quad.graph_name, DefaultGraph):
        terms.append(_mended_term(quad.graph_name))
    found = tuple(term for term in terms if term is not None)
    return found if len(found) == len(terms) else None


def _mended_term(term: Any) -> str | None:
    if isinstance(term, NamedNode):
        return iri(term.value)
    if isinstance(term, Literal):
        if term.language and term.direction is None:
            return literal(term.value, term.language)
        return quoted(term.value) if term.language else typed(term.value, term.datatype.value)
    if isinstance(term, BlankNode):
        return str(term)
    return None  # a triple term: rare, and rarer in broken files


def _without_giants(out: list[Statement], begun: int, report: Report) -> None:
    """A term that would fill pages of a book is no data that anybody can use."""
    giants = [at for at in range(begun, len(out)) if len(out[at][2]) > MAX_TERM]
    if giants:
        report(f"{len(giants):,} statements left out: a literal has more than {MAX_TERM:,} characters")
        for at in reversed(giants):
            del out[at]
