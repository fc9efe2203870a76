"""Secrets by name: ``${NAME}`` is an environment variable, ``${file:PATH}`` a file. No spec holds them itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sundog.errors import UsageError, cause_of

NAMED = re.compile(r"\$\{(?:file:([^{}]+)|([A-Za-z_][A-Za-z0-9_]*))\}")
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
SECRET_HEADER = re.compile("auth|cookie|key|token|secret|passw|credential|signature", re.IGNORECASE).search
LARGEST_FILE = 16_384  # bytes
FIX = 'write "${NAME}" for an environment variable, or "${file:PATH}" for a file'


def names_secret(text: str) -> bool:
    """
    >>> names_secret("Bearer ${TOKEN}"), names_secret("Bearer abc")
    (True, False)
    """
    return "${" in text


def check_named(text: str, place: str) -> None:
    """Raises UsageError if it is a secret itself."""
    if not names_secret(text):
        raise UsageError(f"{place}: a secret may not stand in the spec; {FIX}")


def check_headers(headers: Mapping[str, str], place: str) -> None:
    for name, value in headers.items():
        if not HEADER(name):
            raise UsageError(f"{place}: '{name}' is no name of a header")
        if not isinstance(value, str) or not (value.isascii() and value.isprintable()):
            raise UsageError(f"{place}.{name}: a text of printable ASCII is expected")


def check_no_literal_secret(headers: Mapping[str, str], place: str) -> None:
    for name, value in headers.items():
        if SECRET_HEADER(name):
            check_named(value, f"{place}.{name}")


def filled(
    text: str,
    place: str,
    environment: Mapping[str, str],
    found: list[str],
    spelt: Callable[[str], str] = str,
) -> str:
    """With the secrets that it names, which are appended to ``found`` and kept nowhere.

    >>> secrets = []
    >>> filled("Bearer ${TOKEN}", "api.headers.Authorization", {"TOKEN": "abc"}, secrets), secrets
    ('Bearer abc', ['abc'])
    """

    def secret(name: re.Match[str]) -> str:
        value = _of_file(Path(name[1]), place) if name[1] else _of_variable(name[2], place, environment)
        found.append(value)
        return spelt(value)

    if "${" in NAMED.sub("", text):
        raise UsageError(f"{place}: '{text}' names no secret; {FIX}")
    return NAMED.sub(secret, text)


def ascii_only(value: str, place: str) -> str:
    if not value.isascii():
        raise UsageError(f"{place}: a header can only hold ASCII")
    return value


def _of_variable(name: str, place: str, environment: Mapping[str, str]) -> str:
    value = environment.get(name)
    if not value:
        raise UsageError(f"{place}: the environment variable {name} is not set")
    if not value.isprintable():
        raise UsageError(f"{place}: the environment variable {name} cannot be sent")
    return value


def _of_file(path: Path, place: str) -> str:
    """Its one line. Not relative to wherever the crawl is resumed."""
    path = path.expanduser()
    if not path.is_absolute():
        raise UsageError(f"{place}: the file {path} needs its whole path, such as /run/secrets/{path.name}")
    try:
        with path.open("rb") as file:
            value = file.read(LARGEST_FILE + 1).decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise UsageError(f"{place}: the file {path} is not UTF-8 text") from None
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{place}: the file {path} cannot be read: {cause_of(error)}") from None
    if not value:
        raise UsageError(f"{place}: the file {path} is empty")
    if len(value) > LARGEST_FILE or not value.isprintable():
        raise UsageError(f"{place}: the file {path} cannot be sent: one line of text is expected")
    return value
