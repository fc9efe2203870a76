"""WARC files of all kinds of writers, and such that nobody should write."""

from __future__ import annotations

import gzip
import io
import math
import zipfile
from pathlib import Path

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.archives.files import ArchiveFile, archive_files
from sundog.archives.http_answer import parse_answer, without_chunks
from sundog.archives.warc import Archived, ArchivedCopy, ArchivedPage, ArchivedRedirect, Unusable, read_warc
from sundog.errors import SundogError
from tests.archives.files import HOME, by_warcio, html, packed, page, record, response, wacz


def found_in(data: bytes) -> tuple[list[Archived], list[str]]:
    told: list[str] = []
    return [found for _, found in read_warc(io.BytesIO(data), "it", told.append)], told


def only_page(data: bytes) -> ArchivedPage:
    (found,), told = found_in(data)
    assert isinstance(found, ArchivedPage)
    assert told == []
    return found


@pytest.mark.parametrize("pack", [b"".join, packed, lambda records: gzip.compress(b"".join(records))])
def test_gzip_per_record_over_all_or_not_at_all(pack: object) -> None:
    records = [page(f"{HOME}{number}", "/x") for number in range(3)]
    found, told = found_in(pack(records))  # type: ignore[operator]
    assert [each.url for each in found] == [f"{HOME}{number}" for number in range(3)]
    assert told == []
    assert found[0].body == html("/x")  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_warcio_writes_them(tmp_path: Path, name: str) -> None:
    path = by_warcio(tmp_path / name, {HOME: html("/x"), f"{HOME}x": html()})
    found = [each for _, each in ArchiveFile(path).records(pytest.fail)]
    assert [(each.url, each.body) for each in found] == [(HOME, html("/x")), (f"{HOME}x", html())]  # type: ignore[union-attr]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_wacz(tmp_path: Path, method: int) -> None:
    warcs = {"data.warc.gz": packed([page(HOME)]), "more.warc": page(f"{HOME}2")}
    files = archive_files([wacz(tmp_path / "a.wacz", warcs, method=method)])
    found = [each.url for file in files for _, each in file.records(pytest.fail)]
    assert found == [HOME, f"{HOME}2"]


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(html("/x"), mtime=0)),
        ("br", brotli.compress(html("/x"))),
        ("gzip", html("/x")),  # unpacked by the archiver, who left the header
    ],
)
def test_content_encodings(coding: str, body: bytes) -> None:
    made = record("response", HOME, response(body, f"Content-Encoding: {coding}"))
    assert only_page(made).body == html("/x")


@pytest.mark.parametrize(
    "body",
    [b"3\r\n<p>\r\n5;ext=1\r\nhello\r\n0\r\n\r\n", b"3\n<p>\n5\nhello\n0\n\n", b"<p>hello", b"8\r\n<p>hello"],
)
def test_chunks_or_what_is_called_so(body: bytes) -> None:
    assert only_page(record("response", HOME, response(body, "Transfer-Encoding: chunked"))).body == b"<p>hello"


def test_chunks_within_gzip() -> None:
    packed_body = gzip.compress(b"<p>hello")
    body = f"{len(packed_body):x}\r\n".encode() + packed_body + b"\r\n0\r\n\r\n"
    made = response(body, "Transfer-Encoding: chunked", "Content-Encoding: gzip")
    assert only_page(record("response", HOME, made)).body == b"<p>hello"


def test_redirects_revisits_errors_and_resources() -> None:
    profile = "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    found, _ = found_in(
        record("response", HOME, response(b"", "Location: /new", status="301 Moved"))
        + record("revisit", f"{HOME}b", response(b""), profile, f"WARC-Refers-To-Target-URI: {HOME}")
        + record("response", f"{HOME}gone", response(b"<p>sorry", status="404 Not Found"))
        + record("resource", f"{HOME}file", b"<p>", type_="text/html")
        + record("response", f"{HOME}picture", response(b"GIF89a", type_="image/gif"))
        + record("response", "dns:a.example", b"127.0.0.1")
        + record("request", HOME, b"GET / HTTP/1.1\r\n\r\n")
    )
    assert found[0] == ArchivedRedirect(HOME, f"{HOME}new")
    assert found[1] == ArchivedCopy(f"{HOME}b", HOME)
    gone, file = found[2], found[3]
    assert isinstance(gone, ArchivedPage)
    assert (gone.status, gone.body) == (404, b"")
    assert isinstance(file, ArchivedPage)
    assert (file.status, file.body) == (200, b"<p>")
    assert found[4:] == [Unusable(f"{HOME}picture", "other type")]


def test_metadata_belong_to_the_page_before_them() -> None:
    fields = b"fetchTimeMs: 250\r\nredirected-from: http://a.example/old\r\n"
    found, _ = found_in(
        page(HOME)
        + record("metadata", HOME, fields, type_="application/warc-fields")
        + page(f"{HOME}b")
        + record("metadata", HOME, b"fetchTimeMs: 99\r\n", type_="application/warc-fields")
    )
    first, second = found
    assert isinstance(first, ArchivedPage)
    assert isinstance(second, ArchivedPage)
    assert (first.seconds, first.other_urls) == (0.25, ("http://a.example/old",))
    assert math.isnan(second.seconds)


def test_a_url_in_angle_brackets() -> None:
    assert only_page(record("response", f"<{HOME}>", response(b"<p>"))).url == HOME


@pytest.mark.parametrize(
    "block",
    [
        b"no http at all",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 100_000 + b"\r\n<p>",
        b"HTTP/1.1 2000 OK\r\n\r\n<p>",
        response(gzip.compress(bytes(50_000_000), mtime=0), "Content-Encoding: gzip"),  # a bomb
        response(b"\x00\x01", "Content-Encoding: gzip"),
        response(b"x", "Content-Encoding: gzip, gzip, gzip"),
    ],
)
def test_a_hostile_record_costs_its_own_page_only(block: bytes) -> None:
    found, told = found_in(record("response", f"{HOME}bad", block) + page(HOME))
    assert isinstance(found[0], Unusable)
    assert isinstance(found[1], ArchivedPage)
    assert told == []


def test_a_page_longer_than_the_limit_is_cut() -> None:
    found = only_page(record("response", HOME, response(b"<p>" + b"x" * 6_000_000)))
    assert found.truncated
    assert len(found.body) == 5_000_000


@pytest.mark.parametrize("pack", [b"".join, packed])
def test_a_truncated_file_gives_what_is_whole(pack: object) -> None:
    whole = [page(f"{HOME}{number}", *"abcdefgh") for number in range(3)]
    data = pack(whole)  # type: ignore[operator]
    found, _ = found_in(data[: len(data) - 150])
    pages = [each for each in found if isinstance(each, ArchivedPage)]
    assert [each.url for each in pages] == [f"{HOME}0", f"{HOME}1"]
    assert all(each.body == html(*"abcdefgh") for each in pages)


def test_damage_is_told() -> None:
    good = packed([page(HOME)])
    found, told = found_in(good + b"\x1f\x8b\x08\x00garbage" * 50 + good)
    assert [each.url for each in found] == [HOME]
    assert len(told) == 1
    assert told[0].startswith("it is damaged after 1 records")


def test_what_is_no_archive_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "a.wacz").write_text("x")
    zipfile.ZipFile(tmp_path / "empty.wacz", "w").close()
    for name in ("a.txt", "a.wacz", "empty.wacz", "missing.warc"):
        with pytest.raises(SundogError, match=name):
            archive_files([tmp_path / name])
    (tmp_path / "folder").mkdir()
    with pytest.raises(SundogError, match="has no archive"):
        archive_files([tmp_path / "folder"])


def test_no_answer_and_no_chunks() -> None:
    assert parse_answer(b"") is None
    assert without_chunks(b"") == b""
    assert without_chunks(b"ffffffff\r\nabc") == b"abc"


WHOLE = [
    page(HOME, "/1"),
    record("response", HOME, response(gzip.compress(html("/x"), mtime=0), "Content-Encoding: gzip")),
    record("response", HOME, response(b"3\r\nabc\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
    record("response", HOME, response(b"", "Location: /new", status="301 Moved")),
    record("revisit", HOME, response(b""), "WARC-Refers-To-Target-URI: http://b.example/"),
    record("metadata", HOME, b"fetchTimeMs: 3\r\n", type_="application/warc-fields"),
]
INSERTED = [
    b"Content-Length: -1",
    b"WARC/1.1",
    b"\r\n\r\n",
    b"\xff",
    b"9" * 20,
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"\0",
]


@given(
    st.lists(st.sampled_from(WHOLE), min_size=1, max_size=4),
    st.booleans(),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(INSERTED)), max_size=5),
)
def test_whatever_the_bytes_are_it_ends(
    records: list[bytes], is_packed: bool, changes: list[tuple[float, int, bytes]]
) -> None:
    """Something is found, left out or told; nothing is raised."""
    data = bytearray(packed(records) if is_packed else b"".join(records))
    for place, removed, inserted in changes:
        at = int(place * len(data))
        data[at : at + removed] = inserted
    found, told = found_in(bytes(data))
    assert len(told) <= 1
    assert all(each.url.startswith("http") for each in found)
