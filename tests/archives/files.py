"""Archives as other programs write them, made by hand or by warcio."""

from __future__ import annotations

import gc
import gzip
import io
import json
import warnings
import zipfile
from collections.abc import Iterable
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PRODUCT = (
    '<script type="application/ld+json">{"@context":"https://schema.org/","@type":"Product","name":"x"}</script>'
)
HOME = "http://a.example/"


def html(*links: str, body: str = "") -> bytes:
    anchors = "".join(f'<p><a href="{link}">to {link}</a>' for link in links)
    return f"<!doctype html><title>x</title><body>{body}{anchors}".encode()


def response(body: bytes, *headers: str, status: str = "200 OK", type_: str = "text/html") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {type_}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def record(kind: str, url: str, block: bytes, *headers: str, type_: str = "application/http") -> bytes:
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        "WARC-Record-ID: <urn:uuid:6d058047-ede2-4a13-be79-90c17c631dd4>",
        "WARC-Date: 2024-01-31T12:00:00Z",
        f"WARC-Target-URI: {url}",
        *headers,
        f"Content-Type: {type_}",
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def page(url: str, *links: str, body: str = "") -> bytes:
    return record("response", url, response(html(*links, body=body)))


def packed(records: Iterable[bytes]) -> bytes:
    """A gzip member for each record, as the standard asks for."""
    return b"".join(map(gzip.compress, records))


def by_warcio(path: Path, pages: dict[str, bytes]) -> Path:
    with path.open("wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # warcio leaves temporary files to the collector
        writer = WARCWriter(file, gzip=path.suffix == ".gz")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "warcio"}))
        for url, body in pages.items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            made = writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers)
            writer.write_record(made)
        del made
        gc.collect()
    return path


def wacz(path: Path, warcs: dict[str, bytes], *, method: int = zipfile.ZIP_STORED) -> Path:
    """By the specification of WACZ 1.1.1: archive/, indexes/, pages/ and datapackage.json."""
    resources = [{"name": name, "path": f"archive/{name}", "bytes": len(data)} for name, data in warcs.items()]
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in warcs.items():
            file.writestr(f"archive/{name}", data)
        file.writestr("indexes/index.cdx.gz", gzip.compress(b""))
        file.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0", "id": "pages", "title": "All"}\n')
        package = {"profile": "data-package", "wacz_version": "1.1.1", "resources": resources}
        file.writestr("datapackage.json", json.dumps(package))
    return path
