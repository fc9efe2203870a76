"""Who may ask: hosts, tokens, CSRF, paths, sizes; and what no browser can make the server do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from time import time

import httpx
import pytest

from sundog.errors import UsageError
from sundog.web.guard.sessions import Sessions
from sundog.web.guard.wrong_tokens import WrongTokens
from sundog.web.runs.directories import Root
from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served

TOKEN = "a token that nobody guesses"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("security")
    for name in ("root/kettles", "root/doomed", "root/borrowed", "outside"):
        small_crawl(folder / name)
    (folder / "secret.txt").write_text("secret")
    (folder / "root" / "linked").symlink_to(folder / "outside")
    (folder / "root" / "borrowed" / "spec.toml").unlink()
    (folder / "root" / "borrowed" / "spec.toml").symlink_to(folder / "secret.txt")
    return folder / "root"


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[httpx.Client]:
    with served(Settings(root=root)) as client:
        yield client


@pytest.fixture
def locked(root: Path) -> Iterator[httpx.Client]:
    settings = Settings(root=root, host="0.0.0.0", token=TOKEN)
    with served(settings) as client:
        yield client


# -- hosts and origins -----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "a b", "10.0.0.1"])
def test_other_host_names_are_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/api/crawls", headers={"Host": host}).status_code == 421


def test_names_given_at_the_start_are_ours(root: Path) -> None:
    with served(Settings(root=root, names=frozenset({"crawls.example"}))) as client:
        assert client.get("/api/crawls", headers={"Host": "crawls.example"}).status_code == 200


def test_a_change_needs_the_csrf_token(client: httpx.Client) -> None:
    path = "/api/crawls/doomed"
    assert client.delete(path).status_code == 403
    assert client.delete(path, headers={"X-CSRF-Token": "0" * 64}).status_code == 403
    mine = csrf(client)
    with httpx.Client(base_url=client.base_url) as other:
        other.get("/api/session")
        assert other.delete(path, headers=mine).status_code == 403
    assert client.delete(path, headers={**mine, "Origin": "http://evil.example"}).status_code == 403
    assert client.delete(path, headers={**mine, "Origin": "null"}).status_code == 403
    assert client.delete(path, headers={**mine, "Origin": str(client.base_url).rstrip("/")}).status_code == 204


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_cannot_make_the_api_work(client: httpx.Client, site: str) -> None:
    """They could not read the answer; pages may be linked to."""
    headers = {"Sec-Fetch-Site": site}
    assert client.get("/api/crawls/kettles/export/csv", headers=headers).status_code == 403
    assert client.get("/crawls/kettles", headers=headers).status_code == 200
    assert client.get("/api/crawls", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_the_cookie_is_strict_and_ours_alone(client: httpx.Client) -> None:
    client.cookies.clear()
    cookie = client.get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "set-cookie" not in client.get("/").headers
    name, _, value = cookie.partition(";")[0].partition("=")
    forged = value[:-1] + ("0" if value[-1] != "0" else "1")
    client.cookies.clear()
    assert "set-cookie" in client.get("/", headers={"Cookie": f"{name}={forged}"}).headers


def test_every_answer_has_a_content_security_policy(client: httpx.Client) -> None:
    for path in ("/", "/api/crawls", "/nothing", "/static/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


# -- tokens ----------------------------------------------------------------------------------------------


def test_other_addresses_need_a_token(root: Path) -> None:
    with pytest.raises(UsageError, match="--no-token"):
        Settings(root=root, host="0.0.0.0")
    with pytest.raises(UsageError, match="too short"):
        Settings(root=root, host="0.0.0.0", token="short")


def test_without_the_token_nothing_is_shown(locked: httpx.Client) -> None:
    assert locked.get("/api/crawls").status_code == 401
    assert locked.get("/api/openapi.json").status_code == 401
    assert locked.get("/").headers["location"] == "/login"
    assert locked.get("/login").status_code == 200
    assert locked.get("/api/crawls", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert locked.get("/api/crawls", headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_logging_in(locked: httpx.Client) -> None:
    page = locked.get("/login").text
    token = {"X-CSRF-Token": page.partition('name="csrf" content="')[2].partition('"')[0]}
    assert locked.post("/api/login", json={"token": "wrong"}, headers=token).status_code == 401
    assert locked.post("/api/login", json={"token": TOKEN}, headers=token).status_code == 204
    assert locked.get("/api/crawls").status_code == 200
    assert locked.get("/login").headers["location"] == "/"


def test_logging_out_ends_the_session_for_whoever_has_its_cookie(locked: httpx.Client, root: Path) -> None:
    locked.get(f"/?token={TOKEN}")
    stolen = dict(locked.cookies)
    page = locked.get("/").text
    assert 'id="log-out"' in page
    token = {"X-CSRF-Token": page.partition('name="csrf" content="')[2].partition('"')[0]}
    assert locked.post("/api/logout").status_code == 403, "no other site can log anybody out"
    assert locked.post("/api/logout", headers=token).status_code == 204
    assert locked.get("/").headers["location"] == "/login"
    assert not [cookie for cookie in locked.cookies if not cookie.endswith("_visitor")]
    for base in (locked.base_url, None):  # and by a server that is started later
        with served(Settings(root=root, token=TOKEN)) as other:
            address = base or other.base_url
            assert httpx.get(f"{address}/api/crawls", cookies=stolen).status_code == 401
    locked.get(f"/?token={TOKEN}")
    assert locked.get("/api/crawls").status_code == 200, "the token lets in again"


def test_a_session_ends_by_itself(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions(Root(root).site_folder, TOKEN)
    cookie = sessions.header(sessions.new(known=True)).partition(";")[0]
    assert sessions.find(cookie) is not None
    monkeypatch.setattr("sundog.web.guard.sessions.time", lambda: time() + 31 * 86_400)
    assert sessions.find(cookie) is None


def test_a_link_with_the_token_logs_in_and_forgets_it(locked: httpx.Client) -> None:
    answer = locked.get(f"{locked.base_url}/evil.example/?token={TOKEN}&a=b")
    assert answer.headers["location"] == "/evil.example/?a=b"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert locked.get("/api/crawls").status_code == 200


def test_no_address_keeps_a_token(client: httpx.Client, locked: httpx.Client) -> None:
    """Nor if it is wrong, or the browser is logged in already, or none is needed."""
    assert locked.get("/?token=wrong").headers["location"] == "/login?wrong=1"
    assert "not the one" in locked.get("/login?wrong=1").text
    locked.get(f"/?token={TOKEN}")
    for each in (locked, client):
        assert each.get(f"/new?token={TOKEN}").headers["location"] == "/new"
        assert each.get("/new?token=wrong").headers["location"] == "/new"


def test_a_link_of_another_site_does_not_log_out(locked: httpx.Client) -> None:
    """Strict cookies do not come along with it, so the answer makes a new session."""
    locked.get(f"/?token={TOKEN}")
    with httpx.Client(base_url=locked.base_url) as stranger:
        locked.cookies.update(stranger.get("/login").cookies)
    assert locked.get("/api/crawls").status_code == 200


def guess(client: httpx.Client) -> None:
    for _ in range(10):
        client.get("/api/crawls", headers={"Authorization": "Bearer wrong"})


RIGHT = {"Authorization": f"Bearer {TOKEN}"}


def test_guessing_closes_the_door_to_who_guesses(locked: httpx.Client) -> None:
    """Others come in, and browsers that are in stay in."""
    with httpx.Client(base_url=locked.base_url) as browser:
        browser.get(f"/?token={TOKEN}")
        guess(locked)
        assert locked.get("/api/crawls", headers=RIGHT).status_code == 429
        assert locked.get("/login").status_code == 200
        assert browser.get("/api/crawls").status_code == 200
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(base_url=locked.base_url, transport=elsewhere) as other:
        assert other.get("/api/crawls", headers=RIGHT).status_code == 200
        assert other.get(f"/?token={TOKEN}").headers["location"] == "/"


def test_nobody_is_locked_out_by_others_on_the_same_machine(root: Path) -> None:
    """They have the same address. A token that nobody guesses in a lifetime needs no closed door."""
    with served(Settings(root=root, token=TOKEN * 2)) as client:
        guess(client)
        assert client.get("/api/crawls", headers={"Authorization": "Bearer wrong"}).status_code == 429
        assert client.get(f"/?token={TOKEN * 2}").headers["location"] == "/"
        assert client.get("/api/crawls").status_code == 200


def test_addresses_that_guess_are_remembered_for_a_while() -> None:
    now = 0.0
    wrong = WrongTokens(lambda: now)
    for number in range(10):
        wrong.add(f"2001:db8::{number}")
    assert wrong.is_closed("2001:db8::ffff")
    assert not wrong.is_closed("2001:db8:0:1::1")
    now = 61.0
    assert not wrong.is_closed("2001:db8::ffff")
    for number in range(10_001):
        wrong.add(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(wrong._times) == 10_000


# -- paths and sizes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["..", "linked", "%2e%2e", "..%2foutside", "..%5coutside", "kettles%2f..", ".web", "kettles%00", "%0a"]
)
def test_no_path_leads_out_of_the_root(client: httpx.Client, name: str) -> None:
    for rest in ("", "/pages", "/report", "/export/nquads", "/events"):
        assert client.get(f"/api/crawls/{name}{rest}").status_code == 404
    assert "linked" not in client.get("/api/crawls").text


@pytest.mark.parametrize(
    "path", ["/static/../../secret.txt", "/static/%2e%2e/%2e%2e/app.py", "/static//etc/passwd"]
)
def test_static_files_are_ours(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_spec_that_is_a_link_is_not_read(client: httpx.Client) -> None:
    answer = client.get("/api/crawls/borrowed")
    assert answer.status_code == 200
    assert "secret" not in answer.text


def test_bodies_are_bounded(client: httpx.Client) -> None:
    assert client.post("/api/check", content=b" " * 3_000_000, headers=csrf(client)).status_code == 413
    chunks = (b" " * 100_000 for _ in range(30))
    assert client.post("/api/check", content=chunks, headers=csrf(client)).status_code == 413


def test_bodies_must_come_in_time(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.web.guard.middleware.SECONDS", 0.1)
    names = {**csrf(client), "Host": client.base_url.netloc.decode(), "Content-Length": "9"}
    names["Cookie"] = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    lines = ["POST /api/check HTTP/1.1", *(f"{name}: {value}" for name, value in names.items()), "", ""]
    with socket.create_connection((client.base_url.host, client.base_url.port or 80), 60) as connection:
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(12) == b"HTTP/1.1 408"


def _is_cut_off(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"a")
        return not connection.recv(65_536)
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a_head_that_does_not_come_is_not_waited_for(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither if nothing comes, nor if a little comes now and then; nor in a second request."""
    monkeypatch.setattr("sundog.web.guard.connections.BoundedProtocol.seconds_for_head", 0.3)
    for begun in (b"", b"GET / HTTP/1.1\r\nX-A: ", b"GET /login HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT"):
        with socket.create_connection((client.base_url.host, client.base_url.port or 80), 60) as connection:
            connection.sendall(begun)
            connection.settimeout(0.05)
            assert any(_is_cut_off(connection) for _ in range(1_000))


