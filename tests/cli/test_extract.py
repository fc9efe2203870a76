"""``sundog extract`` as a user meets it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from sundog.cli import main
from tests.engines.live.webs import SmallWeb

PAGE = """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Cup",
"offers": {"@type": "Offer", "price": 3.5}}</script><p class="h-card">Ada</p>"""


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str, stdin: bytes = b"") -> int:
    monkeypatch.setattr(sys, "argv", ["sundog", "extract", *arguments])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
    with pytest.raises(SystemExit) as done:
        main()
    return int(done.value.code or 0)


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return str(path)


def test_nquads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], page: str) -> None:
    assert run(monkeypatch, page, "--base", "http://a.example/") == 0
    out = capsys.readouterr().out
    assert '<http://schema.org/name> "Cup" <http://a.example/> .' in out
    assert out.count("\n") == 7


def test_items(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], page: str) -> None:
    assert run(monkeypatch, page, "--format", "json", "--syntax", "jsonld") == 0
    offer = {"type": "Offer", "price": 3.5}
    assert json.loads(capsys.readouterr().out) == {"jsonld": [{"type": "Product", "name": "Cup", "offers": offer}]}


def test_jsonld(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], page: str) -> None:
    assert run(monkeypatch, page, "--format", "jsonld", "--base", "http://a.example/") == 0
    (graph,) = json.loads(capsys.readouterr().out)
    assert graph["@id"] == "http://a.example/"


def test_microformats(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "-", "--format", "json", "--syntax", "microformats", stdin=PAGE.encode()) == 0
    assert json.loads(capsys.readouterr().out)["items"][0]["type"] == ["h-card"]


def test_rdf_is_known_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "data.ttl"
    file.write_text("<http://a.example/> a <http://v.example/T> .")
    assert run(monkeypatch, str(file)) == 0
    assert "<http://v.example/T>" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("no-such-file",), 1, "no-such-file cannot be read: No such file or directory"),
        (("-", "--syntax", "jsonl"), 2, "unknown syntax 'jsonl'; did you mean 'jsonld'?"),
        (("-", "--format", "xml"), 2, "unknown format 'xml'"),
        (("-", "--base", "example.com"), 2, "--base 'example.com' is no URL"),
    ],
)
def test_wrong_requests(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    assert run(monkeypatch, *arguments) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_faults_are_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "-", stdin=b"<script type=application/ld+json>{</script>") == 0
    assert "jsonld: block 1: not JSON" in capsys.readouterr().err


def test_contexts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with SmallWeb() as web:
        context = f"http://127.0.0.1:{web.port}/context"
        web.reply(context, json.dumps({"@context": {"p": "ex:p"}}), type_="application/ld+json")
        file = tmp_path / "data.jsonld"
        file.write_text(json.dumps({"@context": context, "@id": "ex:i", "p": "v"}))
        assert run(monkeypatch, str(file), "--contexts", "fetch", "--allow-private") == 0
        assert '<ex:i> <ex:p> "v"' in capsys.readouterr().out
        assert run(monkeypatch, str(file), "--contexts", "fetch") == 0
        assert f"{context} cannot be had: private-address: 127.0.0.1" in capsys.readouterr().err
        assert run(monkeypatch, str(file)) == 0
        assert f"{context} is not fetched" in capsys.readouterr().err
        assert len(web.log) == 2  # robots.txt, and the context
    assert run(monkeypatch, str(file), "--contexts", "all") == 2
    assert "bundled or fetch is expected" in capsys.readouterr().err
