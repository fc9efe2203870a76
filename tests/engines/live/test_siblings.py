"""Siblings in the graph of a document, from its triples to the features of the classifier."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.engines.live.run import crawl
from sundog.policies.linked.chooser import LinkedChooser
from sundog.replay import filled_catalog, new_session, replay
from sundog.spec import CrawlSpec
from sundog.spec.rdf import Rdf
from sundog.store import open_readonly
from tests.engines.live.webs import SmallWeb, spec_for, urls

START = "http://a.example/start"
DOCUMENT = """<#s1> <#p> <a>, <b> . <#s2> <#p> <c>, <d> . <e> <#q> "x" . <f> <#q> "x" . <g> <#q> "y" ."""


def spec_of(web: SmallWeb, features: str, budget: int) -> CrawlSpec:
    return spec_for(
        web,
        START,
        policy="ldcoc",
        objective="rdf",
        budget=budget,
        parameters={"features": features, "tau": 0},
        rdf=Rdf(follow=("subjects", "objects")),
    )


def test_a_sibling_that_was_fetched_is_a_feature_of_the_others(web: SmallWeb, tmp_path: Path) -> None:
    """After a crawl of the start, a and e, the session that replays its log has features for b and f alone."""
    web.reply(START, DOCUMENT, type_="text/turtle")
    for url in urls("a", "e"):
        web.reply(url, f'<#x> <#p> "{url}" .', type_="text/turtle")
    spec = spec_of(web, "x", 8)
    assert crawl(spec, tmp_path / "crawl")["fetched"] == 8
    ids = {}
    with open_readonly(tmp_path / "crawl") as store:
        session = new_session(spec, catalog := filled_catalog(store))
        chooser = session.chooser
        assert isinstance(chooser, LinkedChooser)
        ids = {catalog.url(n).rpartition("/")[2]: n for n in range(catalog.size)}
        known: dict[str, set[str]] = {}

        def observed(event: object) -> None:
            name = next(name for name, number in ids.items() if number == event.candidate)  # type: ignore[attr-defined]
            known[name] = {
                other
                for other, number in ids.items()
                if session.is_waiting(number) and len(chooser.features_of(number))
            }

        replay(store, session, observed)
    assert known["start"] == set()
    assert known["a"] == {"b"}
    earlier = list(known)[list(known).index("e") - 1]
    assert known["e"] - known[earlier] == {"f"}
    assert all("g" not in names for names in known.values())


@pytest.mark.parametrize(("features", "numbers"), [("t+x", 5), ("t+r+p", 3)])
def test_the_log_has_groups_only_if_they_matter(
    web: SmallWeb, tmp_path: Path, features: str, numbers: int
) -> None:
    web.reply(START, DOCUMENT, type_="text/turtle")
    crawl(spec_of(web, features, 2), tmp_path / "crawl")
    with open_readonly(tmp_path / "crawl") as store:
        query = (
            "SELECT DISTINCT json_array_length(e.value) FROM log l, json_each(l.data) e WHERE event = 'fetched'"
        )
        assert store.connection.execute(query).fetchall() == [(numbers,)]
