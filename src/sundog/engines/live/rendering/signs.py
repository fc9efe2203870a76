"""What the bytes of a plain page say about its scripts: whether running them may bring anything."""

from __future__ import annotations

import re
from typing import Final, Literal

Sign = Literal["nothing to run", "scripts", "tag manager", "framework", "empty shell"]
LOOKED_AT: Final = 300_000  # bytes
LITTLE_TEXT: Final = 250  # characters of a page that shows next to nothing
_SCRIPT = re.compile(rb"<script\b([^>]{0,2000})>", re.I)
_DATA = re.compile(rb"type\s*=\s*[\"']?(?:application/(?:ld\+)?json|speculationrules|importmap)", re.I)
_TAG_MANAGER = re.compile(rb"googletagmanager\.com|gtm\.js|tagmanager|\butag\.js|launch-[0-9a-z]+\.min\.js", re.I)
_FRAMEWORK = re.compile(
    rb"data-reactroot|id=[\"']?(?:root|app|__next|__nuxt|___gatsby|svelte)[\"'\s>]|ng-version=|<app-root|data-v-app|"
    rb"<astro-island|type=[\"']?module|\b(?:main|app|index|vendors?|chunk|bundle|runtime)[.-][0-9a-zA-Z_-]{6,}\.js",
    re.I,
)
_NOT_SHOWN = re.compile(rb"<(script|style|template|noscript|head)\b.*?(?:</\1\s*>|$)", re.I | re.S)
_TAG = re.compile(rb"<[^>]*>?")
_NEEDS_SCRIPTS = re.compile(
    rb"<noscript\b[^>]*>[^<]{0,300}(?:enable|activate|turn on|requires?|aktivier|activer)", re.I
)


def sign_of(body: bytes) -> Sign:
    """The strongest one.

    >>> sign_of(b"<p>Hello<script type='application/ld+json'>{}</script>")
    'nothing to run'
    >>> sign_of(b"<div id=root></div><script src=/main.js></script>")
    'empty shell'
    """
    body = body[:LOOKED_AT]
    runs = [match[1] for match in _SCRIPT.finditer(body) if not _DATA.search(match[1])]
    if not runs:
        return "nothing to run"
    text = b" ".join(_TAG.sub(b" ", _NOT_SHOWN.sub(b" ", body)).split())
    if len(text) < LITTLE_TEXT and (len(text) < LITTLE_TEXT // 4 or _NEEDS_SCRIPTS.search(body)):
        return "empty shell"
    if _FRAMEWORK.search(body) or _NEEDS_SCRIPTS.search(body):
        return "framework"
    return "tag manager" if _TAG_MANAGER.search(body) else "scripts"
