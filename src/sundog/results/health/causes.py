"""The likely cause of a drop: small rules, each about one visit; what most of the bad visits say is named.

A rule looks at the evidence of the visit and at what is known of its host in this round. The first that holds
counts, so those that are sure of their case come first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

from sundog.results.health.aspects import (
    LISTS,
    PATTERN,
    PROPERTY,
    SITEMAP,
    asked_too_often,
    forbidden,
    missing,
    moved,
    no_answer,
    not_admitted,
)
from sundog.results.health.evidence import Visit
from sundog.urls.hosts import split_host

LANGUAGES = frozenset(
    "af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn"
    " ko ku lo lt lv mk ml mn mr ms mt my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk"
    " ur uz vi zh".split()
)
LANGUAGE_NAMES = frozenset(("lang", "language", "locale", "hl", "l", "lng"))
LOGIN_PLACE = re.compile(r"log-?in|sign-?in|/auth\b|/sso|/account|anmeld|connexion|register|subscribe", re.I)
CONSENT_PLACE = re.compile(r"consent|cookie|privacy|gdpr|datenschutz", re.I)
CHALLENGE_PLACE = re.compile(r"captcha|challenge|cdn-cgi|blocked|validate\.perfdrive", re.I)
MENU, KEPT_LINKS = 5, 8  # links at least, and of as many before, one at least


class Scene(NamedTuple):
    """Of a host in a round: how many pages came as they should."""

    came: int


class Cause(NamedTuple):
    """``name`` is what programs and people call it; ``advice`` is what may help."""

    name: str
    means: str
    advice: str
    holds: Callable[[Visit, Scene], bool]


def _marked(*marks: str) -> Callable[[Visit, Scene], bool]:
    return lambda visit, _: not (set(visit.signs.get("marks", ())).isdisjoint(marks) or _keeps_links(visit))


def _keeps_links(visit: Visit) -> bool:
    """A wall stands in place of the whole page; one that has lost a list has its menus, and what is below them."""
    before, now = visit.signs.get("links", (0, 0))
    return bool(now >= MENU and KEPT_LINKS * now >= before)


def _leads_to(place: re.Pattern[str]) -> Callable[[Visit, Scene], bool]:
    return lambda visit, _: place.search(visit.led_to.partition("://")[2].partition("/")[2]) is not None


def _is_home(visit: Visit) -> bool:
    _, rest = split_host(visit.led_to)
    own = split_host(visit.url)[1].strip("/")
    return bool(visit.led_to) and not rest.strip("/") and bool(own)


def is_other_language(url: str, target: str) -> bool:
    """Whether two URLs differ in what says a language only, or the second is the entrance to one.

    >>> is_other_language("http://a.example/x/7", "http://a.example/de/x/7")
    True
    >>> is_other_language("http://a.example/en/x", "http://fr.a.example/x")
    True
    >>> is_other_language("http://a.example/x/7", "http://a.example/y/7")
    False
    """
    (here, without), (there, other) = _without_language(url), _without_language(target)
    return here != there and (without == other or (bool(there) and not other[1].strip("/") and not other[2]))


def _without_language(url: str) -> tuple[tuple[str, ...], tuple[str, str, tuple[tuple[str, str], ...]]]:
    """What says a language, and the rest: host, path, query."""
    host, rest = split_host(url)
    path, _, query = rest.partition("#")[0].partition("?")
    said: list[str] = []
    labels, segments = host.split("."), path.split("/")
    if len(labels) > 2 and _is_language(labels[0]):
        said.append(labels.pop(0))
    if len(segments) > 1 and _is_language(segments[1]):
        said.append(segments.pop(1))
    pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=50) if query.count("&") < 50 else []
    said += [value for name, value in pairs if name.lower() in LANGUAGE_NAMES]
    kept = tuple(pair for pair in pairs if pair[0].lower() not in LANGUAGE_NAMES)
    return tuple(said), (".".join(labels).removeprefix("www."), "/".join(segments).rstrip("/"), kept)


def _is_language(text: str) -> bool:
    return text[:2].lower() in LANGUAGES and (len(text) == 2 or (len(text) == 5 and text[2] in "-_"))


def _other_syntax(visit: Visit, _: Scene) -> bool:
    lost = visit.lost
    if lost is None or visit.after is None or visit.before is None or not lost.syntaxes:
        return False
    return bool(visit.after.syntaxes - visit.before.syntaxes) and not lost.types


EMPTY_LISTS = Cause(
    "empty lists",
    "lists of links are empty",
    "look whether its lists are paged otherwise now",
    lambda visit, _: "links" in visit.signs and _keeps_links(visit),
)
OF_VISITS = (
    Cause(
        "robots.txt changed",
        "robots.txt forbids what it allowed before",
        "ask the owner of the site, or leave these pages out of the scope",
        lambda visit, _: forbidden(visit),
    ),
    Cause(
        "rate limited",
        "the host says that it is asked too often; other pages of it came",
        "raise --delay, or ask for fewer pages in a round",
        lambda visit, scene: asked_too_often(visit) and scene.came > 0,
    ),
    Cause(
        "blocked",
        "the host refuses us, or wants to see a person",
        "look at it in a browser; ask the owner to let your user agent in",
        lambda visit, scene: (
            not_admitted(visit) or _marked("challenge")(visit, scene) or _leads_to(CHALLENGE_PLACE)(visit, scene)
        ),
    ),
    Cause(
        "server errors",
        "the server fails, or does not answer",
        "wait: the pages keep their versions",
        lambda visit, _: no_answer(visit),
    ),
    Cause(
        "login wall",
        "a form to log in stands where the page was",
        "give the crawl credentials, if you have some",
        lambda visit, scene: _leads_to(LOGIN_PLACE)(visit, scene) or _marked("login")(visit, scene),
    ),
    Cause(
        "consent wall",
        "a question about cookies or privacy stands where the page was",
        "give the crawl the cookie that a browser gets after the answer",
        lambda visit, scene: _leads_to(CONSENT_PLACE)(visit, scene) or _marked("consent")(visit, scene),
    ),
    Cause(
        "redirected by language",
        "pages lead to those of another language",
        "send the header Accept-Language that you want, or add the other pages to the scope",
        lambda visit, _: bool(visit.led_to) and is_other_language(visit.url, visit.led_to),
    ),
    Cause(
        "soft 404",
        "a page that says “not found” comes with status 200, or all lead to the home page",
        "the pages are gone; look whether they have moved",
        lambda visit, scene: _marked("not found")(visit, scene) or _is_home(visit),
    ),
    Cause(
        "moved",
        "pages are elsewhere now",
        "add the new place to the scope; links to it are found by themselves if it is within",
        lambda visit, _: moved(visit),
    ),
    Cause(
        "pages gone",
        "pages are not found any more",
        "look whether the site has moved them",
        lambda visit, _: missing(visit),
    ),
    Cause(
        "only after JavaScript",
        "the page is a shell that scripts fill",
        "look for the API that its scripts ask",
        _marked("scripts"),
    ),
    Cause(
        "another syntax",
        "the same data is marked up in another syntax now",
        "nothing, unless the objective names a syntax",
        _other_syntax,
    ),
    Cause(
        "soft 404",
        "many URLs have one and the same page now",
        "the pages are gone; look whether they have moved",
        lambda visit, _: visit.signs.get("not_kept") == "duplicate",
    ),
    EMPTY_LISTS,  # what is marked up in a list goes with it
)
OF_MISSING = ("pages gone", "soft 404")  # if it is a sitemap, that says it
MARKUP_GONE = Cause(
    "markup gone", "the pages came, without the markup that they had", "look at the example", lambda *_: True
)
OF_ASPECTS = {
    SITEMAP: Cause("sitemap gone", "a sitemap is gone, or nearly empty", "look at it", lambda *_: True),
    LISTS: EMPTY_LISTS,
    PROPERTY: Cause("property lost", "pages have lost a property", "look at the example", lambda *_: True),
    PATTERN: Cause("pattern stopped matching", "a pattern finds nothing any more", "mend it", lambda *_: True),
}
CAUSES = {cause.name: cause for cause in reversed((*OF_VISITS, MARKUP_GONE, *OF_ASPECTS.values()))}


def cause_of(aspect: str, visits: Sequence[Visit], scene: Scene) -> Cause:
    """What most of them say; what an aspect says by itself counts where no rule holds."""
    own = next((cause for name, cause in OF_ASPECTS.items() if aspect.startswith(name)), MARKUP_GONE)
    if aspect.startswith((PROPERTY, PATTERN)):
        return own
    rules = [cause for cause in OF_VISITS if aspect != SITEMAP or cause.name not in OF_MISSING]
    votes: Counter[Cause] = Counter(
        next((cause for cause in rules if cause.holds(visit, scene)), own) for visit in visits
    )
    return votes.most_common(1)[0][0] if votes else own
