"""Specs: what is written is what is read, and what is wrong is an error."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.errors import UsageError
from sundog.fetch.values import Limits
from sundog.patterns.definitions import DataPattern, Patterns
from sundog.scope.scope import Scope
from sundog.spec import CrawlSpec, read_spec, spec_text, with_settings
from sundog.spec.access import Access
from sundog.spec.crawl import RENAMED_KEYS, Following, parse_spec, read_leniently
from sundog.spec.rdf import Rdf
from sundog.spec.tables import ABOVE_ZERO, FROM_ONE, field_types

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
seconds = st.floats(0.001, 1e9)
whole = st.integers(1, 2**31)
texts = st.frozensets(text, max_size=3)
maybe = st.none()
scopes = st.builds(
    Scope,
    hosts=texts,
    domains=texts,
    paths=st.lists(text, max_size=2).map(tuple),
    exclude=st.sampled_from([(), ("/cart", r"\.php\?"), ('"quoted"\n',)]),
    max_depth=st.one_of(maybe, st.integers(0, 9)),
    skip_types=texts,
    languages=texts,
    avoid_traps=st.booleans(),
)
followings = st.builds(
    Following,
    robots=st.booleans(),
    retries=st.integers(0, 9),
    patience=seconds,
    host_concurrency=st.one_of(maybe, whole),
)
limits = st.builds(
    Limits, connect=seconds, max_bytes=whole, types=st.one_of(maybe, st.just(("text/html", "a\tb")))
)
accesses = st.builds(
    Access,
    host=st.sampled_from(["a.example", "b.example:8443"]),
    user=st.just("ada"),
    password=st.just("${file:/run/secrets/p}"),
    headers=st.dictionaries(st.sampled_from(["X-Key", "a.b"]), st.just('"${KEY}"\\')),
    plain_http=st.booleans(),
)
specs = st.builds(
    CrawlSpec,
    cookies=st.booleans(),
    contexts=st.sampled_from(["bundled", "fetch"]),
    access=st.lists(accesses, max_size=2, unique_by=lambda each: each.host).map(tuple),
    seeds=st.sampled_from([("https://a.example/", "http://b.example/?q=é&\\"), ("http://a.example/x",)]),
    title=text,
    description=text,
    objective=st.sampled_from(["any", 'keyword:"a b" and jsonld>=3', "größer\n"]),
    budget=whole,
    seconds=st.one_of(maybe, seconds),
    bytes=st.one_of(st.none(), whole),
    policy=st.sampled_from(["bfs", "sundog"]),
    seed=st.integers(0, 2**31),
    delay=st.floats(0, 1e6),
    connect_to=st.sampled_from(["", "127.0.0.1:80", "[::1]:8080"]),
    allow_private=st.booleans(),
    warc=st.booleans(),
    extent=st.sampled_from(["host", "domain", "web"]),
    scope=scopes,
    rdf=st.builds(
        Rdf,
        follow=st.sampled_from([(), ("subjects",), ("types", "objects")]),
        properties=st.sampled_from([(), ("owl:sameAs",)]),
        prefer=st.sampled_from(["auto", "rdf", "pages"]),
        dump_seconds=seconds,
    ),
    following=followings,
    limits=limits,
)  # fmt: skip


@settings(max_examples=60)
@given(specs)
def test_round_trip(spec: CrawlSpec) -> None:
    assert parse_spec(spec_text(spec)) == spec


def test_parameters_make_the_round_trip() -> None:
    spec = with_settings(CrawlSpec(seeds=("http://a.example/",), policy="anthelion"), {"lambda": "0.3"})
    assert spec.parameters == {"lambda": "0.3"}
    assert parse_spec(spec_text(spec)) == spec
    written = 'seeds = ["http://a.example/"]\npolicy = "anthelion"\n[parameters]\nlambda = 0.3'
    assert parse_spec(written).policy_parameters == {"lambda": "0.3"}


BASE = CrawlSpec(seeds=("http://a.example/",))
FORMER = 'seeds = ["http://a.example/"]\n[following]\nthrift = 0.25\n'


def test_the_former_name_of_a_key_works_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_text(FORMER)
    with pytest.warns(FutureWarning, match=r"following\.thrift is now called following\.worth_waiting"):
        assert read_spec(tmp_path / "spec.toml").following.worth_waiting == 0.25
    with pytest.warns(FutureWarning, match=r"following\.thrift is now called following\.worth_waiting"):
        assert with_settings(BASE, {"following.thrift": "0.75"}).following.worth_waiting == 0.75


def test_stored_specs_are_read_without_a_warning() -> None:
    spec = parse_spec(FORMER)  # warnings are errors here
    assert spec.following.worth_waiting == 0.25
    assert "worth_waiting = 0.25" in spec_text(spec)
    assert "thrift" not in spec_text(spec)


def test_a_former_name_is_checked_like_the_new_one() -> None:
    with pytest.raises(UsageError, match=r"following\.worth_waiting = \"much\": a number is expected"):
        parse_spec(FORMER.replace("0.25", '"much"'))


def test_former_names_are_of_keys_that_there_are() -> None:
    for old, new in RENAMED_KEYS.items():
        table, _, key = new.rpartition(".")
        assert hasattr(getattr(BASE, table), key)
        assert not hasattr(getattr(BASE, table), old.rpartition(".")[2])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no TOML",
        'seeds = "no list"',
        "budget = true",
        "a = " + "[" * 9_999,
        "[api]\nrequests = 5",
        "world = 3",
        "delay = nan",
    ],
)
def test_lenient_reading_never_fails(text: str) -> None:
    found = read_leniently(text)
    assert found == {**read_leniently(""), "api": found["api"]}
    assert (found["policy"], found["objective"], found["budget"], found["delay"]) == ("sundog", "any", 1_000, 1.0)


@settings(max_examples=30)
@given(specs)
def test_lenient_reading_of_a_sound_spec_is_what_it_says(spec: CrawlSpec) -> None:
    found = read_leniently(spec_text(spec))
    given = {each.name: getattr(spec, each.name) for each in fields(spec)}
    assert found == {**given, "budget": spec.fetches}


def test_the_budget_that_windows_allow_is_known_before_the_crawl_begins() -> None:
    text = 'world = "api"\nseconds = 3600\n[api]\nrequests = 15\nwindow = {}\n'
    assert read_leniently(text.format(900))["budget"] == 60
    assert read_leniently(text.format(0))["budget"] == 1_000


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("budget", "7", 7),
        ("delay", "2", 2.0),
        ("warc", "true", True),
        ("objective", "jsonld>=3", "jsonld>=3"),
        ("extent", "host", "host"),
        ("scope.max_depth", "3", 3),
        ("scope.languages", "de,en", frozenset({"de", "en"})),
        ("scope.paths", "/a/,/b/", ("/a/", "/b/")),
        ("following.robots", "false", False),
        ("limits.total", "2.5", 2.5),
        ("limits.types", "text/html", ("text/html",)),
        ("limits.types", ",", None),
        ("rdf.follow", "subjects,types", ("subjects", "types")),
        ("rdf.properties", "owl:sameAs,http://v.example/p", ("owl:sameAs", "http://v.example/p")),
        ("rdf.prefer", "rdf", "rdf"),
        ("rdf.dumps", "false", False),
    ],
)
def test_settings(name: str, text: str, expected: object) -> None:
    found: Any = with_settings(BASE, {name: text})
    for part in name.split("."):
        found = getattr(found, part)
    assert found == expected


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("budget", "many", "budget = many: a whole number is expected"),
        ("budget", "0", "budget = 0: a number from 1 on is expected"),
        ("budget", "1e3", "budget = 1000.0: a whole number is expected"),
        ("budget", "9" * 30, "budget = 1e+30: a number up to"),
        ("seed", "9" * 30, "seed = 1e+30: a number up to"),
        ("warc", "1", "warc = 1: true or false is expected"),
        ("extent", "world", 'extent = "world": "host" or "domain" or "web" is expected'),
        ("scope.max_dept", "3", "unknown key 'scope.max_dept'; did you mean 'max_depth'?"),
        ("scope.max_depth", "-1", "scope.max_depth = -1: a number from 0 on is expected"),
        ("scopes.max_depth", "3", "'scopes.max_depth': there are the tables scope, following, limits"),
        ("budget.x", "3", "'budget.x': there are the tables"),
        ("no-such", "3", "no-such"),
        ("concurency", "3", "there is no key or parameter 'concurency'; did you mean 'concurrency'?"),
        ("scope", "3", "'scope' is a table: set one of its keys, as scope.KEY=VALUE"),
        ("seconds", "Infinity", "seconds = inf: a number"),
        ("seconds", "NaN", "seconds = nan: a number"),
        ("delay", "Infinity", "delay = inf: a number"),
        ("following.patience", "-1", "following.patience = -1: a number from 0 on is expected"),
        ("limits.total", "0", "limits.total = 0: a number above 0 is expected"),
        ("limits.total", "NaN", "limits.total = nan: a number above 0 is expected"),
        ("limits.max_bytes", "-5", "limits.max_bytes = -5: a number above 0 is expected"),
        ("limits.connect", "Infinity", "limits.connect = inf: a number"),
        ("limits.max_redirects", "-1", "limits.max_redirects = -1: a number from 0 on is expected"),
        ("rdf.follow", "subject", "rdf.follow: unknown 'subject'; did you mean 'subjects'?"),
        ("rdf.properties", "sameAs", "rdf.properties: 'sameAs' is no IRI; write it in full or with a prefix"),
        ("rdf.properties", "owll:sameAs", "rdf.properties: unknown prefix 'owll'; did you mean 'owl'?"),
        ("rdf.prefer", "turtle", 'rdf.prefer = "turtle": "auto" or "rdf" or "pages" is expected'),
        ("rdf.dump_bytes", "0", "rdf.dump_bytes = 0: a number above 0 is expected"),
        ("rdf.dump_seconds", "NaN", "rdf.dump_seconds = nan: a number above 0 is expected"),
        ("user_agent", "nobody", "the user agent 'nobody' has no contact"),
        ("connect_to", "here", "connect_to 'here': HOST:PORT is expected"),
        ("connect_to", "a:99999", "HOST:PORT is expected"),
        ("connect_to", "a:²", "HOST:PORT is expected"),
        ("proxy", "nonsense", "proxy 'nonsense'"),
        ("seeds", "", "there is no seed"),
        ("seeds", "a.example", "the seed 'a.example' is no URL: it needs a scheme, e.g. https://a.example"),
        ("seeds", "ftp://a.example/", "cannot be crawled: it needs http or https, and a valid host"),
        ("scope.exclude", "(", "the pattern '(' cannot be used"),
        ("policy", "bsf", "bsf"),
        ("policy", "oracle", "works in simulation only"),
    ],
)
def test_wrong_settings(name: str, text: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        with_settings(BASE, {name: text})
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        ("seeds = [", "spec.toml is no TOML"),
        ("budget = 5", "spec.toml: 'seeds' is missing"),
        ('seeds = "http://a.example/"', "a list of texts is expected"),
        ('seeds = ["http://a.example/", 5]', "a list of texts is expected"),
        ('seeds = ["http://a.example/"]\nbudgt = 5', "unknown key 'budgt'; did you mean 'budget'?"),
        ('seeds = ["http://a.example/"]\nfor = "jsonld"', "unknown key 'for'; did you mean 'objective'?"),
        ('seeds = ["http://a.example/"]\nscope = 5', "scope = 5: a table is expected"),
        ('seeds = ["http://a.example/"]\nbudget = true', "budget = true: a whole number is expected"),
        ('seeds = ["http://a.example/"]\nseconds = inf', "a number"),
        ('seeds = ["http://a.example/"]\nseconds = 2020-01-01', "a number is expected"),
        ('seeds = ["http://a.example/"]\n[limits]\ntypes = [5]', "a list of texts is expected"),
        ('seeds = ["http://a.example/"]\n[parameters]\nlamda = 0.2', "lamda"),
    ],
)
def test_wrong_files(toml: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_spec(toml)
    assert problem in str(caught.value)


def test_a_spec_says_only_what_is_not_usual() -> None:
    assert spec_text(BASE) == 'seeds = ["http://a.example/"]\n'


@given(
    st.sampled_from([each.name for each in fields(Limits) if each.name != "types"]),
    st.sampled_from([math.inf, math.nan, -1.0]),
)
def test_no_limit_is_endless(name: str, value: float) -> None:
    with pytest.raises(UsageError):
        CrawlSpec(seeds=("http://a.example/",), limits=Limits(**{name: value}))


@pytest.mark.parametrize(
    ("objective", "policy", "prefers"),
    [
        ("rdf", "bfs", True),
        ("rdf>=3 and not html.rq", "bfs", True),
        ("jsonld+rdf", "sundog", True),
        ("type:rdf:Property", "bfs", False),
        ("rdf.rq", "bfs", False),
        ('keyword:"rdf"', "bfs", False),
        ("rdfa", "bfs", False),
    ],
)
def test_which_crawls_prefer_rdf(objective: str, policy: str, prefers: bool) -> None:
    spec = CrawlSpec(seeds=("http://a.example/",), objective=objective, policy=policy)
    assert spec.prefers_rdf == prefers
    assert not with_settings(spec, {"rdf.prefer": "pages"}).prefers_rdf


def test_rdf_is_of_the_web() -> None:
    with pytest.raises(UsageError, match=r"there is a table \[rdf\], which is for world"):
        parse_spec(
            'world = "api"\nseeds = ["a"]\nrdf = {prefer = "rdf"}\napi = {items = "http://a/{id}", links = "x"}'
        )


def test_the_objective_of_a_spec_that_names_none() -> None:
    """The same from Python and from TOML; and who says any, has any, also when the spec is read again."""
    seeds, patterns = ("https://a.example/",), Patterns(data=(DataPattern(name="title", find="//title"),))
    assert CrawlSpec(seeds=seeds).objective == "any"
    assert CrawlSpec(seeds=seeds, patterns=patterns).objective == "patterns"
    for spec in (CrawlSpec(seeds=seeds, patterns=patterns, objective="any"), CrawlSpec(seeds=seeds)):
        assert parse_spec(spec_text(spec)) == spec


@pytest.mark.parametrize("name", sorted(FROM_ONE | ABOVE_ZERO))
def test_bounds_are_of_keys_that_there_are(name: str) -> None:
    kinds: Any = CrawlSpec
    *tables, key = name.split(".")
    for table in tables:
        kinds = field_types(kinds)[table]
        kinds = get_args(kinds)[0] if get_origin(kinds) is tuple else kinds
    assert key in field_types(kinds)


def test_a_property_is_named_as_statements_name_it() -> None:
    rdf = Rdf(properties=("http://v.example/a[b]", "https://v.example/größe#x", "foaf:knows"))
    foaf = "http://xmlns.com/foaf/0.1/knows"
    assert rdf.property_iris == {"http://v.example/a%5Bb%5D", "https://v.example/größe#x", foaf}


@pytest.mark.parametrize("name", ["http://v.example/a b", "x", "x:", "nosuch:y"])
def test_what_is_no_property_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"rdf\.properties: "):
        replace(BASE, rdf=Rdf(properties=(name,)))


@pytest.mark.parametrize("seeds", ["http://a.example/", "", (None,), (b"http://a.example/",)])
def test_seeds_are_a_tuple_of_texts(seeds: Any) -> None:
    with pytest.raises(UsageError, match="a tuple of texts is expected"):
        CrawlSpec(seeds=seeds)


@pytest.mark.parametrize("key", ["budget", "seed", "delay", "limits.total", "scope.max_depth"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_a_number_that_no_float_holds_is_one_sentence(key: str, sign: str) -> None:
    with pytest.raises(UsageError, match=key.rpartition(".")[2]) as raised:
        parse_spec(f"""seeds = ["http://a.example/"]\n{key} = {sign}1{"0" * 400}""")
    assert len(str(raised.value)) < 200
