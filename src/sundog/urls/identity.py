"""One string for one page: what two URLs that lead to the same page have in common.

A URL is parsed as browsers do it, then loses what does not choose the page: fragment, tracking
parameters, session ids, ``index.html``. Invariant: ``identity(identity(url)) == identity(url)``.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

import ada_url

from sundog.urls.hosts import without_port
from sundog.urls.references import without_fragment

LONGEST = 2_048  # characters of a URL; fetchers refuse longer ones too
MOST_ROUNDS = 8

# Nothing to parse and nothing to strip, save perhaps in the query: most links of most pages are so.
# A host's last label has letters only, so it is no IPv4 address; no label is xn--; no dot or bracket
# follows a slash; escapes are in upper case, of characters that need one.
_ESCAPED = r"%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])"
PLAIN = re.compile(
    r"https?://[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]{2,}/"
    rf"(?:[A-Za-z0-9_~/!$&*+,=:@)-]+|(?<!/)[.(]|{_ESCAPED})*+"
    rf"(?:\?((?:[A-Za-z0-9_~.=&/:;,!()*+@-]+|{_ESCAPED})++))?"
).fullmatch

TRACKING = frozenset(
    "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ysclid twclid ttclid igshid igsh li_fat_id "
    "mc_cid mc_eid mkt_tok _hsenc _hsmi hsctatracking vero_id vero_conv wickedid oly_anon_id oly_enc_id "
    "_openstat _ga _gl s_cid srsltid epik rb_clickid cmpid wt_mc wt.mc_id trk_contact trk_msg".split()
)
TRACKING_STARTS = ("utm_", "pk_", "mtm_", "matomo_", "piwik_", "hsa_")  # each with an underscore
SESSION = frozenset("phpsessid jsessionid sessionid session_id cfid cftoken zenid oscsid".split())
PERHAPS_SESSION = frozenset("sid s session".split())  # only if the value looks like one
NOISE = TRACKING | SESSION | PERHAPS_SESSION | {""}
NAMES = re.compile(r"(?:^|&)([^=&]*)").findall
SESSION_VALUE = re.compile(r"(?=[^&]*\d)[0-9a-zA-Z-]{16,}").fullmatch
PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*|/\(S\([0-9a-z]{24}\)\)", re.IGNORECASE)
INDEX_PAGES = tuple(
    f"/{name}"
    for name in "index.html index.htm index.xhtml index.shtml index.php index.jsp index.asp index.aspx "
    "default.html default.htm default.asp default.aspx Default.aspx".split()
)
ESCAPE = re.compile(r"(%[0-9A-Fa-f]?(?=%))?(%[0-9A-Fa-f]{2})")  # perhaps after a lone "%", or one with a digit
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def identity(url: str) -> str | None:
    """The page's one name, itself a URL that can be fetched; None if it is no page of the Web.

    >>> identity("HTTPS://Shop.example:443/a/../b?utm_source=x&id=%7e1#top")
    'https://shop.example/b?id=~1'
    >>> identity("http://shop.example/b;jsessionid=1A2B/index.html?"), identity("mailto:me@shop.example")
    ('http://shop.example/b/', None)
    """
    if "#" in url:
        url = without_fragment(url)
    plain = PLAIN(url)
    if plain and len(url) <= LONGEST:
        query = plain[1]
        if query is None:
            if not url.endswith(INDEX_PAGES):
                return url
        elif not _may_have_noise(query):
            return url
    return _settled(url)


def _settled(url: str) -> str | None:
    """A path that lost a session id may have become another path to parse, so that is repeated."""
    if len(url) > 4 * LONGEST:
        return None
    for _ in range(MOST_ROUNDS):
        parts = _parsed(url)
        if parts is None:
            return None
        origin, path, query = parts
        calm = PATH_SESSION.sub("", path) if ";" in path or "(" in path else path
        if calm == path:
            return _joined(origin, path, query)
        url = f"{origin}{calm or '/'}?{query}"
    return None


def _parsed(url: str) -> tuple[str, str, str] | None:
    """Origin, path and query as browsers read them, with escapes in one form."""
    try:
        href: str = ada_url.normalize_url(url).partition("#")[0]
    except ValueError:
        return None
    scheme, _, rest = href.partition("://")
    if scheme not in ("http", "https"):
        return None
    if "%" in rest:
        rest = ESCAPE.sub(_plain_escape, rest)
    address, _, query = rest.partition("?")
    host, _, path = address.partition("/")
    if "@" in host:
        return None
    return f"{scheme}://{_without_last_dot(host)}", f"/{path}", query


def _joined(origin: str, path: str, query: str) -> str | None:
    if query and _may_have_noise(query):
        query = _kept_parameters(query)
    if query:
        path = f"{path}?{query}"
    elif path.endswith(INDEX_PAGES):
        path = path[: path.rindex("/") + 1]
    url = f"{origin}{path}"
    return url if len(url) <= LONGEST and not origin.endswith("/") else None


def _without_last_dot(host: str) -> str:
    name = without_port(host)
    return name.rstrip(".") + host[len(name) :]


def _may_have_noise(query: str) -> bool:
    """Errs on the side of yes; much quicker than to look at each parameter."""
    lowered = query.lower()
    if not NOISE.isdisjoint(NAMES(lowered)):
        return True
    return "_" in lowered and any(start in lowered for start in TRACKING_STARTS)


def _kept_parameters(query: str) -> str:
    return "&".join([part for part in query.split("&") if part and not _is_noise(part)])


def _is_noise(part: str) -> bool:
    name, _, value = part.partition("=")
    name = name.lower()
    if name in TRACKING or name in SESSION or name.startswith(TRACKING_STARTS):
        return True
    return name in PERHAPS_SESSION and SESSION_VALUE(value) is not None


def _plain_escape(escape: re.Match[str]) -> str:
    """Escapes of characters that need none vanish; the others are in upper case.

    After a lone ``%`` none vanishes: ``%%341`` would become ``%41``, which is another URL.
    """
    before, found = escape[1] or "", escape[2]
    char = unquote(found, "latin-1")
    return char if char in UNRESERVED and not before else before + found.upper()