# -- what a spec may not ask for -------------------------------------------------------------------------

SEED = 'seeds = ["https://a.example/"]\n'
API = 'world = "api"\nseeds = ["1"]\n[api]\nitems = "https://a.example/{id}"\nlinks = "a"\nscore = "b"\n'


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ('seeds = ["http://127.0.0.1/"]', "private"),
        ('seeds = ["http://127.0.0.1?x"]', "private"),
        ('seeds = ["http://[::1]:80/"]', "private"),
        ('seeds = ["http://localhost:8765/"]', "private"),
        ('seeds = ["http://0x7f000001/"]', "private"),
        ('seeds = ["http://169.254.169.254/latest"]', "private"),
        ('seeds = ["file:///etc/passwd"]', "http"),
        (SEED + "allow_private = true", "--allow-private"),
        (SEED + 'proxy = "http://10.0.0.1:80"', "--allow-private"),
        (SEED + 'connect_to = "127.0.0.1:22"', "--connect-to"),
        (SEED + 'objective = "../../secret.rq"', "no file"),
        (SEED + 'objective = "/etc/passwd.rq"', "no file"),
        (SEED + 'world = "archive"\n[archive]\npath = "/etc"', "archive.path"),
        (SEED + '[parameters]\npretrain = "/etc/passwd"', "pretrain"),
        (SEED + "concurrency = 100000", "concurrency"),
        (API + '[api.headers]\nA = "${HOME}"', "names secrets of the server"),
        (API + '[api.headers]\nA = "${file:/etc/passwd}"', "names secrets of the server"),
        (API + '[api.headers]\nAuthorization = "Bearer abc"', "a secret may not stand in the spec"),
        (SEED + '[[access]]\nhost = "a.example"\nheaders = { A = "${HOME}" }', "[[access]] names secrets"),
        (SEED + '[[access]]\nhost = "a.example"\nheaders = { A = "b" }', "[[access]] names secrets"),
        (SEED + 'proxy = "http://a:${HOME}@p.example"', "names secrets of the server"),
        ("a = " + "[" * 5_000, "spec.toml"),
    ],
)
def test_what_a_browser_may_not_ask_for(client: httpx.Client, root: Path, spec: str, message: str) -> None:
    before = sorted(root.iterdir())
    checked = client.post("/api/check", json={"spec": spec}, headers=csrf(client)).json()
    assert not checked["ok"]
    assert message in checked["errors"][0]["message"]
    begun = client.post("/api/crawls", json={"spec": spec}, headers=csrf(client))
    assert begun.status_code == 400
    assert sorted(root.iterdir()) == before


