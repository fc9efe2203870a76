"""From a draft to a crawl's spec and back; what may not be asked for from a browser is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from sundog.errors import SundogError, UsageError
from sundog.fetch.addresses import names_private_address
from sundog.files import write_whole
from sundog.objectives import parse_objective
from sundog.patterns.check import check_patterns
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.crawl import changed, parse_spec
from sundog.spec.credentials import check_no_literals
from sundog.spec.secrets import names_secret
from sundog.store.directory import OBJECTIVE, SPEC
from sundog.urls.hosts import host_of, without_port
from sundog.urls.identity import identity
from sundog.web.new.bounds import check_bounds
from sundog.web.new.error_places import located
from sundog.web.notify.webhook import check_webhook
from sundog.web.request_bodies import Draft
from sundog.web.runs.directories import CrawlDirectory, read_small_file
from sundog.web.settings import Settings, check_address

ENOUGH = "enough"  # the stop pattern of a draft that says how many items are
MOST_PARTS = 30  # of a key; a spec has four
PART = r"""(?:[\w-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')"""
DEEP_KEY = re.compile(rf"(?<![\w-]){PART}(?:[ \t]*+\.[ \t]*+{PART}){{{MOST_PARTS}}}")
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,79}")


def check(draft: Draft, settings: Settings) -> dict[str, Any]:
    """What is wrong with a draft, and where."""
    try:
        spec = spec_of_draft(draft, settings)
    except SundogError as error:
        return {"ok": False, "errors": [located(str(error), draft)], "spec": draft.spec, "values": None}
    return {"ok": True, "errors": [], "spec": spec_text(spec), "values": _plain(asdict(spec))}


def spec_of_draft(draft: Draft, settings: Settings, *, compile_patterns: bool = True) -> CrawlSpec:
    """Raises UsageError for what is wrong, and for what is not allowed."""
    if draft.email:
        check_address(draft.email)
    if draft.webhook:
        if settings.webhook is None:
            raise UsageError("webhooks are off: start the server with --settings and a table [webhook]")
        check_webhook(draft.webhook, allow_private=settings.allow_private)
    spec = _parsed(draft.spec) if draft.spec is not None else spec_by_fields(draft)
    spec = replace(spec, title=draft.title or spec.title, description=draft.description or spec.description)
    check_bounds(spec)
    _check_allowed(spec, settings)
    for name in draft.files:
        if not FILE_NAME.fullmatch(name) or name == SPEC:
            raise UsageError(f"'{name[:80]}' cannot be a file's name: letters, digits, '.', '_' and '-' can")
    objective = parse_objective(spec.objective, files=draft.files)
    spec.check_objective(objective)
    if compile_patterns:
        check_patterns(spec.patterns, objective)
    return replace(
        spec,
        connect_to=spec.connect_to or settings.connect_to,
        allow_private=spec.allow_private or settings.allow_private,
    )


def _parsed(text: str) -> CrawlSpec:
    check_keys(text)
    try:
        return parse_spec(text)
    except RecursionError:
        raise UsageError(f"{SPEC} is nested too deeply") from None


def check_keys(text: str) -> None:
    """Before it is parsed: the parser takes the square of a dotted key's length in time.

    Texts with as many dots in one word are refused too: they are no loss.

    >>> check_keys('seeds = ["https://www.shop.example/a.b.c"]')
    >>> check_keys("a" + ".a" * 100_000 + " = 1")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: line 1, column 1: a key of more than 30 parts
    """
    found = DEEP_KEY.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise UsageError(f"line {line}, column {column}: a key of more than {MOST_PARTS} parts")


def spec_by_fields(draft: Draft) -> CrawlSpec:
    values: dict[str, Any] = {
        "objective": draft.objective,
        "policy": draft.policy,
        "parameters": draft.parameters,
        "delay": draft.delay,
        "extent": draft.stay,
        "budget": draft.budget,
        "seconds": draft.seconds,
        "warc": draft.warc,
        "render": draft.render,
    }
    seeds = tuple(seed.strip() for seed in draft.seeds if seed.strip())
    spec = changed(CrawlSpec(seeds=seeds), {name: value for name, value in values.items() if value is not None})
    patterns = draft.patterns.strip()
    if draft.items is not None:
        if "[[patterns.data]]" not in patterns:
            raise UsageError("items are counted of what data patterns find: give patterns, or leave out items")
        patterns += f'\n\n[[patterns.stop]]\nname = "{ENOUGH}"\nitems = {draft.items}'
    return _parsed(f"{spec_text(spec)}\n{patterns}") if patterns else spec


def _check_allowed(spec: CrawlSpec, settings: Settings) -> None:
    """A browser may ask for crawls, not for the server's files, secrets and neighbours."""
    if "pretrain" in spec.parameters:
        raise UsageError("parameters.pretrain names a file of the server: begin such a crawl with sundog crawl")
    if spec.archive.path:
        raise UsageError("archive.path names a file of the server: begin such a crawl with sundog crawl")
    if spec.access:
        raise UsageError("[[access]] names secrets of the server: begin such a crawl with sundog crawl")
    if any(names_secret(str(value)) for value in (*spec.api.headers.values(), spec.proxy)):
        raise UsageError("${…} names secrets of the server: begin such a crawl with sundog crawl")
    check_no_literals(spec)
    if spec.connect_to not in ("", settings.connect_to):
        raise UsageError("connect_to can be set when the server is started, with --connect-to")
    if settings.allow_private:
        return
    if spec.allow_private or spec.proxy:
        key = "proxy" if spec.proxy else "allow_private"
        raise UsageError(f"{key} is not allowed here: start the server with --allow-private")
    for url in spec.seed_urls:
        check_public(url)


def check_public(url: str) -> None:
    """Names are looked up when they are fetched, and then refused all the same."""
    if names_private_address(without_port(host_of(identity(url) or url))):
        raise UsageError(f"{url[:200]} is at a private address: start the server with --allow-private")


def write_draft(crawl: CrawlDirectory, draft: Draft, spec: CrawlSpec) -> None:
    for name, text in draft.files.items():
        write_whole(crawl.draft / name, text.encode("utf-8", "replace"))
    write_whole(crawl.draft_spec, spec_text(spec).encode())


def draft_of(crawl: CrawlDirectory, owner: str, email: str) -> dict[str, Any]:
    """A crawl as a draft, to be changed and begun again: without what only its server could allow."""
    spec = without_server_keys(own_spec(crawl))
    return {"id": "", "owner": owner, "email": email, "spec": spec, "files": files_of(crawl)}


def own_spec(crawl: CrawlDirectory) -> str:
    """Its spec as it could be begun again, beside ``files_of`` it."""
    lines = crawl.spec_text.splitlines(keepends=True)
    return "".join(_with_bare_names(line) if re.match("objective *=", line) else line for line in lines)


def without_server_keys(spec: str) -> str:
    lines = spec.splitlines(keepends=True)
    return "".join(line for line in lines if not re.match(r"(connect_to|allow_private) *=", line))


def _with_bare_names(objective: str) -> str:
    """A crawl names its copies of files by their place in its directory; in a draft, files have no place yet.

    >>> _with_bare_names('objective = "objective/cars.rq and not objective/bikes.rq"')
    'objective = "cars.rq and not bikes.rq"'
    """
    return re.sub(rf"\b{OBJECTIVE}/(?=[\w.-]+\.\w)", "", objective)


def files_of(crawl: CrawlDirectory) -> dict[str, str]:
    """Those that its spec names, by name."""
    return dict(_files(crawl))


def _files(crawl: CrawlDirectory) -> Iterator[tuple[str, str]]:
    """Those that the spec names: copies in the crawl's directory, or what was sent with the draft."""
    for folder in (crawl.draft, crawl.path / OBJECTIVE):
        if folder.is_dir() and not folder.is_symlink():
            for path in sorted(folder.iterdir()):
                if path.is_file() and path.name != SPEC and FILE_NAME.fullmatch(path.name):
                    yield path.name, read_small_file(path)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        each_plain = [_plain(each) for each in value]
        return sorted(each_plain) if isinstance(value, set | frozenset) else each_plain
    return str(value) if isinstance(value, Path) else value
