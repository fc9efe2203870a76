"""Downloads: exports and the report, made by processes and removed when they were sent."""

from __future__ import annotations

import csv
import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from sundog.errors import nearest_or_all
from sundog.report.document import POLICY
from sundog.results.export import all_formats
from sundog.results.formats.tables import file_name
from sundog.store.directory import REPORT
from sundog.store.formats.format import EVERYTHING, Format, Selection
from sundog.web.errors import NotFoundError
from sundog.web.one_shot import ConcurrencyLimit, run_command
from sundog.web.results.reading import check_begun, reading
from sundog.web.runs.directories import CrawlDirectory, Root

SECONDS = 900.0


class Exports:
    def __init__(self, root: Root) -> None:
        self._root = root
        self._made = ConcurrencyLimit(2, "exports")
        self._kept = ConcurrencyLimit(8, "downloads")  # a slow client keeps its file on our disk
        for left in root.site_folder.glob("tmp-*"):  # by a server that was killed
            shutil.rmtree(left, ignore_errors=True)

    def export(self, crawl: CrawlDirectory, name: str, selection: Selection = EVERYTHING) -> FileResponse:
        formats = all_formats()
        if name not in formats:
            raise NotFoundError(f"there is no format '{name[:40]}'{nearest_or_all(name, formats)}")
        check_begun(crawl)
        chosen = formats[name]
        with reading(crawl) as reader:
            file = chosen.file_of(reader, selection)
        download = f"{crawl.id}-{file}"
        if selection.type:
            download = f"{crawl.id}-{file_name(selection.type)}{Path(file).suffix}"
        with self._download() as (folder, sent):
            made = folder / file
            export_to(made, crawl, chosen, SECONDS, selection)
            if chosen.is_folder_of(selection):
                made = Path(shutil.make_archive(str(made), "zip", made))
                download += ".zip"
        media_type = chosen.files[file]
        return FileResponse(made, media_type=media_type, filename=download, background=sent)

    def report(self, crawl: CrawlDirectory) -> FileResponse:
        """It has scripts of its own, so it is shown apart from everything else of the site."""
        check_begun(crawl)
        with self._download() as (folder, sent):
            made = folder / REPORT
            run_command(["report", "--out", str(made), "--", str(crawl.path.absolute())], SECONDS)
        headers = {"content-security-policy": f"{POLICY}; sandbox allow-scripts; frame-ancestors 'self'"}
        return FileResponse(made, media_type="text/html", headers=headers, background=sent)

    @contextmanager
    def _download(self) -> Iterator[tuple[Path, BackgroundTask]]:
        """A folder in which a file is made, and what is to be done when that was sent, or its client has left."""
        until_sent = ExitStack()
        try:
            until_sent.enter_context(self._kept.slot())
            with self._made.slot():
                folder = Path(tempfile.mkdtemp(prefix="tmp-", dir=self._root.site_folder)).absolute()
                until_sent.callback(shutil.rmtree, folder, ignore_errors=True)
                yield folder, BackgroundTask(until_sent.close)
        except BaseException:
            until_sent.close()
            raise


def export_to(
    path: Path, crawl: CrawlDirectory, chosen: Format, seconds: float, selection: Selection = EVERYTHING
) -> None:
    """By a process of its own. SundogError if it fails."""
    options = ["--format", chosen.name, "--out", str(path), *_options(selection)]
    run_command(["export", *options, "--", str(crawl.path.absolute())], seconds)


def _options(selection: Selection) -> list[str]:
    """Of the command; ``=`` keeps words that begin with a hyphen from being options."""
    columns = io.StringIO()
    csv.writer(columns, lineterminator="").writerow(selection.columns)
    given = {
        "type": selection.type,
        "columns": columns.getvalue(),
        "search": selection.search,
        "sort": selection.sort,
    }
    options = [f"--{name}={value}" for name, value in given.items() if value]
    options += [f"--where={text}" for text in selection.where]
    return [*options, "--descending"] if selection.descending else options