@pytest.mark.parametrize("name", ["../x.rq", "a/b.rq", ".hidden", "spec.toml", "x" * 100])
def test_names_of_files_are_plain(client: httpx.Client, name: str) -> None:
    body = {"spec": SEED, "files": {name: "SELECT * {}"}}
    assert client.post("/api/crawls", json=body, headers=csrf(client)).status_code == 400


@pytest.mark.parametrize(
    "address", ["a@b.example\nBcc: c@d.example", "a@b.example\r\n\r\nspam", "a b@c.example", "@"]
)
def test_addresses_cannot_add_headers(client: httpx.Client, address: str) -> None:
    answer = client.post("/api/crawls", json={"spec": SEED, "email": address}, headers=csrf(client))
    assert answer.status_code == 400
    assert "no e-mail address" in answer.json()["error"]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://127.0.0.1?x", "http://[::ffff:127.0.0.1]/", "http://localhost./", "x"]
)
def test_previews_stay_outside(client: httpx.Client, url: str) -> None:
    answer = client.post("/api/preview", json={"url": url, "draft": {}}, headers=csrf(client))
    assert answer.status_code == 400


# -- what nobody would send ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a" * 300, "%C3%A9" * 200, "%ff%fe", "%E2%80%AE", "kettles%20"])
def test_no_name_breaks_the_server(client: httpx.Client, name: str) -> None:
    for path in (f"/api/crawls/{name}", f"/crawls/{name}/results"):
        assert client.get(path).status_code == 404
    assert client.delete(f"/api/crawls/{name}", headers=csrf(client)).status_code == 404


