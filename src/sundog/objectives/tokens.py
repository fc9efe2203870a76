"""The words of an objective, taken one by one; quotation marks keep any word together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from sundog.errors import UsageError, cause_of, nearest

MOST_CHARACTERS = 10_000
MOST_BYTES = 1_000_000  # of a file
EXPECTED = "an objective such as any, jsonld>=3 or type:schema:Recipe is expected"
_TOKEN = re.compile(r'\s*(\(|\)|>=|>|\+|(?:"[^"]*"|[^\s()+>"])+|\S)')
_SIGNS = {"(", ")", "+", ">", ">=", "and", "or", "not", "novel"}


class Tokens:
    """``folder`` is where files are looked for; with ``given`` texts, nothing is read from there."""

    def __init__(self, text: str, folder: Path, given: Mapping[str, str] | None = None) -> None:
        self.text, self.folder, self._given = text, folder, given
        self.files: dict[str, str] = {}  # those that were read, by their names
        if len(text) > MOST_CHARACTERS:
            raise UsageError(f"an objective of {len(text):,} characters: at most {MOST_CHARACTERS:,} are read")
        self._left = _TOKEN.findall(text)[::-1]
        if '"' in self._left:
            raise self.error("a closing quotation mark is missing")

    def error(self, problem: str) -> UsageError:
        return UsageError(f"objective '{self.text}': {problem}")

    def take(self, wanted: str) -> bool:
        if self._left and self._left[-1] == wanted:
            self._left.pop()
            return True
        return False

    def word(self) -> str:
        """The next word, without its quotation marks."""
        if not self._left or self._left[-1] in _SIGNS:
            raise self.error(EXPECTED)
        return str(self._left.pop()).replace('"', "")

    def number(self) -> int:
        word = self._left.pop() if self._left else ""
        if not word.isdecimal() or len(word) > 18:
            raise self.error(f"a whole number is expected after >=, not '{word[:40]}'")
        return int(word)

    def file(self, name: str) -> str:
        """The text of a file that the objective names."""
        self.files[name] = self._text(name) if self._given is None else self._given_text(self._given, name)
        return self.files[name]

    def _given_text(self, given: Mapping[str, str], name: str) -> str:
        if name not in given:
            raise self.error(f"there is no file {name} among those that came with it{nearest(name, given)}")
        if len(given[name].encode("utf-8", "replace")) > MOST_BYTES:
            raise self.error(f"{name} is larger than {MOST_BYTES:,} bytes")
        return given[name]

    def _text(self, name: str) -> str:
        path = self.folder / name
        try:
            if path.stat().st_size > MOST_BYTES:
                raise self.error(f"{name} is larger than {MOST_BYTES:,} bytes")
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            hint = nearest(path.name, _names_in(path.parent))
            raise self.error(f"there is no file {name} in {self.folder.resolve()}{hint}") from None
        except UnicodeDecodeError:
            raise self.error(f"{name} is not UTF-8 text") from None
        except (OSError, ValueError) as error:
            raise self.error(f"{name} cannot be read: {cause_of(error)}") from None

    def end(self) -> None:
        if self._left:
            raise self.error(f"'{self._left[-1]}' is not expected there")


def _names_in(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []
