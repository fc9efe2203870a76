"""Packed files of RDF: read as they are unpacked, and never more than the caps allow."""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from sundog.extract import Extraction, extract

BASE = "http://example.com/dump"


def lines(count: int, word: str = "x") -> bytes:
    return "".join(f'<http://v.example/{n}> <http://v.example/p> "{word}" .\n' for n in range(count)).encode()


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def read(body: bytes, url: str = BASE, kind: str = "application/octet-stream", **more: float) -> Extraction:
    return extract(body, base=url, content_type=kind, syntaxes=["rdf"], **more)  # type: ignore[arg-type]


def reasons(found: Extraction) -> str:
    return "; ".join(fault.reason for fault in found.faults)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lambda body: zipped(**{"data.nt": body})])
def test_more_than_a_page_may_have(pack: Callable[[bytes], bytes]) -> None:
    body = pack(lines(20_000))
    found = read(body, max_bytes=100_000, max_unpacked=10_000_000)
    assert (found.counts["rdf"], found.faults) == (20_000, [])
    cut = read(body, max_bytes=100_000)
    assert 1_500 < cut.counts["rdf"] < 2_500
    assert "cut at 100,000 bytes unpacked" in reasons(cut)
    capped = read(body, max_unpacked=10_000_000, max_statements=1_000)
    assert capped.counts["rdf"] == 1_000
    assert "only the first 1,000 statements" in reasons(capped)


def test_files_of_an_archive() -> None:
    xml = (
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://v.example/">'
        b'<rdf:Description rdf:about="x"><v:q>x</v:q></rdf:Description></rdf:RDF>'
    )
    turtle = b'@prefix v: <http://v.example/> . <y> v:q [ v:r "z" ] .'
    archive = zipped(**{"a.nt": lines(3), "b.rdf": xml, "c/d": turtle, "read.me": b"hello", "e.html": b"<html>"})
    found = read(archive)
    assert (found.counts["rdf"], found.faults) == (6, [])
    assert "<http://example.com/x>" in found.nquads()


def test_blank_nodes_of_two_files_are_not_the_same() -> None:
    text = b'_:a <http://v.example/p> "x" .\n'
    assert read(zipped(**{"1.nt": text, "2.nt": text})).counts["rdf"] == 2


def test_a_bomb() -> None:
    bomb = gzip.compress(lines(1) + b"# " + bytes(300_000_000), compresslevel=1)
    found = read(bomb, f"{BASE}.nt.gz", max_unpacked=2_000_000)
    assert found.counts["rdf"] == 1
    assert "cut at 2,000,000 bytes unpacked" in reasons(found)


def test_files_of_a_bomb_share_the_cap() -> None:
    files = {f"{number}.nt": lines(1) + b"#" * 1_000_000 for number in range(50)}
    assert read(zipped(**files), max_unpacked=5_000_000).counts["rdf"] == 1  # the same line in each
    many = {f"{number}.nt": lines(1, str(number)) for number in range(150)}
    found = read(zipped(**many))
    assert found.counts["rdf"] == 100
    assert "only the first 100 of 150 files" in reasons(found)


def test_a_literal_of_a_hundred_million_characters() -> None:
    body = lines(2) + b'<http://v.example/9> <http://v.example/p> "' + b"x" * 100_000_000 + b'" .\n'
    found = read(gzip.compress(body, compresslevel=1), f"{BASE}.nt.gz", max_unpacked=200_000_000, seconds=30)
    assert found.counts["rdf"] == 2
    assert "a term is too long" in reasons(found)


@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(lines(9_000), mtime=0)[:-2_000],
        bz2.compress(lines(9_000))[:-300],
        zipped(**{"a.nt": lines(9_000)})[:-40],
        b"BZh" + b"?" * 100,
        b"PK\x03\x04" + b"?" * 100,
        zipped(**{"a.nt": lines(10)}).replace(b"a.nt", b"b.nt", 1),
    ],
)
def test_broken_packages(body: bytes) -> None:
    found = read(body, f"{BASE}.nt")
    assert found.faults


def test_triple_terms_that_nest_without_end() -> None:
    found = read(gzip.compress(lines(2) + b"<<( " * 100_000), f"{BASE}.nt.gz")
    assert "nested more than 500 deep" in reasons(found)


def test_a_packed_page_is_a_page() -> None:
    page = gzip.compress(b"<!doctype html><a href=x>y</a>")
    assert [link.url for link in extract(page, base=BASE, content_type="text/html").links] == [
        "http://example.com/x"
    ]


def test_names_in_an_archive_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("../up.nt", str(tmp_path / "there.nt"), "a/../../b.nt", "C:\\x.nt", "\x01.nt")
    found = read(zipped(**{name: lines(1, name.encode().hex()) for name in names}))
    assert (found.counts["rdf"], found.faults) == (len(names), [])
    assert not list(tmp_path.iterdir())


def test_an_archive_of_a_hundred_thousand_files() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(100_000):
            archive.writestr(zipfile.ZipInfo(f"{number}.nt"), b"")
    assert reasons(read(out.getvalue(), seconds=60)) == "only the first 100 of 100,000 files were read"