@pytest.mark.parametrize(
    "body", [b'{"parameters": {"\\ud800": ""}}', b'{"files": {"\\ud800": ""}}', b"[" * 100_000]
)
def test_bodies_that_cannot_be_encoded_are_refused(client: httpx.Client, body: bytes) -> None:
    headers = {**csrf(client), "Content-Type": "application/json"}
    assert client.post("/api/check", content=body, headers=headers).status_code in (400, 422)


def test_a_url_with_a_nul_is_refused(client: httpx.Client) -> None:
    assert client.get("/api/crawls/kettles/explain", params={"url": "\0"}).status_code == 404


@pytest.mark.parametrize(
    "key",
    ["a" + ".a" * 300_000, "a" + " " * 20 + ".a" * 100_000, '"\\""' + '."\\""' * 150_000, "x = " + "9" * 10_000],
)
def test_toml_is_read_in_no_time(client: httpx.Client, key: str) -> None:
    """These keys would take Python's parser hours."""
    spec = f"{key} = 1" if "=" not in key else key
    checked = client.post("/api/check", json={"spec": spec}, headers=csrf(client)).json()
    assert not checked["ok"]


def test_a_fault_of_ours_has_the_headers_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(Settings(root=root)) as client:
        monkeypatch.setattr("sundog.web.runs.crawls.Crawls.all", lambda self: 1 / 0)
        answer = client.get("/api/crawls")
    assert (answer.status_code, answer.json().keys()) == (500, {"error"})
    assert "default-src 'none'" in answer.headers["content-security-policy"]
