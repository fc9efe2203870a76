"""What can be done with a crawl and its process: its budget, its log, and the same crawl as text to copy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sundog.store import open_readonly
from sundog.web.runs import process_log
from sundog.web.settings import EmailSettings, Settings, WebhookSettings
from tests.engines.live.webs import HOME, SmallWeb
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served
from tests.web.sites import SOURCES, Site, spec_of_shop
from tests.web.test_patterns import SPEC as WITH_PATTERNS

# -- the budget --------------------------------------------------------------------------------------


def test_the_budget_of_a_running_crawl(site: Site, web: SmallWeb) -> None:
    for number in range(400):
        web.page(f"http://long.example/{number}", f"/{number + 1}", delay=0.02)
    spec = spec_of_shop(300).replace(HOME, "http://long.example/0").replace("delay = 0", "delay = 0.05")
    name = site.begin(spec)
    shown = site.until(name, lambda crawl: crawl["state"] == "running" and crawl["fetched"] >= 3)
    assert shown["actions"] == ["budget", "pause", "stop"]
    refused = site.post(f"/api/crawls/{name}/budget", {"budget": 1}, 400)
    assert refused["error"].startswith("a budget of 1 is less than what was spent already (")
    assert site.post(f"/api/crawls/{name}/budget", {"budget": 400})["budget"] == 400
    wanted = site.crawl(name)["spent"] + 10
    assert site.post(f"/api/crawls/{name}/budget", {"budget": wanted})["budget"] == wanted
    ended = site.until_state(name, "finished", "failed")
    assert (ended["state"], ended["reason"], ended["budget"], ended["spent"]) == (
        "finished",
        "budget",
        wanted,
        wanted,
    )
    refused = site.post(f"/api/crawls/{name}/budget", {"budget": 900}, 409)
    assert refused["error"] == f"{name} does not run: its budget can be changed when it is resumed"
    assert site.post(f"/api/crawls/{name}/budget", {"budget": 0}, 422)["error"].startswith("budget: ")


# -- the log -----------------------------------------------------------------------------------------


def test_the_log_of_a_crawl_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its ends are shown, all of it can be downloaded, and no secret is in either."""
    monkeypatch.setenv("SHOP_KEY", "key of the shop")
    directory = small_crawl(tmp_path / "kettles")
    spec = directory / "spec.toml"
    spec.write_text(f'{spec.read_text()}\n[[access]]\norigins = ["https://a.example"]\nbearer = "${{SHOP_KEY}}"\n')
    (directory / ".web").mkdir()
    secrets = [
        "token of the site",
        "word of the post",
        "secret of hooks",
        "https://hooks.example/abc",
        "key of the shop",
    ]
    lines = "".join(f"line {number} {secrets[number % 5]} <b>\x1b[31m {directory}\n" for number in range(20_000))
    (directory / ".web" / "output.log").write_text(lines)
    (directory / "errors.log").write_text(
        "Traceback (most recent call last):\nValueError: https://ada:sesame@a.example/\n"
    )
    settings = Settings(
        root=tmp_path,
        token=secrets[0],
        email=EmailSettings(server="x", sender="a@b.example", password=secrets[1]),
        webhook=WebhookSettings(secret=secrets[2], url=secrets[3]),
    )
    with served(settings, headers={"Authorization": f"Bearer {secrets[0]}"}) as client:
        answer = client.get("/api/crawls/kettles/log")
        output, errors = answer.json()["output"], answer.json()["errors"]
        assert (output["size"], output["cut"], errors["cut"]) == (len(lines), True, False)
        assert output["text"].startswith("line ")
        assert output["text"].endswith(" kettles")
        assert "\x1b" not in output["text"]
        assert len(output["text"]) <= process_log.SHOWN
        assert str(tmp_path) not in output["text"]
        assert errors["text"].splitlines()[-1] == "ValueError: https://•••@a.example/"
        whole = client.get("/api/crawls/kettles/log/output")
        assert whole.text.count("\n") == 20_000
        assert "attachment" in whole.headers["content-disposition"]
        assert whole.headers["content-type"] == "text/plain; charset=utf-8"
        for text in (answer.text, whole.text):
            assert not [secret for secret in secrets if secret in text]
        assert client.get("/api/crawls/kettles/log/crawl.db").status_code == 422
        (directory / "errors.log").unlink()
        missing = client.get("/api/crawls/kettles/log/errors")
        assert (missing.status_code, missing.json()["error"]) == (
            404,
            "kettles has no such log: nothing was written",
        )


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_no_secret_slips_through_between_two_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(process_log, "CHUNK", chunk)
    directory = small_crawl(tmp_path / "kettles")
    (directory / "errors.log").write_text("x" * 1_500 + "open sesame, please" + "y" * 1_500)
    with served(Settings(root=tmp_path, token="open sesame, please")) as client:
        found = client.get(
            "/api/crawls/kettles/log/errors", headers={"Authorization": "Bearer open sesame, please"}
        )
    assert found.text == "x" * 1_500 + "•••" + "y" * 1_500


