"""Program: one result pattern over a whole crawl. The first request is the query, the next one the crawl."""

from __future__ import annotations

from typing import Any

from sundog.patterns.child import lock_down
from sundog.patterns.engines.base import QueryError
from sundog.sandbox.child import Answer, CannotReadError, serve

WHERE = "patterns.result.find"


def prepare(setup: Any) -> tuple[Answer, Any]:
    try:
        if setup["engine"] == "sparql":
            from sundog.patterns.engines.sparql_result import compiled
        else:
            from sundog.patterns.engines.saxon_result import compiled
        run = compiled(setup["engine"], setup["find"], setup["format"], WHERE)
    except QueryError as error:
        raise CannotReadError(str(error)) from None
    lock_down()

    def answer(request: Any) -> Any:
        try:
            return run(request.get("body", b"").decode())
        except QueryError as error:
            raise CannotReadError(f"{WHERE}: {error}") from None

    return answer, None


if __name__ == "__main__":
    serve(prepare)
