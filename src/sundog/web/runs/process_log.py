"""What a crawl's process has printed, and its tracebacks: the end of it to read, or all of it to take home.

Texts of strangers may be in it, so it is shown as text only. Secrets are taken out: those of the server, and those
that the spec names, however they came to be there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal
from urllib.parse import quote

from sundog.errors import SundogError
from sundog.spec.secrets import NAMED, filled
from sundog.store.directory import ERRORS
from sundog.texts import printable
from sundog.web.runs.directories import CrawlDirectory, opened, read_end
from sundog.web.settings import Settings

LogName = Literal["output", "errors"]
SHOWN = 64_000  # bytes of each
CHUNK = 64_000  # bytes
SHORTEST = 6  # characters of a secret: what is shorter would be found in words
HIDDEN = "•••"
IN_ADDRESS = re.compile(r"(?<=://)[^\s/@:]{1,200}:[^\s/@]{1,500}(?=@)|(?<=[?&]token=)[^\s&\"']{1,500}")


def tails(crawl: CrawlDirectory, settings: Settings) -> dict[str, Any]:
    """The ends of both logs, for people who watch."""
    secrets = secrets_of(crawl, settings)
    return {name: _tail(crawl, name, secrets) for name in ("output", "errors")}


def _tail(crawl: CrawlDirectory, name: LogName, secrets: list[str]) -> dict[str, Any]:
    path = path_of(crawl, name)
    try:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
    except OSError:
        size = 0
    # A secret that is cut at the beginning would not be known, so what may be its end is left out.
    text = read_end(path, SHOWN + _longest(secrets))
    is_cut = size > SHOWN
    text = masked(text, secrets).replace(_root(crawl), "")
    if is_cut:
        text = text[-SHOWN:].partition("\n")[2] or text[-SHOWN:]
    return {"text": "\n".join(map(printable, text.splitlines())), "size": size, "cut": is_cut}


def path_of(crawl: CrawlDirectory, name: LogName) -> Any:
    return crawl.output if name == "output" else crawl.path / ERRORS


def whole(crawl: CrawlDirectory, name: LogName, settings: Settings) -> Iterator[bytes]:
    """As it is now, in parts, without secrets. OSError if there is none."""
    secrets = secrets_of(crawl, settings)
    with opened(path_of(crawl, name)) as file:
        left, kept = os.fstat(file.fileno()).st_size, ""
        while left > 0 and (data := file.read(min(CHUNK, left))):
            left -= len(data)
            text = masked(kept + data.decode("utf-8", "replace"), secrets).replace(_root(crawl), "")
            cut = max(0, len(text) - _longest(secrets))
            kept = text[cut:]
            yield text[:cut].encode()
        yield kept.encode()


def masked(text: str, secrets: Iterable[str]) -> str:
    """
    >>> masked("GET https://ada:sesame@a.example/?token=abc with Bearer 123456", ["123456"])
    'GET https://•••@a.example/?token=••• with Bearer •••'
    """
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return IN_ADDRESS.sub(HIDDEN, text)


def secrets_of(crawl: CrawlDirectory, settings: Settings) -> list[str]:
    """The longest first: one may hold another."""
    found = [settings.token]
    if settings.email:
        found.append(settings.email.password)
    if settings.webhook:
        found += [settings.webhook.secret, settings.webhook.url]
    for name in NAMED.finditer(crawl.spec_text):
        try:
            filled(name[0], "", os.environ, found)
        except SundogError:  # it is not there, so it cannot be shown
            continue
    spelt = {each for secret in found if len(secret) >= SHORTEST for each in (secret, quote(secret, safe=""))}
    return sorted(spelt, key=len, reverse=True)


def _root(crawl: CrawlDirectory) -> str:
    """Where the crawls are concerns nobody."""
    return f"{crawl.path.parent.absolute()}/"


def _longest(secrets: list[str]) -> int:
    return max((len(secret) for secret in secrets), default=0) + 600  # an address may have a password, too
