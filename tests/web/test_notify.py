"""E-mail at a crawl's end, to a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from sundog.errors import SundogError, UsageError
from sundog.web.notify import email_of, send_email
from sundog.web.settings import EmailSettings, Settings, read_email
from tests.store.crawls import small_crawl
from tests.web.apps import served

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


def test_a_crawl_that_has_ended_is_mailed_once(postbox: tuple[Postbox, int], tmp_path: Path) -> None:
    """It ended while no server ran that could have sent an e-mail."""
    box, port = postbox
    small_crawl(tmp_path / "kettles")
    (tmp_path / "kettles" / ".web").mkdir()
    (tmp_path / "kettles" / ".web" / "state.json").write_text(
        '{"outcome": "finished", "email": "ada@example.org"}'
    )
    email = EmailSettings(server="127.0.0.1", port=port, sender="s@example.org", site="https://s.example/")
    with served(Settings(root=tmp_path, email=email)) as client:
        assert client.get("/api/session").json()["email"]
        end = monotonic() + 60
        while '"mailed": true' not in (tmp_path / "kettles" / ".web" / "state.json").read_text():
            assert monotonic() < end
            sleep(0.05)
    ((to, message),) = box.messages
    assert (to, message["To"], message["Subject"]) == (
        ["ada@example.org"],
        "ada@example.org",
        "Sundog: kettles has ended",
    )
    body = message.get_body()
    assert body is not None
    assert "https://s.example/crawls/kettles/results" in body.get_content()
    (attached,) = message.iter_attachments()
    assert b"Kettle" in attached.get_content()


def test_titles_cannot_add_headers() -> None:
    settings = EmailSettings(server="x", sender="s@example.org", site="https://s.example")
    crawl = {**CRAWL, "title": "x\r\nBcc: eve@example.org"}
    message = email_of(settings, "ada@example.org", crawl, None)
    assert message["Bcc"] is None
    assert message["Subject"] == "Sundog: x Bcc: eve@example.org has ended"
    assert "crawls/a%20b%2Fc/results" in message.get_content()


def test_a_server_that_does_not_answer_is_one_sentence() -> None:
    settings = EmailSettings(server="127.0.0.1", port=9, sender="s@example.org")
    with pytest.raises(SundogError, match=r"no e-mail could be sent by 127\.0\.0\.1"):
        send_email(settings, email_of(settings, "ada@example.org", CRAWL, None))


def test_settings_are_read_strictly(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    (tmp_path / "word").write_text("open sesame\n")
    path.write_text('[email]\nserver = "x"\nsender = "a@b.example"\nuser = "u"\npassword_file = "word"\n')
    email = read_email(path)
    assert email is not None
    assert (email.password, "sesame" in repr(email)) == ("open sesame", False)
    path.write_text('[email]\nserver = "x"\nsendr = "a@b.example"\n')
    with pytest.raises(UsageError, match="did you mean 'sender'"):
        read_email(path)
