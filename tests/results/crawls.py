"""A small crawl that has something for every format."""

from __future__ import annotations

from pathlib import Path

from sundog.store import CrawlStore, Observed, PatternFindings
from tests.store.crawls import fill

SPEC = """seeds = ["http://a.example/"]
budget = 10

[[patterns.data]]
name = "kettle"
find = "//h1"
fields.title = "."

[patterns.result]
format = "{form}"
"""


def crawl_with_everything(directory: Path, form: str = "json") -> Path:
    """Statements, WARC, answers, items, and a spec with patterns."""
    with CrawlStore.create(directory, SPEC.format(form=form)) as store:
        fill(store)
        store.append(
            Observed(4, 17.0, "fetched", 1.0),
            answers=[{"name": "Kettle"}],
            findings=PatternFindings(items={"kettle": [{"title": "Kettle"}]}),
        )
        store.write_summary({**store.totals(), "stopped": "budget", "patterns": {}})
    return directory
