"""Every format in the site: listed, downloaded, sent by e-mail, and no reason why a crawl could not be deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.files import temporary_name
from sundog.report.crawl import write_crawl_report
from sundog.results.export import FORMATS, export, files_of_exports
from sundog.store.directory import OWN_FILES, REPORT
from sundog.store.formats.format import Format
from sundog.web.notify.attachment import Attachment
from sundog.web.notify.email import email_of
from sundog.web.notify.notice import Notice
from sundog.web.settings import EmailSettings, Settings
from tests.results.crawls import crawl_with_everything
from tests.web.apps import csrf, served
from tests.web.test_notify import CRAWL

EVERY = pytest.mark.parametrize("each", FORMATS.values(), ids=list(FORMATS))


def test_a_crawl_of_which_everything_was_made_can_be_deleted(tmp_path: Path) -> None:
    crawl = crawl_with_everything(tmp_path / "kettles")
    for name in FORMATS:
        export(crawl, name)
    write_crawl_report(crawl)
    for name in (*files_of_exports(), *OWN_FILES, REPORT):  # a process was killed while it wrote them
        temporary_name(crawl / name).write_text("half")
    temporary_name(crawl / "export-csv").mkdir()
    (temporary_name(crawl / "export-parquet") / "entities").mkdir(parents=True)
    with served(Settings(root=tmp_path)) as client:
        answer = client.delete("/api/crawls/kettles", headers=csrf(client))
        assert (answer.status_code, answer.text) == (204, "")
    assert not crawl.exists()


def test_what_others_have_put_there_stays(tmp_path: Path) -> None:
    crawl = crawl_with_everything(tmp_path / "kettles")
    mine = {".notes.0123abcd.tmp", "notes.txt", "mine.nq"}
    for name in mine:
        (crawl / name).write_text("mine")
    with served(Settings(root=tmp_path)) as client:
        answer = client.delete("/api/crawls/kettles", headers=csrf(client))
        assert (answer.status_code, "holds other files" in answer.text) == (409, True)
    assert {path.name for path in crawl.iterdir()} == mine


def test_the_site_lists_and_sends_every_format(tmp_path: Path) -> None:
    crawl_with_everything(tmp_path / "kettles", "csv")
    with served(Settings(root=tmp_path)) as client:
        assert client.get("/api/session").json()["formats"] == list(FORMATS)
        page = client.get("/crawls/kettles/results").text
        assert [each.name for each in FORMATS.values() if each.title not in page or each.summary not in page] == []
        for name, file, media_type in (
            ("void", "kettles-void.ttl", "text/turtle"),
            ("csv", "kettles-export-csv.zip", "application/zip"),
            ("result", "kettles-result.csv", "text/csv"),
        ):
            answer = client.get(f"/api/crawls/kettles/export/{name}")
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"].partition(";")[0] == media_type
            assert f'filename="{file}"' in answer.headers["content-disposition"]
        assert "there are nquads, jsonl" in client.get("/api/crawls/kettles/export/docx").text


@EVERY
def test_every_format_can_be_attached(each: Format) -> None:
    settings = EmailSettings(server="x", sender="s@example.org")
    attachment = Attachment(each.file, each.media_type, b"{}", each.summary)
    message = email_of(settings, "ada@example.org", Notice("ended"), CRAWL, attachment)
    (attached,) = message.iter_attachments()
    assert (attached.get_content_type(), attached.get_filename()) == (each.media_type, each.file)
    body = message.get_body()
    assert body is not None
    assert each.summary in " ".join(body.get_content().split())
