"""Program: one result pattern over a whole crawl. The first request is the query, the next one the crawl."""

from __future__ import annotations

from typing import Any

from sundog.patterns.engines import QueryError, compile_result
from sundog.patterns.page_child import loaded_engines, lock_down
from sundog.processes.serve import Answer, CannotReadError, serve

WHERE = "patterns.result.find"


def prepare(setup: Any) -> tuple[Answer, Any]:
    try:
        language = setup["engine"]
        engine = loaded_engines([language])[language]
        lock_down()
        run = compile_result(language, engine, setup["find"], setup["format"], WHERE)
    except QueryError as error:
        raise CannotReadError(str(error)) from None

    def answer(request: Any) -> Any:
        try:
            return run(request.get("body", b"").decode())
        except QueryError as error:
            raise CannotReadError(f"{WHERE}: {error}") from None

    return answer, None


if __name__ == "__main__":
    serve(prepare)