# -- the same elsewhere ------------------------------------------------------------------------------


def run(words: list[str], folder: Path, **environment: str) -> str:
    """What it prints; as whoever has copied it would run it."""
    folder.mkdir(exist_ok=True)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {**os.environ, "PYTHONPATH": SOURCES, "PATH": path, **environment}
    done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fetched(directory: Path) -> set[str]:
    with open_readonly(directory) as reader:
        return {url for (url,) in reader.connection.execute("SELECT url FROM pages")}


@pytest.fixture(scope="module")
def steered(site: Site) -> str:
    """With patterns, a query of its own, and letters that a shell or a program could stumble over."""
    spec = WITH_PATTERNS.replace(
        "budget = 50", """budget = 9\ntitle = "it's \\"tea\\" — $HOME `x` \\\\"\nobjective = "wanted.rq\""""
    )
    files = {"wanted.rq": 'SELECT ?s { ?s ?p ?o . FILTER("""\nEND\n""" != "é") }'}
    name = site.begin(spec, id="steered", files=files)
    assert site.until_state(name, "finished", "failed")["state"] == "finished"
    return name


@pytest.fixture(scope="module")
def plain(site: Site) -> str:
    """As the guided form makes it: one command says all of it."""
    draft = {"id": "plain", "title": "Tea & more", "seeds": [HOME], "objective": "type:schema:Product"}
    site.post("/api/crawls", {**draft, "budget": 12, "delay": 0, "warc": True}, 201)
    assert site.until_state("plain", "finished", "failed")["state"] == "finished"
    return "plain"


@pytest.mark.parametrize("name", ["plain", "steered"])
def test_what_is_copied_runs_as_it_stands(
    site: Site, tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(name)
    code: dict[str, Any] = site.get(f"/api/crawls/{name}/code")
    pages = fetched(site.root / name)
    (tmp_path / "command.sh").write_text(code["command"])
    run(["sh", "-eu", str(tmp_path / "command.sh")], tmp_path / "by-command")
    assert fetched(tmp_path / "by-command" / f"{name}-again") == pages
    (tmp_path / "program.py").write_text(code["python"])
    printed = run([sys.executable, str(tmp_path / "program.py")], tmp_path / "by-python")
    assert fetched(tmp_path / "by-python" / f"{name}-again") == pages
    assert printed.endswith(f"relevant pages of {len(pages)}\n")
    token = site.link.partition("token=")[2]
    (tmp_path / "read.sh").write_text(code["curl_read"])
    assert json.loads(run(["sh", "-eu", str(tmp_path / "read.sh")], tmp_path, SUNDOG_TOKEN=token))["id"] == name
    (tmp_path / "begin.sh").write_text(code["curl_begin"])
    begun = json.loads(run(["sh", "-eu", str(tmp_path / "begin.sh")], tmp_path, SUNDOG_TOKEN=token))
    assert site.until_state(begun["id"], "finished", "failed")["state"] == "finished"
    assert fetched(site.root / begun["id"]) == pages
    assert token not in json.dumps(code)
    site.post("/api/check", {"spec": code["spec"]})


def test_a_plain_crawl_is_one_command(tmp_path: Path) -> None:
    with served(Settings(root=tmp_path, connect_to="127.0.0.1:9")) as client:
        draft = {
            "id": "tea",
            "seeds": ["http://a.example/?a=1&b=2"],
            "objective": 'keyword:"green tea"',
            "warc": True,
        }
        client.post("/api/crawls", json=draft, headers=csrf(client))
        code = client.get("/api/crawls/tea/code").json()
        for file in ("read", "begin"):
            (tmp_path / f"{file}.sh").write_text(code[f"curl_{file}"])
        assert json.loads(run(["sh", "-eu", str(tmp_path / "read.sh")], tmp_path))["id"] == "tea"
        assert json.loads(run(["sh", "-eu", str(tmp_path / "begin.sh")], tmp_path))["id"] == "a-example"
    assert code["command"] == (
        "sundog crawl 'http://a.example/?a=1&b=2' --for 'keyword:\"green tea\"' --budget 1000 "
        "--connect-to 127.0.0.1:9 --warc --out tea-again\n"
    )
