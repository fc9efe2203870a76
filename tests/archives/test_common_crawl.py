"""Pages by host from an index and WARC files in the layout of Common Crawl, on disk and over HTTP."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sundog.archives.common_crawl import CommonCrawl
from sundog.archives.warc import ArchivedPage, Unusable
from sundog.engines.archived.from_archives import world_from_pages
from sundog.errors import SundogError
from tests.archives.files import PRODUCT, page, record, response

INDEX = "cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-10/subset=warc"
HOSTS = [f"www.host{number}.example" for number in range(8)]
PAGES = 5


def make(root: Path) -> Path:
    """Two WARC files with a gzip member for each record; an index of two files, sorted by host, small groups."""
    rows: list[dict[str, object]] = []
    for number in range(2):
        name = f"crawl-data/CC-MAIN-2024-10/segments/1/warc/CC-MAIN-0000{number}.warc.gz"
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = gzip.compress(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
        for host in HOSTS[number::2]:
            for each in range(PAGES):
                url = f"http://{host}/{each}"
                packed = gzip.compress(page(url, f"/{(each + 1) % PAGES}", body=PRODUCT if each == 2 else ""))
                rows.append(_row(host, url, name, len(data), len(packed), "text/html"))
                data += packed
            picture = gzip.compress(
                record("response", f"http://{host}/a.gif", response(b"GIF", type_="image/gif"))
            )
            rows.append(_row(host, f"http://{host}/a.gif", name, len(data), len(picture), "image/gif"))
            data += picture
        path.write_bytes(data)
    rows.sort(key=lambda row: str(row["url_host_name"]))
    folder = root / INDEX
    folder.mkdir(parents=True)
    for number, half in enumerate((rows[: len(rows) // 2], rows[len(rows) // 2 :])):
        pq.write_table(pa.Table.from_pylist(half), folder / f"part-0000{number}.gz.parquet", row_group_size=6)
    names = [f"{INDEX}/part-0000{number}.gz.parquet" for number in range(2)]
    (root / "cc-index-table.paths.gz").write_bytes(gzip.compress("\n".join(names).encode()))
    return root


def _row(host: str, url: str, name: str, start: int, length: int, mime: str) -> dict[str, object]:
    return {
        "url_surtkey": ",".join(reversed(host.split("."))) + ")/",
        "url": url,
        "url_host_name": host,
        "fetch_status": 200,
        "content_mime_type": mime,
        "warc_filename": name,
        "warc_record_offset": start,
        "warc_record_length": length,
    }


class Ranges(SimpleHTTPRequestHandler):
    """Python's server of files, with ranges; it fails once."""

    asked: ClassVar[list[tuple[str, str]]] = []
    failures = 1

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.asked.append((self.path, wanted))
        if type(self).failures and "warc.gz" in self.path:
            type(self).failures -= 1
            self.send_error(503)
            return
        data = Path(self.translate_path(self.path)).read_bytes()
        if wanted:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            part = data[int(first) : int(last) + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        else:
            part = data
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("cc"))


@pytest.fixture
def server(root: Path) -> Iterator[str]:
    Ranges.asked, Ranges.failures = [], 1
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranges, directory=str(root))) as serving:
        thread = Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}/"
        serving.shutdown()
        thread.join()


def check(found: list[object], hosts: list[str]) -> None:
    pages = [each for each in found if isinstance(each, ArchivedPage)]
    assert sorted(each.url for each in pages) == sorted(
        f"http://{host}/{n}" for host in hosts for n in range(PAGES)
    )
    assert [each for each in found if isinstance(each, Unusable)] == [Unusable("", "other type")] * len(hosts)


@pytest.mark.parametrize("index", [INDEX, "cc-index-table.paths.gz"])
def test_on_disk(root: Path, index: str) -> None:
    check(list(CommonCrawl(str(root / index), data=str(root)).pages(HOSTS[1:3])), HOSTS[1:3])


@pytest.mark.parametrize("index", [f"{INDEX}/part-00000.gz.parquet", "cc-index-table.paths.gz"])
def test_over_http(server: str, index: str) -> None:
    """Only the groups of rows that may have the host are read, and only the records that are pages."""
    crawl = CommonCrawl(f"{server}{index}", delay=0.0, allow_private=True)
    check(list(crawl.pages([HOSTS[0].upper()])), [HOSTS[0]])
    of_warcs = [wanted for path, wanted in Ranges.asked if "warc.gz" in path]
    assert len(of_warcs) == PAGES + 1  # one was asked again after a 503
    assert all(wanted for path, wanted in Ranges.asked if path.endswith((".parquet", ".warc.gz")))


def test_a_world_of_it(root: Path, tmp_path: Path) -> None:
    pages = CommonCrawl(str(root / INDEX), data=str(root)).pages(HOSTS[:2])
    made = world_from_pages(pages, tmp_path / "world", workers=1)
    assert (made.pages, made.hosts, made.links, made.outside) == (2 * PAGES, 2, 2 * PAGES, 0)
    assert made.left_out == {"other type": 2}


def test_private_servers_need_a_word(server: str) -> None:
    with pytest.raises(SundogError, match="--allow-private"):
        list(CommonCrawl(f"{server}cc-index-table.paths.gz", delay=0.0).pages(HOSTS[:1]))


def test_what_is_no_index_is_one_sentence(root: Path, tmp_path: Path) -> None:
    with pytest.raises(SundogError, match=r"has no page of nobody\.example"):
        list(CommonCrawl(str(root / INDEX), data=str(root)).pages(["nobody.example"]))
    (tmp_path / "a.parquet").write_bytes(b"x")
    pq.write_table(pa.table({"url": ["x"]}), tmp_path / "b.parquet")
    for name, message in {
        "a.parquet": "cannot be read",
        "b.parquet": "has no column",
        "c.parquet": "c.parquet",
    }.items():
        with pytest.raises(SundogError, match=message):
            list(CommonCrawl(str(tmp_path / name), data=str(root)).pages(HOSTS))


def test_an_index_cannot_name_other_files(root: Path, tmp_path: Path) -> None:
    """An index is others' data: a name that leads out of the folder is refused, a hostile length is not read."""
    (tmp_path / "secret").write_bytes(b"x" * 100)
    table = pa.Table.from_pylist([_row(HOSTS[0], "http://x/", "../secret", 0, 10, "text/html")])
    pq.write_table(table, tmp_path / "bad.parquet")
    (tmp_path / "data").mkdir()
    with pytest.raises(SundogError, match="outside the folder"):
        list(CommonCrawl(str(tmp_path / "bad.parquet"), data=str(tmp_path / "data")).pages(HOSTS))
    for length in (-1, 0, 10**12):
        pq.write_table(
            pa.Table.from_pylist([_row(HOSTS[0], "http://x/", "secret", 0, length, "")]), tmp_path / "long.parquet"
        )
        found = list(CommonCrawl(str(tmp_path / "long.parquet"), data=str(tmp_path)).pages(HOSTS))
        assert found == [Unusable("", "damaged")]
