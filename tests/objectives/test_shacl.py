"""SHACL as an objective: conforming focus nodes, and what hostile shapes and pages cannot do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest

from sundog.errors import UsageError
from sundog.objectives import PageView, parse_objective
from sundog.objectives.checks import NOTHING
from tests.objectives.pages import CAKE, NEWS, RECIPE, judged, page, rewards

PREFIXES = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <https://schema.org/> .\n"
SERVING = "sh:targetClass s:HowTo ; sh:property [ sh:path s:recipeYield ; sh:minCount 1 {} ] ."
Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def written(shape: str) -> None:
        (tmp_path / "s.ttl").write_text(f"{PREFIXES}[] a sh:NodeShape ; {shape}", encoding="utf-8")

    return written


def test_conforming_focus_nodes_are_the_reward(write: Write) -> None:
    write(SERVING.format(""))
    pages = [page(RECIPE, CAKE), page(CAKE), page(RECIPE, {**CAKE, "recipeYield": "2"}), page(NEWS), NOTHING]
    assert rewards("s.ttl", *pages) == [1, 0, 2, 0, 0]
    assert rewards("novel s.ttl", *pages) == [1, 0, 1, 0, 0]
    assert rewards("not s.ttl", *pages) == [0, 1, 0, 1, 1]


def test_a_warning_is_no_violation(write: Write) -> None:
    write(SERVING.format("; sh:severity sh:Warning"))
    assert rewards("s.ttl", page(CAKE)) == [1]


def test_a_node_that_is_not_on_the_page_does_not_conform(write: Write) -> None:
    write("sh:targetNode <http://x.example/> ; sh:property [ sh:path s:name ; sh:maxCount 1 ] .")
    assert rewards("s.ttl", page(RECIPE), page({**RECIPE, "@id": "http://x.example/"})) == [0, 1]


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("sh:targetClass s:HowTo", "s.ttl: the shapes cannot be read"),
        ("sh:property [ sh:path s:name ; sh:minCount 1 ] .", "no shape has a target"),
        ("sh:targetClass s:HowTo ; sh:sparql [ sh:select 'SELECT $this {}' ] .", "only SHACL Core is run"),
        ("sh:targetClass s:HowTo ; sh:property [ sh:path s:name ; sh:minCount 'x' ] .", "cannot be read"),
        ("sh:targetClass s:HowTo ; sh:property " + "[ sh:node " * 3000 + "]" * 3000 + " .", "s.ttl: "),
    ],
)
def test_shapes_that_may_not_be_are_refused_before_the_crawl(write: Write, shape: str, message: str) -> None:
    write(shape)
    with pytest.raises(UsageError, match=message):
        parse_objective("s.ttl")


def test_a_missing_extra_is_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write(SERVING.format(""))
    monkeypatch.setattr("sundog.objectives.shacl.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'sundog\[shacl\]'"):
        parse_objective("s.ttl")


def test_imports_are_not_fetched(write: Write) -> None:
    write(SERVING.format("") + " <> <http://www.w3.org/2002/07/owl#imports> <http://127.0.0.1:9/x> .")
    assert rewards("s.ttl", page(RECIPE)) == [1]


def test_a_page_that_takes_for_ever_costs_two_seconds(write: Write) -> None:
    write(SERVING.format('; sh:pattern "^(a+)+$"'))
    start = perf_counter()
    slow, quick = judged(
        "s.ttl", [page({**RECIPE, "recipeYield": "a" * 60 + "b"}), page({**RECIPE, "recipeYield": "a"})]
    )
    assert perf_counter() - start < 60
    assert (slow.reward, slow.faults) == (0, (("s.ttl", "was stopped after 2 seconds"),))
    assert (quick.reward, quick.faults) == (1, ())


def test_strange_values_harm_nobody(write: Write) -> None:
    write(SERVING.format(""))
    xsd = "http://www.w3.org/2001/XMLSchema#"
    strange = [
        ("_:a", "<http://p.example/>", f'"{"9" * 10_000}"^^<{xsd}integer>'),
        ("_:a", "<http://p.example/>", f'"x"^^<{xsd}dateTime>'),
        ("_:a", "<http://p.example/>", '"<a>"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral>'),
        ("_:a", "<not an iri", '"'),
    ]
    view = page(RECIPE)
    view = PageView(view.url, view.counts, view.types, {**view.statements, "rdf": strange})
    assert rewards("s.ttl", view) == [1]
