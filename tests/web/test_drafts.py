"""Before a crawl begins: what is wrong with it and where, and what it would find on a page."""

from __future__ import annotations

from tests.web.sites import Site


def test_what_is_wrong_is_said_with_its_place(site: Site) -> None:
    def wrong(spec: str, **files: str) -> tuple[str, int, int, str]:
        (error,) = site.post("/api/check", {"spec": spec, "files": files})["errors"]
        return error["message"], error["line"], error["column"], error["place"]

    seed = 'seeds = ["https://a.example/"]\n'
    assert wrong(seed + "budgt = 5") == ("unknown key 'budgt'; did you mean 'budget'?", 2, 1, "spec")
    assert wrong(seed + 'budget = "x"')[1:] == (2, 1, "spec")
    assert wrong(seed + "[scope]\nmax_depth = true")[1:] == (3, 1, "spec")
    assert wrong(seed + "a b")[1:] == (2, 3, "spec")
    message, line, column, place = wrong(seed + 'objective = "q.rq"', **{"q.rq": "SELECT ?x {\n ?x }"})
    assert (line, place) == (2, "q.rq"), message
    assert column


def test_a_draft_becomes_a_spec_and_values(site: Site) -> None:
    draft = {"seeds": ["https://a.example/"], "objective": "type:schema:Recipe", "budget": 7, "stay": "host"}
    checked = site.post("/api/check", draft)
    assert checked["ok"]
    assert 'extent = "host"' in checked["spec"]
    assert (checked["values"]["budget"], checked["values"]["policy"]) == (7, "sundog")


def test_a_preview_shows_what_a_page_yields(site: Site) -> None:
    draft = {"objective": "type:schema:Product", "stay": "host"}
    shown = site.post("/api/preview", {"url": "http://a.example/p/4", "draft": draft})
    assert (shown["status"], shown["relevant"], shown["types"]) == (200, True, ["http://schema.org/Product"])
    assert (shown["links"], shown["followed"]) == (1, 1)
    assert [
        shown["statements"]["jsonld"][-1][0][:2],
        shown["statements"]["jsonld"][-1][2],
    ] == ["_:", "Kettle 004"]
    missing = site.post("/api/preview", {"url": "http://a.example/nothing", "draft": draft})
    assert (missing["status"], missing["trouble"][:4]) == (404, "http")


def test_a_preview_with_a_query_of_its_own(site: Site) -> None:
    draft = {
        "spec": 'seeds = ["http://a.example/"]\nobjective = "names.rq"',
        "files": {"names.rq": "SELECT ?n { ?x schema:name ?n }"},
    }
    shown = site.post("/api/preview", {"url": "http://a.example/p/4", "draft": draft})
    assert shown["answers"]


def test_what_there_is_to_choose_from(site: Site) -> None:
    (recipe,) = site.get("/api/schema-types", search="recip")["types"]
    assert recipe == {"name": "Recipe", "path": ["Thing", "CreativeWork", "HowTo"]}
    policies = {each["name"]: each for each in site.get("/api/policies")["policies"]}
    assert not {"oracle", "steered-oracle"} & policies.keys()  # they need to know every page's reward
    assert "pretrain" not in [each["name"] for each in policies["sundog"]["parameters"]]
