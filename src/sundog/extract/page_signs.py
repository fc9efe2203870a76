"""What kind of page stands where data was: a wall, a challenge, an apology, a shell that only scripts fill.

Looked at where a page has lost what it had, so it need not be quick; but the page is hostile input: only its
beginning is read, in one pass, without a parser.
"""

from __future__ import annotations

import html
import re
from typing import Literal, NamedTuple

MOST_BYTES = 300_000
LONGEST_TITLE = 120
LITTLE_TEXT = 1_500  # characters: a wall or an apology says no more
HARDLY_TEXT = 400
HIDDEN = ("script", "style", "template", "noscript", "svg")

Mark = Literal["challenge", "login", "consent", "not found", "scripts"]

TAG = re.compile(r"<[^<>]{0,2000}>")
SPACE = re.compile(r"\s+")
TITLE = re.compile(r"<title[^<>]{0,200}>([^<]{0,400})", re.IGNORECASE)
HEADING = re.compile(r"<h1[^<>]{0,400}>([^<]{0,400})", re.IGNORECASE)
LANGUAGE = re.compile(r"<html[^<>]{0,400}?\blang\s*=\s*[\"']?([a-zA-Z]{2,3})", re.IGNORECASE)
PASSWORD = re.compile(r"type\s{0,3}=\s{0,3}[\"']?password", re.IGNORECASE)
ROOT = re.compile(r"id\s{0,3}=\s{0,3}[\"']?(?:root|app|__next|__nuxt|___gatsby|main-app)\b", re.IGNORECASE)
# Of the services that guard sites: what their pages cannot do without.
GUARDS = re.compile(
    r"cf-chl|cf_chl|/cdn-cgi/challenge-platform|px-captcha|_incapsula_resource|captcha-delivery\.com|"
    r"geo\.captcha|ddos-guard|awswafintegration|hcaptcha\.com|g-recaptcha|challenges\.cloudflare",
    re.IGNORECASE,
)
ASKS_FOR_PERSON = re.compile(
    r"captcha|just a moment|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|"
    r"not a robot|unusual traffic|attention required|access denied|bist du ein mensch|kein roboter|pas un robot",
    re.IGNORECASE,
)
LOGIN = re.compile(
    r"\blog[ -]?in\b|\bsign[ -]?in\b|\banmeld|\beinloggen|\bconnexion|se connecter|iniciar sesi|"
    r"\bacceder|\baccedi|\binloggen|zaloguj|\blogga in|members only|subscri(?:be|ption)|войти|ログイン|登录",
    re.IGNORECASE,
)
CONSENT = re.compile(
    r"consent|cookie|privacy (?:choices|settings)|before you continue|datenschutz|einwilligung|zustimm|"
    r"avant de continuer|tout accepter|aceptar|accetta|onetrust|usercentrics|didomi|sourcepoint|trustarc",
    re.IGNORECASE,
)
NOT_FOUND = re.compile(
    r"\b404\b|not (?:be )?found|no longer (?:available|exists)|(?:does|do)(?:n.t| not) exist|nicht gefunden|"
    r"existiert nicht|introuvable|n.existe (?:pas|plus)|no (?:se )?(?:ha )?encontrad|no existe|non trovat|"
    r"niet gevonden|nie znalezion|nicht (?:mehr )?verfügbar|hittades inte|não encontrad|"
    r"не найден|見つかりません|找不到|不存在",
    re.IGNORECASE,
)


class PageSigns(NamedTuple):
    """``text`` is how many characters a reader sees, ``scripts`` how many scripts there are."""

    title: str
    text: int
    scripts: int
    language: str
    marks: tuple[Mark, ...]


def page_signs(body: bytes) -> PageSigns:
    """
    >>> page_signs(b"<title>Log in</title><form><input type=password></form>").marks
    ('login',)
    >>> page_signs(b"<title>A</title><div id=root></div><script src=a.js></script>").marks
    ('scripts',)
    """
    source = body[:MOST_BYTES].decode("utf-8", "replace")
    seen, scripts = _seen_text(source)
    title, heading = _first(TITLE, source), _first(HEADING, source)
    language = LANGUAGE.search(source[:5_000])
    marks = tuple(_marks(source, seen, f"{title} {heading}", scripts))
    return PageSigns(title[:LONGEST_TITLE], len(seen), scripts, language[1].lower() if language else "", marks)


def _marks(source: str, seen: str, titles: str, scripts: int) -> list[Mark]:
    """Banners and small forms are on many pages: a wall is one that says little else, or is called so."""
    is_short, found = len(seen) < LITTLE_TEXT, list[Mark]()
    if (GUARDS.search(source) and is_short) or (is_short and ASKS_FOR_PERSON.search(f"{titles} {seen}")):
        found.append("challenge")
    if (PASSWORD.search(source) and (is_short or LOGIN.search(titles))) or (is_short and LOGIN.search(titles)):
        found.append("login")
    if CONSENT.search(titles) or (is_short and CONSENT.search(seen)):
        found.append("consent")
    if NOT_FOUND.search(titles) or (len(seen) < HARDLY_TEXT and NOT_FOUND.search(seen)):
        found.append("not found")
    if len(seen) < HARDLY_TEXT and scripts and (ROOT.search(source) or "javascript" in source.lower()):
        found.append("scripts")
    return found


def _first(pattern: re.Pattern[str], source: str) -> str:
    found = pattern.search(source)
    return SPACE.sub(" ", html.unescape(found[1])).strip() if found else ""


def _seen_text(source: str) -> tuple[str, int]:
    """The text outside of tags and of what is not shown, and the number of scripts. An element that does not end
    hides the rest, as in a browser."""
    lower, parts, scripts, at = source.lower(), list[str](), 0, 0
    if len(lower) != len(source):  # some letters become two
        source = lower
    at = max(0, lower.find("<body"))
    while at < len(lower):
        start, name = _next_hidden(lower, at)
        parts.append(source[at:start])
        if not name:
            break
        scripts += name == "script"
        end = lower.find(f"</{name}", start)
        if end < 0:
            break
        at = end + len(name) + 2
    head = lower.count("<script", 0, max(0, lower.find("<body")))
    return SPACE.sub(" ", html.unescape(TAG.sub(" ", "".join(parts)))).strip(), scripts + head


def _next_hidden(lower: str, at: int) -> tuple[int, str]:
    """Where the next element begins whose content is not shown, and its name."""
    while (start := lower.find("<", at)) >= 0:
        for name in HIDDEN:
            if lower.startswith(name, start + 1):
                return start, name
        at = start + 1
    return len(lower), ""
