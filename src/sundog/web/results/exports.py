"""Downloads: exports and the report, made by processes and removed when they were sent."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from sundog.report.document import POLICY
from sundog.spec.crawl import parse_spec
from sundog.store.formats import FORMATS, TABLES
from sundog.web.errors import NotFoundError
from sundog.web.one_shot import ConcurrencyLimit, run_command
from sundog.web.results.reading import check_begun
from sundog.web.runs.directories import CrawlDirectory, Root

SECONDS = 900.0
RESULT = "result"
ALL = (*FORMATS, RESULT)
MEDIA = {
    "nquads": "application/n-quads",
    "jsonl": "application/x-ndjson",
    "answers": "application/x-ndjson",
    "items": "application/x-ndjson",
    "provenance": "application/n-quads",
    "void": "text/turtle",
    "warc": "application/gzip",
    ".json": "application/json",
    ".xml": "application/xml",
    ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet",
}


class Exports:
    def __init__(self, root: Root) -> None:
        self._root = root
        self._limit = ConcurrencyLimit(2, "exports")
        for left in root.site_folder.glob("tmp-*"):  # by a server that was killed
            shutil.rmtree(left, ignore_errors=True)

    def export(self, crawl: CrawlDirectory, form: str) -> FileResponse:
        if form not in ALL:
            raise NotFoundError(f"there is no format '{form[:40]}': there are {', '.join(ALL)}")
        check_begun(crawl)
        file = _result_file(crawl) if form == RESULT else FORMATS[form][0]
        name = f"{crawl.id}-{file}"
        with self._limit.slot():
            folder = self._folder()
            try:
                made = folder / file
                run_command(
                    ["export", "--format", form, "--out", str(made), "--", str(crawl.path.absolute())], SECONDS
                )
                if form in TABLES:
                    made = Path(shutil.make_archive(str(made), "zip", made))
                    name += ".zip"
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        media = MEDIA.get(form) or MEDIA.get(made.suffix, "application/zip")
        return FileResponse(made, media_type=media, filename=name, background=_removal(folder))

    def report(self, crawl: CrawlDirectory) -> FileResponse:
        """It has scripts of its own, so it is shown apart from everything else of the site."""
        check_begun(crawl)
        with self._limit.slot():
            folder = self._folder()
            try:
                made = folder / "report.html"
                run_command(["report", "--out", str(made), "--", str(crawl.path.absolute())], SECONDS)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        headers = {"content-security-policy": f"{POLICY}; sandbox allow-scripts; frame-ancestors 'self'"}
        return FileResponse(made, media_type="text/html", headers=headers, background=_removal(folder))

    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="tmp-", dir=self._root.site_folder)).absolute()


def _result_file(crawl: CrawlDirectory) -> str:
    """The spec says which form the result has."""
    return f"result.{parse_spec(crawl.spec_text).patterns.result.written_as}"


def _removal(folder: Path) -> BackgroundTask:
    return BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
