"""One site with one finished crawl, for all tests that only look."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engines.live.webs import SmallWeb
from tests.web.sites import Site, shop, spec_of_shop


@pytest.fixture(scope="session")
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as served:
        shop(served)
        yield served


@pytest.fixture(scope="session")
def site(web: SmallWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    options = (f"--connect-to={web.connect_to}", "--query-seconds=60")  # for busy machines
    with Site(tmp_path_factory.mktemp("web") / "root", *options) as served:
        yield served


@pytest.fixture(scope="session")
def crawl(site: Site) -> str:
    """The name of a crawl that has ended."""
    name = site.begin(spec_of_shop(), id="kettles", title="Kettles", owner="Ada")
    assert site.until_state(name, "finished", "failed")["state"] == "finished"
    return name
