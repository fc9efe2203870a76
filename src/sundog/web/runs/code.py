"""A crawl as text that does the same elsewhere: a command, a spec, calls of the API, a program in Python.

What is copied runs as it stands. The token is not in it, but the variable that has to hold it.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, replace
from typing import Any
from urllib.parse import quote

import orjson

from sundog.errors import SundogError, UsageError
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.crawl import parse_spec
from sundog.store.directory import SPEC
from sundog.web.new.drafts import files_of, own_spec, without_server_keys
from sundog.web.runs.directories import CrawlDirectory

# Keys of a spec that are options of ``sundog crawl``; for others the spec itself is needed.
OPTIONS = {
    "objective": "--for",
    "budget": "--budget",
    "policy": "--policy",
    "seed": "--seed",
    "delay": "--delay",
    "concurrency": "--concurrency",
    "workers": "--workers",
    "extent": "--stay",
    "connect_to": "--connect-to",
    "allow_private": "--allow-private",
    "warc": "--warc",
    "render": "--render",
}
TOKEN = '-H "Authorization: Bearer ${SUNDOG_TOKEN:?is the token in the link to the site}"'
MARK = "END"  # of a file within a command
PRINTED = 'print(summary["relevant"], "relevant pages of", summary["fetched"])\n'


def code_of(crawl: CrawlDirectory, budget: int, address: str, *, needs_token: bool) -> dict[str, str]:
    """By its kind; with the budget that the crawl has now."""
    try:
        spec = replace(parse_spec(own_spec(crawl)), budget=budget)
    except SundogError as error:
        raise UsageError(f"the spec of {crawl.id} cannot be read by this version: {error}") from None
    text, files = spec_text(spec), files_of(crawl)
    written = {SPEC: text, **files}
    plain = None if files else _plain_values(spec)
    name = f"{crawl.id}-again"
    draft = {"spec": without_server_keys(text), "files": files}
    return {
        "command": _command_with_files(written, name) if plain is None else _command(plain, name),
        "spec": text,
        "curl_read": _curl(f"{address}/api/crawls/{quote(crawl.id, safe='')}", needs_token=needs_token),
        "curl_begin": _curl_begin(draft, address, needs_token=needs_token),
        "python": _python_with_files(written, name) if plain is None else _python(plain, name),
    }


def _plain_values(spec: CrawlSpec) -> dict[str, Any] | None:
    """What differs from the defaults, if options can say all of it; a title is for people, and no option."""
    values = {each.name: getattr(spec, each.name) for each in fields(spec)}
    changed = {each.name for each in fields(spec) if values[each.name] != _default(each)} - {
        "title",
        "description",
    }
    if not changed <= {"seeds", *OPTIONS}:
        return None
    return {name: value for name, value in values.items() if name in changed and name in ("seeds", *OPTIONS)}


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _command(values: Mapping[str, Any], name: str) -> str:
    words = ["sundog", "crawl", *values["seeds"]]
    for key, option in OPTIONS.items():
        if key in values:
            words += [option] if values[key] is True else [option, str(values[key])]
    return shlex.join([*words, "--out", name]) + "\n"


def _command_with_files(files: Mapping[str, str], name: str) -> str:
    """In a folder of their own."""
    folder = f"{name}-spec"
    made = "".join(_here_document(f"{folder}/{file}", content) for file, content in files.items())
    command = shlex.join(["sundog", "crawl", f"{folder}/{SPEC}", "--out", name])
    return f"mkdir {shlex.quote(folder)}\n{made}{command}\n"


def _here_document(path: str, content: str) -> str:
    mark = MARK
    while mark in content.splitlines():
        mark += "_"
    end = "" if content.endswith("\n") else "\n"
    return f"cat > {shlex.quote(path)} <<'{mark}'\n{content}{end}{mark}\n"


def _curl(url: str, *, needs_token: bool) -> str:
    return " ".join(["curl", *([TOKEN] if needs_token else []), shlex.quote(url)]) + "\n"


def _curl_begin(draft: Mapping[str, Any], address: str, *, needs_token: bool) -> str:
    """Without a token, a cookie and its CSRF token serve."""
    url, session = shlex.quote(f"{address}/api/crawls"), shlex.quote(f"{address}/api/session")
    what = f"-H 'Content-Type: application/json' {url} -d {shlex.quote(orjson.dumps(draft).decode())}\n"
    if needs_token:
        return f"curl {TOKEN} {what}"
    return (
        "jar=$(mktemp)\n"
        f"""csrf=$(curl -s -c "$jar" {session} | sed 's/.*"csrf":"\\([^"]*\\)".*/\\1/')\n"""
        f"""curl -b "$jar" -H "X-CSRF-Token: $csrf" {what}"""
    )


def _python(values: Mapping[str, Any], name: str) -> str:
    lines = "".join(f"    {key}={value!r},\n" for key, value in values.items())
    return (
        f"from sundog import CrawlSpec, crawl\n\nspec = CrawlSpec(\n{lines})\n"
        f"summary = crawl(spec, {name!r})\n{PRINTED}"
    )


def _python_with_files(files: Mapping[str, str], name: str) -> str:
    made = "".join(
        f"(folder / {file!r}).write_text({_literal(text)}, encoding='utf-8')\n" for file, text in files.items()
    )
    return (
        f"from pathlib import Path\n\nfrom sundog import crawl\nfrom sundog.spec import read_spec\n\n"
        f"folder = Path({f'{name}-spec'!r})\nfolder.mkdir()\n{made}"
        f"summary = crawl(read_spec(folder / {SPEC!r}), {name!r}, folder=folder)\n{PRINTED}"
    )


def _literal(text: str) -> str:
    """Readable if it can be; ASCII, for whoever runs it may have another encoding."""
    is_plain = text.isascii() and not {"\\", "\r"} & set(text) and '"""' not in text and not text.endswith('"')
    return f'"""{text}"""' if is_plain else ascii(text)
