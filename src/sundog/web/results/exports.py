"""Downloads: exports and the report, made by processes and removed when they were sent."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from sundog.report.document import POLICY
from sundog.results.export import FORMATS
from sundog.store.directory import REPORT
from sundog.store.formats.format import Format
from sundog.web.errors import NotFoundError
from sundog.web.one_shot import ConcurrencyLimit, run_command
from sundog.web.results.reading import check_begun, reading
from sundog.web.runs.directories import CrawlDirectory, Root

SECONDS = 900.0


class Exports:
    def __init__(self, root: Root) -> None:
        self._root = root
        self._limit = ConcurrencyLimit(2, "exports")
        for left in root.site_folder.glob("tmp-*"):  # by a server that was killed
            shutil.rmtree(left, ignore_errors=True)

    def export(self, crawl: CrawlDirectory, name: str) -> FileResponse:
        if name not in FORMATS:
            raise NotFoundError(f"there is no format '{name[:40]}': there are {', '.join(FORMATS)}")
        check_begun(crawl)
        chosen = FORMATS[name]
        with reading(crawl) as reader:
            file = chosen.file_of(reader)
        download = f"{crawl.id}-{file}"
        with self._limit.slot():
            folder = self._folder()
            try:
                made = folder / file
                export_to(made, crawl, chosen, SECONDS)
                if chosen.is_folder:
                    made = Path(shutil.make_archive(str(made), "zip", made))
                    download += ".zip"
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        media_type = chosen.files[file]
        return FileResponse(made, media_type=media_type, filename=download, background=_removal(folder))

    def report(self, crawl: CrawlDirectory) -> FileResponse:
        """It has scripts of its own, so it is shown apart from everything else of the site."""
        check_begun(crawl)
        with self._limit.slot():
            folder = self._folder()
            try:
                made = folder / REPORT
                run_command(["report", "--out", str(made), "--", str(crawl.path.absolute())], SECONDS)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        headers = {"content-security-policy": f"{POLICY}; sandbox allow-scripts; frame-ancestors 'self'"}
        return FileResponse(made, media_type="text/html", headers=headers, background=_removal(folder))

    def _folder(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="tmp-", dir=self._root.site_folder)).absolute()


def export_to(path: Path, crawl: CrawlDirectory, chosen: Format, seconds: float) -> None:
    """By a process of its own. SundogError if it fails."""
    options = ["--format", chosen.name, "--out", str(path)]
    run_command(["export", *options, "--", str(crawl.path.absolute())], seconds)


def _removal(folder: Path) -> BackgroundTask:
    return BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
