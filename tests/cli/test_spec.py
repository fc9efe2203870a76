"""The keys of a spec, their meanings, the schema and the reference page are of one kind."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema_rs import Draft202012Validator

from sundog.patterns.ready import ready_specs
from sundog.spec.meanings import MEANINGS
from sundog.spec.reference import keys_of, reference, schema
from tests.cli.commands import Command, one_line

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "spec.md"
BEGIN = "<!-- keys: python -m sundog.spec.reference writes them -->\n\n"
SPECS = sorted((ROOT / "examples" / "patterns").glob("*.toml"))


def test_every_key_has_a_meaning() -> None:
    assert sorted(MEANINGS) == sorted(key.name for key in keys_of())


def test_the_page_has_every_key() -> None:
    """If this fails: ``python -m sundog.spec.reference`` prints what belongs there."""
    assert PAGE.read_text(encoding="utf-8").split(BEGIN)[1] == reference()


def is_valid(spec: dict[str, Any]) -> bool:
    return Draft202012Validator(schema()).is_valid(spec)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_specs_that_run_are_valid(path: Path) -> None:
    assert is_valid(tomllib.loads(path.read_text(encoding="utf-8")))


def test_ready_specs_are_valid() -> None:
    for each in ready_specs():
        assert is_valid(tomllib.loads(each.text)), each.name


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"budgt": 5},
        {"budget": 0},
        {"budget": "many"},
        {"delay": -1},
        {"policy": "bsf"},
        {"scope": {"max_dept": 3}},
        {"world": "moon"},
        {"access": {"host": "a.example"}},
        {"access": [{"user": "ada"}]},
        {"limits": {"total": 0}},
    ],
    ids=str,
)
def test_what_cannot_run_is_not(wrong: dict[str, Any]) -> None:
    seeds = {"seeds": ["https://a.example/"]}
    assert is_valid(seeds)
    assert not is_valid({**seeds, **wrong} if wrong else {})


def test_the_schema_is_printed(sundog: Command) -> None:
    done = sundog("spec", "schema")
    assert (done.code, orjson.loads(done.out)) == (0, orjson.loads(orjson.dumps(schema())))


def test_a_spec_is_checked(sundog: Command, tmp_path: Path) -> None:
    file = tmp_path / "crawl.toml"
    file.write_text('seeds = ["https://a.example/"]\nobjective = "type:schema:Product"\nbudget = 70\n')
    done = sundog("spec", "check", file)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"{file} is fine: 1 seed, 70 pages, for 'type:schema:Product'\n"
    assert orjson.loads(sundog("spec", "check", file, "--json").out)["budget"] == 70


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("budgt = 3", "did you mean 'budget'?"),
        ('objective = "type:schema:Prodct"', "schema.org has no type"),
        ('objective = "want.rq"', "want.rq"),
        ("seeds = [", "is no TOML"),
        ('[[patterns.data]]\nname = "x"\nfind = "//["', "patterns"),
        ('[[access]]\nhost = "a.example"\nuser = "ada"\npassword = "${NO_SUCH_VARIABLE}"', "NO_SUCH_VARIABLE"),
    ],
)
def test_a_wrong_spec_is_one_sentence(sundog: Command, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "crawl.toml"
    file.write_text(f'seeds = ["https://a.example/"]\n{text}\n' if "seeds" not in text else text)
    done = sundog("spec", "check", file)
    assert done.code in (1, 2)
    assert said in one_line(done)
