"""``[[access]]``: secrets are named, not written, and each is for one host."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from sundog.errors import UsageError
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.access import Access
from sundog.spec.crawl import parse_spec, read_leniently
from sundog.spec.credentials import check_no_literals, credentials_of, proxy_of

SEED = 'seeds = ["https://a.example/"]\n'
TWO = (
    SEED
    + """
[[access]]
host = "data.example.org"
user = "ada"
password = "${PASSWORD}"

[[access]]
host = "127.0.0.1:8080"
headers = { Authorization = "Bearer ${TOKEN}", Accept-Language = "de" }
"""
)
ENVIRONMENT = {"PASSWORD": "pass:word", "TOKEN": "tok"}


def wrong(text: str) -> str:
    with pytest.raises(UsageError) as error:
        parse_spec(text)
    return str(error.value)


def access(**keys: object) -> CrawlSpec:
    return CrawlSpec(seeds=("https://a.example/",), access=(Access(**keys),))  # type: ignore[arg-type]


def test_what_is_sent_where() -> None:
    spec = parse_spec(TWO)
    assert parse_spec(spec_text(spec)) == spec
    sent = {origin: dict(each.headers) for origin, each in credentials_of(spec, ENVIRONMENT).items()}
    own = {"Authorization": "Bearer tok", "Accept-Language": "de"}
    assert sent == {
        "https://data.example.org": {"Authorization": "Basic " + base64.b64encode(b"ada:pass:word").decode()},
        "https://127.0.0.1:8080": own,
        "http://127.0.0.1:8080": own,
    }


def test_by_http_only_if_the_spec_says_so() -> None:
    spec = access(host="Data.example.org:80", headers={"X-Key": "${TOKEN}"}, plain_http=True)
    assert list(credentials_of(spec, ENVIRONMENT)) == ["https://data.example.org:80", "http://data.example.org:80"]


@pytest.mark.parametrize("literal", ["Bearer abc", "abc", "$TOKEN"])
def test_a_secret_in_the_spec_is_refused_with_the_fix(literal: str) -> None:
    fix = (
        r'a secret may not stand in the spec; write "\$\{NAME\}" for an environment variable, or "\$\{file:PATH\}"'
    )
    with pytest.raises(UsageError, match=rf'access "a\.example": password: {fix}'):
        access(host="a.example", user="ada", password=literal)
    for name in ("Authorization", "X-Api-Key", "Cookie", "x-access-token"):
        with pytest.raises(UsageError, match=rf'access "a\.example": headers\.{name}: {fix}'):
            access(host="a.example", headers={name: literal})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('user = "ada"', "'access[1].host' is missing"),
        ('host = "https://a.example/"\nuser = "a"\npassword = "${P}"', "a host's name is expected"),
        ('host = "a.example/x"\nuser = "a"\npassword = "${P}"', "a host's name is expected"),
        ('host = "a b"\nuser = "a"\npassword = "${P}"', "a host's name is expected"),
        ('host = ""\nuser = "a"\npassword = "${P}"', "a host's name is expected"),
        ('host = "ada@a.example"\nuser = "a"\npassword = "${P}"', "a host's name is expected"),
        ('host = "*.a.example"\nuser = "a"\npassword = "${P}"', "a host's name is expected"),
        ('host = "a.example"', "there is nothing to send"),
        ('host = "a.example"\nuser = "ada"', "user and password belong together"),
        ('host = "a.example"\nheaders = { Host = "b" }', "headers.Host is set by Sundog itself"),
        ('host = "a.example"\nheaders = { X = 1 }', "headers.X: a text of printable ASCII"),
        ('host = "a.example"\nheaders = { "a b" = "c" }', "'a b' is no name of a header"),
        ('host = "a.example"\npasword = "x"', "did you mean 'password'?"),
    ],
)
def test_errors(table: str, message: str) -> None:
    assert message in wrong(f"{SEED}[[access]]\n{table}")


def test_one_table_for_a_host() -> None:
    table = '[[access]]\nhost = "A.example"\nheaders = { X = "y" }\n'
    assert "two tables for this host" in wrong(SEED + table + table.lower())


def test_files(tmp_path: Path) -> None:
    def sent(path: object) -> str:
        spec = access(host="a.example", headers={"X-Key": f"${{file:{path}}}"})
        return credentials_of(spec, {})["https://a.example"].headers["X-Key"]

    (tmp_path / "key").write_text("tok en\r\n")
    assert sent(tmp_path / "key") == "tok en"
    for name, content, message in (
        ("empty", b"\n", "is empty"),
        ("bytes", b"\xff", "not UTF-8"),
        ("lines", b"a\nb", "one line of text"),
        ("large", b"a" * 100_000, "one line of text"),
        ("other", "schlüssel".encode(), "a header can only hold ASCII"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UsageError, match=message):
            sent(tmp_path / name)
    for path, message in ((tmp_path / "no", "cannot be read: No such file"), ("key", "needs its whole path")):
        with pytest.raises(UsageError, match=message):
            sent(path)
    with pytest.raises(UsageError, match="Is a directory"):
        sent(tmp_path)


@pytest.mark.parametrize("text", ["${MY-KEY}", "${}", "${file:}", "Bearer ${TOKEN", "${TOKEN} ${1}"])
def test_names_that_are_none(text: str) -> None:
    spec = access(host="a.example", headers={"X-Key": text})
    with pytest.raises(UsageError, match=r"headers\.X-Key: .* names no secret; write"):
        credentials_of(spec, ENVIRONMENT)


def test_a_proxy_names_its_password_too() -> None:
    spec = parse_spec(f'{SEED}proxy = "http://ada:${{PASSWORD}}@proxy.example:3128"')
    check_no_literals(spec)
    assert proxy_of(spec, ENVIRONMENT) == "http://ada:pass%3Aword@proxy.example:3128"
    with pytest.raises(UsageError, match="proxy: a secret may not stand in the spec"):
        check_no_literals(parse_spec(f'{SEED}proxy = "http://ada:pw@proxy.example:3128"'))


def test_specs_that_are_shown_need_no_secrets() -> None:
    assert read_leniently(TWO)["access"][0].host == "data.example.org"
    assert read_leniently(TWO + '[[access]]\nhost = "a b"')["access"]
