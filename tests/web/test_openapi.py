"""Whatever is sent to the API by its own description, nothing of it is the server's fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served

SLOW = ("/report", "/export/", "/explain", "/events", "/preview", "/demo")  # processes and streams
FEW = settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    root: Path = tmp_path_factory.mktemp("api")
    small_crawl(root / "kettles")
    with served(Settings(root=root, at_once=1)) as client:
        client.headers.update(csrf(client))
        yield client


def test_no_request_breaks_the_server(client: httpx.Client) -> None:
    schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    operations = [found.ok() for found in schema.get_all_operations()]
    asked = [_ask(client, each) for each in operations if not any(part in each.path for part in SLOW)]
    assert len(asked) >= 15
    assert sum(asked) >= 60


def _ask(client: httpx.Client, operation: Any) -> int:
    """Some of the requests that its description allows; each to a crawl that is there, too."""
    asked = 0

    @FEW
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        nonlocal asked
        for name in ("kettles", None) if operation.method != "delete" else (None,):
            if name and "crawl_id" in case.path_parameters:
                case.path_parameters["crawl_id"] = name
            answer = case.call(
                base_url=str(client.base_url), headers=dict(client.headers), cookies=dict(client.cookies)
            )
            assert answer.status_code < 500, (operation.path, case, answer.text)
            asked += 1

    ask()
    return asked
