"""Program: one query over the statements of a crawl."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from sundog.processes.query_results import queried
from sundog.processes.serve import Answer, serve


def prepare(setup: Any) -> tuple[Answer, Any]:
    def answer(request: Any) -> Any:
        return queried(ox.Store.read_only(request["path"]), request["query"], request["most_rows"])

    return answer, None


if __name__ == "__main__":
    serve(prepare)
