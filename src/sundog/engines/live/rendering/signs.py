"""What the bytes of a plain page say about its scripts: whether running them may bring anything.

A crawl that may render asks this of its pages, so it must take next to nothing: all is searched for in small
letters, by patterns that begin with fixed bytes, text is counted only until there is enough of it, and only some
pages of a template are looked at.
"""

from __future__ import annotations

import re
from typing import Final, Literal

Sign = Literal["nothing to run", "scripts", "tag manager", "framework", "empty shell"]
LOOKED_AT: Final = 300_000  # bytes
LITTLE_TEXT: Final = 250  # characters of a page that shows next to nothing
FIRST_PAGES, ONE_IN = 4, 128  # of a template, that are looked at: these, and then one in so many
_SCRIPT = re.compile(rb"<script\b([^>]{0,2000})>")
_DATA = re.compile(rb"type\s*=\s*[\"']?(?:application/(?:ld\+)?json|speculationrules|importmap)")
_TAG_MANAGERS: Final = (b"tagmanager", b"gtm.js")
_UTAG, _LAUNCH = re.compile(rb"(?<!\w)utag\.js"), re.compile(rb"launch-[0-9a-z]+\.min\.js")
_FRAMEWORKS: Final = (b"data-reactroot", b"ng-version=", b"<app-root", b"data-v-app", b"<astro-island")
_MARKS_OF_FRAMEWORKS = (
    re.compile(rb"id=[\"']?(?:root|app|__next|__nuxt|___gatsby|svelte)[\"'\s>]"),
    re.compile(rb"type=[\"']?module"),
)
_BUNDLE = re.compile(rb"(?<!\w)(?:main|app|index|vendors?|chunk|bundle|runtime)[.-][0-9a-z_-]{6,}\Z")
_BUNDLE_NAME: Final = 100  # bytes of its name at most
_HIDDEN: Final = (b"script", b"style", b"template", b"noscript", b"head")
_END = {b"!--": re.compile(rb"-->")} | {name: re.compile(rb"</" + name + rb"\s*>") for name in _HIDDEN}
_TAG = re.compile(rb"<(?:(!--|(?:script|style|template|noscript|head)\b)|[^>]*>?)")
_NEEDS_SCRIPTS = re.compile(rb"<noscript\b[^>]*>[^<]{0,300}(?:enable|activate|turn on|requires?|aktivier|activer)")


class Signs:
    """Of pages by their templates: the same program makes all pages of one."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Sign, int]] = {}  # and how many pages there were

    def of(self, template: str, body: bytes) -> Sign:
        sign, pages = self._known.get(template, ("scripts", 0))
        if pages < FIRST_PAGES or pages % ONE_IN == 0:
            sign = sign_of(body)
        self._known[template] = sign, pages + 1
        return sign


def sign_of(body: bytes) -> Sign:
    """The strongest one.

    >>> sign_of(b"<p>Hello<script type='application/ld+json'>{}</script>")
    'nothing to run'
    >>> sign_of(b"<div id=root></div><script src=/main.js></script>")
    'empty shell'
    """
    body = body[:LOOKED_AT].lower()
    if all(_DATA.search(match[1]) for match in _SCRIPT.finditer(body)):
        return "nothing to run"
    needs_scripts = _NEEDS_SCRIPTS.search(body) is not None
    if _shows_less_than(LITTLE_TEXT if needs_scripts else LITTLE_TEXT // 4, body):
        return "empty shell"
    if needs_scripts or _has_framework(body):
        return "framework"
    return "tag manager" if _has_tag_manager(body) else "scripts"


def _has_framework(body: bytes) -> bool:
    if any(name in body for name in _FRAMEWORKS) or any(mark.search(body) for mark in _MARKS_OF_FRAMEWORKS):
        return True
    at = body.find(b".js")
    while at >= 0:
        if _BUNDLE.search(body, max(0, at - _BUNDLE_NAME), at):
            return True
        at = body.find(b".js", at + 1)
    return False


def _has_tag_manager(body: bytes) -> bool:
    if any(name in body for name in _TAG_MANAGERS) or _LAUNCH.search(body):
        return True
    return b"utag.js" in body and _UTAG.search(body) is not None


def _shows_less_than(characters: int, body: bytes) -> bool:
    """Of text, each space in it being one."""
    shown, at = -1, 0
    while at < len(body):
        tag = _TAG.search(body, at)
        for word in body[at : tag.start() if tag else len(body)].split():
            shown += len(word) + 1
        if shown >= characters:
            return False
        if tag is None:
            break
        end = _END[tag[1]].search(body, tag.end()) if tag[1] else tag
        at = end.end() if end else len(body)
    return True
