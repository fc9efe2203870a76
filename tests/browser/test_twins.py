"""Functions that stand twice, in Python and in the site's scripts: they answer the same."""

from __future__ import annotations

from tests.browser.served import Served
from tests.browser.steps import Watched
from tests.urls.local_names import LOCAL_NAMES


def test_the_last_part_of_an_iri(page: Watched, site: Served) -> None:
    names = page.open(site, "/").evaluate(
        "async (iris) => iris.map((await import('/static/js/format.js')).localName)",
        [iri for iri, _ in LOCAL_NAMES],
    )
    assert names == [name for _, name in LOCAL_NAMES]
