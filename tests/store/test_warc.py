"""WARC files that others can read, and that no crash makes unreadable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from sundog.store import CrawlStore, Exchange, Observed
from sundog.store.warc import WarcFile, records, whole_members
from tests.store.crawls import decided, exchange, fill


def read(path: Path) -> list[tuple[str, str, Any, bytes]]:
    with path.open("rb") as file:
        return [
            (each.rec_type, each.rec_headers["WARC-Target-URI"], each.http_headers, each.content_stream().read())
            for each in ArchiveIterator(file, check_digests="raise")
        ]


def write(path: Path, page: Exchange) -> None:
    file = WarcFile(path, 0)
    file.append(records(page))
    file.close()


def test_warcio_reads_request_response_and_metadata(tmp_path: Path) -> None:
    write(tmp_path / "w.gz", exchange("http://a.example/x?y#z", b"<p>hello"))
    response, request, metadata = read(tmp_path / "w.gz")
    assert [response[0], request[0], metadata[0]] == ["response", "request", "metadata"]
    assert response[1] == "http://a.example/x?y#z"
    assert response[2].get_statuscode() == "200"
    assert response[2].get_header("Content-Length") == "8"
    assert response[2].get_header("X-Crawler-Content-Encoding") == "gzip"
    assert response[3] == b"<p>hello"
    assert metadata[3] == b"depth: 0\r\n"


@pytest.mark.parametrize(
    ("url", "target"),
    [("http://a.example", "/"), ("http://a.example?q", "/?q"), ("http://a.example/x?y#z", "/x?y")],
)
def test_the_request_asks_for_path_and_query(tmp_path: Path, url: str, target: str) -> None:
    write(tmp_path / "w.gz", exchange(url))
    request = read(tmp_path / "w.gz")[1][2]
    assert f"{request.protocol} {request.statusline}" == f"GET {target} HTTP/1.1"


def test_hostile_headers_make_no_records(tmp_path: Path) -> None:
    hostile = [("X", "a\r\n\r\nWARC/1.1\r\nWARC-Type: response"), ("Y\n", "\ud800")]
    page = Exchange("http://a.example/\r\nX: y", 0.0, "GET", hostile, 200, "O\nK", hostile, b"")
    write(tmp_path / "w.gz", page)
    assert [record[0] for record in read(tmp_path / "w.gz")] == ["response", "request", "metadata"]


def test_what_was_not_committed_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "crawl" / "pages.warc.gz"
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
    whole = path.read_bytes()
    path.write_bytes(whole + records(exchange("http://lost.example/"))[:-9])
    with CrawlStore.open(tmp_path / "crawl") as store:
        assert path.read_bytes() == whole
        store.append(Observed(4, 17.0, "fetched", 0.0), exchange=exchange("http://d.example/"))
        store.append(decided(4))
    assert [record[1] for record in read(path)][::3] == [
        "http://a.example/",
        "http://c.example?q",
        "http://d.example/",
    ]


@pytest.mark.parametrize("lost", [1, 5, 300, 10_000])
def test_a_file_shorter_than_committed_keeps_its_whole_records(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "w.gz"
    data = b"".join(records(exchange(f"http://a.example/{i}", bytes(range(256)) * 10)) for i in range(20))
    path.write_bytes(data[:-lost])
    file = WarcFile(path, len(data))
    assert file.size == whole_members(path) == path.stat().st_size <= len(data) - lost
    file.append(records(exchange("http://b.example/")))
    file.close()
    found = read(path)
    assert len(found) >= 3
    assert found[-3][1] == "http://b.example/"
