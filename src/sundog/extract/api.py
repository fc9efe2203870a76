"""One call: cap the bytes, find out what they are, unpack them, run the extractors that can find something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from sundog.errors import UsageError, nearest
from sundog.extract.dom import Document, parse_html
from sundog.extract.guards import (
    ALL_TOGETHER,
    GivenUpError,
    Report,
    TimeBox,
    no_garbage_collection,
    seconds_for,
)
from sundog.extract.media import UTF_8_MARK, as_utf8, charset_of, is_plain_json, kind_of
from sundog.extract.output import Statements, TooMuchOutputError, room_of
from sundog.extract.packed import PackedFile, UnpackCaps, is_packed
from sundog.extract.page import HtmlPage
from sundog.extract.rdf import MAX_STATEMENTS, read_rdf
from sundog.extract.registry import PLUGINS, SYNTAXES, Extractor, Out, all_syntaxes, find_extractor
from sundog.extract.remote_contexts import RemoteContexts
from sundog.extract.result import Extraction, Fault

MAX_BYTES: Final = 5_000_000
MOST_FAULTS: Final = 100  # of a page
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def extract(
    body: bytes,
    base: str = "",
    content_type: str = "text/html",
    syntaxes: Iterable[str] | None = None,
    *,
    max_bytes: int = MAX_BYTES,
    seconds: float | None = None,
    max_unpacked: int | None = None,
    max_statements: int = MAX_STATEMENTS,
    contexts: Mapping[str, Any] | None = None,
    linked_context: str = "",
) -> Extraction:
    """All structured data and links of a page or file.

    ``base`` is its URL, ``syntaxes`` are the ones to look for (all by default). More than ``max_bytes`` are cut,
    and more than ``max_unpacked`` (the same by default) of a file that is packed; each extractor has so many
    ``seconds``, by default what ``guards.seconds_for`` gives for its size. Nothing is fetched, no file is read,
    nothing is raised for what is wrong with the bytes: that is in ``faults``.

    ``contexts`` are remote contexts of JSON-LD by their URLs: JSON, as text or parsed. Those that are asked for
    and not given are in ``missing_contexts`` of the result. ``linked_context`` is one that a Link header gives to
    plain JSON.
    """
    if not isinstance(body, bytes):
        raise UsageError(f"extract() of {type(body).__name__}: bytes are expected, such as page.encode()")
    wanted = _checked(syntaxes)
    result = Extraction(base, RemoteContexts(contexts))
    result.by_syntax = {name: [] for name in wanted}
    if is_packed(body):
        packed = PackedFile(body, base, content_type, UnpackCaps(max_unpacked or max_bytes, max_statements))
        _run("rdf", packed.read, TimeBox(seconds or seconds_for(max_unpacked or max_bytes)), result, [])
        result.faults += [Fault("page", reason) for reason in packed.faults]
        if packed.page is None:
            return result
        body = packed.page
    body = _cut(body, max_bytes, result)
    linked = linked_context if is_plain_json(content_type) else ""
    kind = "jsonld" if linked else kind_of(content_type, base, body)
    seconds = seconds or seconds_for(len(body))
    if kind == "html":
        _from_html(body, content_type, wanted, seconds, result)
    elif not kind:
        result.faults.append(Fault("page", f"neither HTML nor RDF: {content_type.partition(';')[0][:100]}"))
    elif "rdf" in wanted:

        def read(box: TimeBox, out: Out, report: Report) -> None:
            text = as_utf8(kind, body, charset_of(content_type), report)
            read_rdf(kind, text, base, box, out, report, max_statements, result.remote, linked)

        _run("rdf", read, TimeBox(seconds), result, [])
    return result


def _cut(body: bytes, max_bytes: int, result: Extraction) -> bytes:
    if len(body) > max_bytes:
        result.faults.append(Fault("page", f"cut at {max_bytes:,} bytes"))
        body = body[:max_bytes]
    if body.startswith(_UTF_16):
        body = UTF_8_MARK + body.decode("utf-16", "replace").encode()
    return body


def _checked(syntaxes: Iterable[str] | None) -> tuple[str, ...]:
    if syntaxes is None:
        return all_syntaxes()
    wanted = tuple(dict.fromkeys(syntaxes))
    for name in wanted:
        if name not in SYNTAXES and name not in PLUGINS:
            known = all_syntaxes()
            raise UsageError(f"unknown syntax '{name}'{nearest(name, known)}; there are {', '.join(known)}")
        find_extractor(name)
    return wanted


def _from_html(
    body: bytes, content_type: str, wanted: tuple[str, ...], seconds: float, result: Extraction
) -> None:
    with no_garbage_collection():
        document = parse_html(body, encoding=charset_of(content_type))
        _from_tree(document, wanted, seconds, result, room_of(len(body)))


def _from_tree(document: Document, wanted: tuple[str, ...], seconds: float, result: Extraction, room: int) -> None:
    page = result.page = HtmlPage(document, result.base, result.remote)
    whole = TimeBox(seconds * ALL_TOGETHER)
    for name in wanted:
        extractor = find_extractor(name)
        if extractor is not None and (not extractor.selector or document.has(extractor.selector)):

            def read(box: TimeBox, out: Any, report: Report, extractor: Extractor = extractor) -> None:
                extractor.read(page, box, out, report)

            found = Statements(room)
            _run(name, read, whole.part(seconds), result, found)
            room = found.room
    page.release()  # before the garbage collector has a look at them
    if document.cut:
        result.faults.append(Fault("page", f"only the first {len(document):,} elements were read"))


def _run(
    name: str, read: Callable[[TimeBox, Any, Report], None], box: TimeBox, result: Extraction, found: Out
) -> None:
    """A page that breaks an extractor costs the rest of that extractor's result, and nothing else."""

    def report(reason: str) -> None:
        fault = Fault(name, reason)
        if len(result.faults) < MOST_FAULTS and fault not in result.faults:
            result.faults.append(fault)

    try:
        read(box, found, report)
    except GivenUpError as error:
        report(str(error))
    except TooMuchOutputError:
        report(f"cut after {len(found):,} statements: they are too long for a page of its size")
    except RecursionError:
        report("nested too deeply")
    except Exception as error:
        report(f"{type(error).__name__}: {error}"[:300])
    if found and name in result.by_syntax:
        result.by_syntax[name] = list(dict.fromkeys(found))
