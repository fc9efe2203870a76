"""Notices of a crawl, to real servers on loopback: e-mail and webhook."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from sundog.engines.live.run import crawl
from sundog.errors import SundogError, UsageError
from sundog.processes.detached import process_started
from sundog.spec.crawl import parse_spec
from sundog.web.notify import notifier
from sundog.web.notify.email import email_of, send_email
from sundog.web.notify.notice import Notice
from sundog.web.notify.webhook import SIGNATURE, check_webhook, post_webhook, signature_of
from sundog.web.settings import EmailSettings, Settings, WebhookSettings, read_ways
from tests.engines.live.webs import SmallWeb, spec_for
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served
from tests.web.test_patterns import SPEC as SPEC_WITH_PATTERNS

CRAWL = {
    "id": "a b/c",
    "title": "",
    "fetched": 5,
    "relevant": 3,
    "state": "finished",
    "reason_words": "",
    "statements": 9,
}


class Postbox:
    def __init__(self) -> None:
        self.messages: list[tuple[list[str], EmailMessage]] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append((envelope.rcpt_tos, message))
        return "250 OK"


class OnFreePort(Controller):
    """Knows its port before it asks itself."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def postbox() -> Iterator[tuple[Postbox, int]]:
    box = Postbox()
    controller = OnFreePort(box, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield box, controller.port
    finally:
        controller.stop()


def ended_crawl(directory: Path, **state: object) -> Path:
    """A crawl that ended while no server ran that could have told of it; returns where its state is."""
    (directory / ".web").mkdir(parents=True)
    (directory / "live.json").unlink(missing_ok=True)  # its process is this one, and runs
    path = directory / ".web" / "state.json"
    path.write_text(json.dumps({"outcome": "finished", **state}))
    return path


def until_told(path: Path, what: str) -> None:
    end = monotonic() + 60
    while f'"{what}": true' not in path.read_text():
        assert monotonic() < end
        sleep(0.05)


def mailed(postbox: tuple[Postbox, int], root: Path, name: str, **settings: Any) -> EmailMessage:
    """The one message that a server sends of a crawl in its root."""
    box, port = postbox
    state = ended_crawl(root / name, email="ada@example.org")
    email = EmailSettings(
        server="127.0.0.1", port=port, sender="s@example.org", site="https://s.example/", **settings
    )
    with served(Settings(root=root, email=email)) as client:
        assert client.get("/api/session").json()["email"]
        until_told(state, "mailed")
    ((to, message),) = box.messages
    assert (to, message["To"]) == (["ada@example.org"], "ada@example.org")
    return message


def text_of(message: EmailMessage) -> str:
    body = message.get_body()
    assert body is not None
    return str(body.get_content())


def test_a_crawl_that_has_ended_is_mailed_once(postbox: tuple[Postbox, int], tmp_path: Path) -> None:
    small_crawl(tmp_path / "kettles")
    message = mailed(postbox, tmp_path, "kettles")
    assert message["Subject"] == "Sundog: kettles has ended"
    assert "https://s.example/crawls/kettles/results" in text_of(message)
    (attached,) = message.iter_attachments()
    assert b"Kettle" in attached.get_content()


def test_what_is_too_large_is_not_attached_but_named(postbox: tuple[Postbox, int], tmp_path: Path) -> None:
    small_crawl(tmp_path / "kettles")
    message = mailed(postbox, tmp_path, "kettles", attach=10)
    assert not list(message.iter_attachments())
    assert "Not attached: export.jsonl" in text_of(message)


def test_a_crawl_with_patterns_brings_its_result(
    web: SmallWeb, postbox: tuple[Postbox, int], tmp_path: Path
) -> None:
    spec = parse_spec(SPEC_WITH_PATTERNS)
    crawl(replace(spec, connect_to=web.connect_to), tmp_path / "kettles")
    message = mailed(postbox, tmp_path, "kettles")
    (attached,) = message.iter_attachments()
    assert attached.get_filename() == "result.json"
    items = json.loads(attached.get_content())
    assert [item["title"] for item in items][:2] == ["http://a.example/p/19", "http://a.example/p/18"]


def test_pages_without_data_are_listed_by_their_addresses(
    web: SmallWeb, postbox: tuple[Postbox, int], tmp_path: Path
) -> None:
    seed = "http://words.example/"
    web.page(seed, body="<p>tea</p>")
    crawl(spec_for(web, seeds=(seed,), objective="keyword:tea"), tmp_path / "words")
    message = mailed(postbox, tmp_path, "words")
    (attached,) = message.iter_attachments()
    assert attached.get_filename() == "relevant-pages.csv"
    head, row = attached.get_content().splitlines()
    assert head == "url,reward,depth,fetched_at"
    assert row.startswith(f"{seed},1.0,0,")


# -- webhook -----------------------------------------------------------------------------------------


class Hook(ThreadingHTTPServer):
    """Notes what is posted; answers with each of ``answers``, then with 204."""

    def __init__(self, *answers: int) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.answers, self.posted = list(answers), list[tuple[Any, bytes]]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?key=abc"


class Answering(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.headers, body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def hook(*answers: int) -> Iterator[Hook]:
    with Hook(*answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_webhook_is_told_of_the_end_signed_and_again_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "SECONDS_BETWEEN", 0.05)
    small_crawl(tmp_path / "kettles")
    with hook(500, 302) as server:
        state = ended_crawl(tmp_path / "kettles", webhook=server.url, hooked=False)
        ended_crawl(tmp_path / "earlier", webhook="")  # by a version without webhooks
        webhook = WebhookSettings(url=server.url, secret="open sesame", site="https://s.example")
        with served(Settings(root=tmp_path, webhook=webhook, allow_private=True)) as client:
            until_told(state, "hooked")
            assert client.get("/api/session").json()["webhook"]
            shown = client.get("/api/crawls/kettles")
            assert shown.json()["webhook"] == f"127.0.0.1:{server.server_port}"
            assert "key=abc" not in shown.text
    assert len(server.posted) == 3
    headers, body = server.posted[-1]
    assert headers[SIGNATURE] == signature_of(body, "open sesame")
    told = json.loads(body)
    assert (told["event"], told["id"], told["status"]) == ("ended", "kettles", "finished")
    assert told["link"] == "https://s.example/crawls/kettles"
    assert {"title", "reason", "found", "items", "spent", "budget", "unit", "at"} < told.keys()


def test_a_webhook_reaches_no_private_address_by_whatever_name() -> None:
    for url in ("http://127.0.0.1:9/", "http://[::1]/", "http://localhost/", "http://2130706433/"):
        with pytest.raises(UsageError, match=r"^the webhook is at a private address: start the server with"):
            check_webhook(url, allow_private=False)
    for url in ("ftp://a.example/", "nonsense", "https://user:word@a.example/"):
        with pytest.raises(UsageError, match=r"^the webhook is no address of the Web, such as"):
            check_webhook(url, allow_private=False)


def test_a_name_that_leads_to_a_private_address_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sundog.web.notify.guarded_post.system_addresses", lambda *_: ["127.0.0.1"])
    with hook() as server:
        url = f"http://hooks.example:{server.server_port}/?key=abc"
        with pytest.raises(SundogError, match=r"\d cannot be reached: it is at a private address$"):
            post_webhook(url, b"{}", "", allow_private=False)
        assert not server.posted
        post_webhook(url, b"{}", "", allow_private=True)
        assert SIGNATURE not in server.posted[0][0]


def test_a_crawl_that_needs_attention_is_told_once(tmp_path: Path) -> None:
    """A process that runs, and says that its disk is full."""
    small_crawl(tmp_path / "kettles")
    process = {"pid": os.getpid(), "started": process_started(os.getpid())}
    with hook() as server:
        state = ended_crawl(tmp_path / "kettles", wanted="run", outcome="", hooked=False, **process)
        live = {**process, "budget": 9, "paused": "disk full"}
        (tmp_path / "kettles" / "live.json").write_text(json.dumps(live))
        with served(Settings(root=tmp_path, webhook=WebhookSettings(url=server.url), allow_private=True)):
            end = monotonic() + 60
            while not server.posted or "disk full" not in state.read_text():
                assert monotonic() < end
                sleep(0.05)
            sleep(1.2)  # two more checks
    ((_, body),) = server.posted
    assert (json.loads(body)["event"], json.loads(body)["reason"]) == ("attention", "it is paused: disk full")


def test_webhooks_of_crawls_are_checked_before_they_begin(tmp_path: Path) -> None:
    draft = {"seeds": ["https://a.example/"], "webhook": "http://10.0.0.1/"}
    with served(Settings(root=tmp_path / "off")) as client:
        assert "webhooks are off" in client.post("/api/check", json=draft, headers=csrf(client)).text
    with served(Settings(root=tmp_path / "on", webhook=WebhookSettings())) as client:
        assert "at a private address" in client.post("/api/check", json=draft, headers=csrf(client)).text


def test_titles_cannot_add_headers() -> None:
    settings = EmailSettings(server="x", sender="s@example.org", site="https://s.example")
    crawl = {**CRAWL, "title": "x\r\nBcc: eve@example.org"}
    message = email_of(settings, "ada@example.org", Notice("ended"), crawl)
    assert message["Bcc"] is None
    assert message["Subject"] == "Sundog: x Bcc: eve@example.org has ended"
    assert "crawls/a%20b%2Fc/results" in message.get_content()


def test_a_server_that_does_not_answer_is_one_sentence() -> None:
    settings = EmailSettings(server="127.0.0.1", port=9, sender="s@example.org")
    with pytest.raises(SundogError, match=r"no e-mail could be sent by 127\.0\.0\.1"):
        send_email(settings, email_of(settings, "ada@example.org", Notice("ended"), CRAWL))


def test_settings_are_read_strictly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    (tmp_path / "word").write_text("open sesame\n")
    (tmp_path / "key").write_text("of a file\n")
    monkeypatch.setenv("HOOK_SECRET", "of the environment")
    email_text = '[email]\nserver = "x"\nsender = "a@b.example"\nuser = "u"\npassword_file = "word"\n'
    for secret, value in (("${HOOK_SECRET}", "of the environment"), (f"${{file:{tmp_path}/key}}", "of a file")):
        path.write_text(f'{email_text}[webhook]\nsecret = "{secret}"\n')
        email, webhook = read_ways(path)
        assert email is not None
        assert (email.password, "sesame" in repr(email)) == ("open sesame", False)
        assert webhook is not None
        assert (webhook.secret, value in repr(webhook)) == (value, False)
    for text, sentence in (
        ('[email]\nserver = "x"\nsendr = "a@b.example"\n', "did you mean 'sender'"),
        ('[webhok]\nurl = "x"\n', "unknown key 'webhok'; did you mean 'webhook'"),
        ('webhook = "https://a.example/"\n', r"webhook is a table: write \[webhook\]"),
        ('[webhook]\nsecret = "abc"\n', "webhook.secret: a secret may not stand in the spec"),
        ('[webhook]\nsecret = "${NOT_THERE}"\n', "the environment variable NOT_THERE is not set"),
    ):
        path.write_text(text)
        with pytest.raises(UsageError, match=sentence):
            read_ways(path)
