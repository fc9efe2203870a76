"""What kind of page stands where data was; and that hostile pages do not take long."""

from __future__ import annotations

import pytest

from sundog.extract.page_signs import MOST_BYTES, page_signs

TEXT = "<p>" + "A shop that sells kettles, teapots and cups of all kinds. " * 60
PAGES = {
    "plain": (f"<title>Kettles</title>{TEXT}", ()),
    "banner": (f"<title>Kettles</title><div>We use cookies. Accept all</div>{TEXT}", ()),
    "login in the header": (f"<title>Kettles</title><form><input type=password></form>{TEXT}", ()),
    "login": ("<title>Anmelden</title><form><input type='password'></form>", ("login",)),
    "consent": (
        "<title>Bevor Sie fortfahren</title><h1>Cookies</h1><button>Alle akzeptieren</button>",
        ("consent",),
    ),
    "challenge": (
        "<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x></script>",
        ("challenge",),
    ),
    "captcha in a form": (f"<title>Contact</title><div class=g-recaptcha></div>{TEXT}", ()),
    "not found": ("<title>Oups</title><h1>Page introuvable</h1>" + TEXT, ("not found",)),
    "shell": ("<title>Shop</title><body><div id='__next'></div><script>1</script></body>", ("scripts",)),
    "hidden text": (f"<title>Shop</title><div id=app></div><script>var a = '{TEXT}'</script>", ("scripts",)),
}


@pytest.mark.parametrize("name", PAGES)
def test_marks(name: str) -> None:
    page, marks = PAGES[name]
    assert page_signs(page.encode()).marks == marks


@pytest.mark.parametrize(
    "part",
    [b"<script", b"<script>", b"<title", b"<h1>", b"<", b"<html lang=", b"type = password", b"\xff\xfe", b"&#"],
)
def test_hostile_pages_are_read_in_one_pass(part: bytes) -> None:
    """A quadratic pass would take minutes."""
    assert page_signs(part * (MOST_BYTES // len(part) * 2)).text <= MOST_BYTES
