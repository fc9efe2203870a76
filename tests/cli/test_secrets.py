"""A crawl with logins, keys and cookies, whose server repeats them all: nobody can read them anywhere."""

from __future__ import annotations

import base64
import gzip
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.engines.live.pages import intake
from sundog.results.export import FORMATS
from tests.cli.commands import Command, one_line
from tests.engines.live.webs import SmallWeb
from tests.fetch.server import Client

PASSWORD, KEY, SESSION = "pass/word&7é", "k-0123456789abcdef", "s-f81d4fae7dec11d0a765"
BASIC = base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
SECRETS = [text.encode() for text in (PASSWORD, "pass%2Fword", "pass/word&amp;7", BASIC, KEY, SESSION)]
SPEC = """
seeds = ["https://data.example.org/", "https://other.example.org/"]
objective = "jsonld"
policy = "bfs"
delay = 0
budget = {budget}
cookies = true
warc = true
connect_to = "{connect_to}"
following = {{ retries = 0, patience = 2 }}

[[access]]
host = "data.example.org"
user = "ada"
password = "${{SUNDOG_TEST_PASSWORD}}"
headers = {{ X-Api-Key = "${{file:{file}}}" }}
"""


def told(client: Client) -> str:
    """All that the request has, as servers that help developers show it: in text, in JSON-LD, in links."""
    sent = client.asked.headers
    basic = sent.get("authorization", "").removeprefix("Basic ")
    password = base64.b64decode(basic).decode().partition(":")[2] if basic else ""
    lines = [*sent.values(), password, password.replace("&", "&amp;")]
    item = json.dumps({"@context": "https://schema.org", "@type": "Thing", "name": " ".join(lines)})
    links = [f"/found?{sent.get('x-api-key', '')}", f"/{password.replace('/', '%2F').replace('&', '%26')}"]
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f'<pre>{lines}</pre><script type="application/ld+json">{item}</script>{anchors}'


async def echo(client: Client) -> None:
    key, cookies = client.asked.headers.get("x-api-key", ""), f"Set-Cookie: sid={SESSION}; Path=/; HttpOnly"
    paths = "echo fail deny moved away boom type".split()
    links = "".join(f'<a href="/{path}">{path}</a>' for path in paths)
    match client.asked.target:
        case "/fail":
            await client.page(told(client).encode(), cookies, status=f"500 {key}")
        case "/deny":
            await client.page(told(client).encode(), status="403 Forbidden")
        case "/moved":
            await client.page(b"", f"Location: /landed?key={key}", status="302 Found")
        case "/away":
            await client.page(b"", f"Location: https://other.example.org/?key={key}", status="302 Found")
        case "/type":
            await client.page(b"", type_=f"image/{key}")
        case "/robots.txt":
            await client.page(b"User-agent: *\nAllow: /", cookies, type_="text/plain")
        case target:
            title = f"<title>{target}</title>"
            await client.page(f"{title}{told(client)}{links}".encode(), cookies, f"ETag: {key}")


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as running:
        running.behaviours = {"": echo}
        yield running


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUNDOG_TEST_PASSWORD", PASSWORD)


def write_spec(web: SmallWeb, budget: int = 6) -> Path:
    (Path.cwd() / "key").write_text(f"{KEY}\n")
    path = Path("spec.toml")
    path.write_text(SPEC.format(connect_to=web.connect_to, file=Path.cwd() / "key", budget=budget))
    return path


def shown(directory: Path) -> bytes:
    """Every byte, unpacked too."""
    files = [path.read_bytes() for path in directory.rglob("*") if path.is_file()]
    return b"\n".join(files + [gzip.decompress(data) for data in files if data.startswith(b"\x1f\x8b")])


def test_they_are_sent_and_kept_nowhere(
    web: SmallWeb, sundog: Command, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    judged = intake.view_of

    def broken(url: str, *arguments: object) -> object:
        if url.endswith("/boom"):
            raise ValueError(f"cannot judge {arguments}")
        return judged(url, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(intake, "view_of", broken)
    said = [sundog("crawl", write_spec(web), "--out", "crawl")]
    said.append(sundog("resume", "crawl", "--budget", 30))
    said += [sundog("export", "crawl", "--format", name, "--out", f"crawl/{name}.x") for name in FORMATS]
    said += [sundog("report", "crawl"), sundog("explain", "crawl", "https://data.example.org/deny")]
    said.append(sundog("query", "crawl", "SELECT * { ?s ?p ?o }"))

    got = [asked.headers for asked in web.log if asked.host == "data.example.org"]
    assert {headers["authorization"] for headers in got} == {f"Basic {BASIC}"}
    assert {headers["x-api-key"] for headers in got} == {KEY}
    assert f"sid={SESSION}" in {headers.get("cookie") for headers in got}
    others = [asked for asked in web.log if asked.host != "data.example.org"]
    assert others
    assert not [asked for asked in others if {"authorization", "x-api-key"} & asked.headers.keys()]
    assert not [asked for asked in web.log if asked.target == "/robots.txt" and "cookie" in asked.headers]

    everything = shown(Path("crawl")) + caplog.text.encode() + "".join(map(str, said)).encode()
    assert [secret for secret in SECRETS if secret in everything] == []
    for there in (b"${SUNDOG_TEST_PASSWORD}", b"403 (the spec's credentials", b"cannot judge", b"********"):
        assert there in everything


def test_what_is_missing_is_one_sentence(web: SmallWeb, sundog: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = write_spec(web)
    assert sundog("crawl", spec, "--out", "done").code == 0
    monkeypatch.delenv("SUNDOG_TEST_PASSWORD")
    lost = 'access "data.example.org": password: the environment variable SUNDOG_TEST_PASSWORD is not set'
    assert one_line(sundog("crawl", spec, "--out", "crawl")).endswith(lost)
    assert one_line(sundog("resume", "done", "--budget", 30)).endswith(lost)
    monkeypatch.setenv("SUNDOG_TEST_PASSWORD", PASSWORD)
    Path("key").unlink()
    assert "key cannot be read: No such file" in one_line(sundog("crawl", spec, "--out", "crawl"))
    assert not Path("crawl").exists()
