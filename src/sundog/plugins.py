"""What installed packages add: policies, objectives, export formats and extractors, by their entry points.

Nobody looks for them before a name is asked for that Sundog itself does not have, or before all names are listed:
most commands need none. A package that cannot be loaded costs its own names, and a sentence that says whose.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sundog.errors import SundogError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class PluginError(SundogError):
    """An installed package offers what cannot be used."""


class Plugins(Generic[T]):
    """The names of one group of entry points.

    ``check`` makes what is registered of a name and what its entry point leads to; its ValueError says why it
    cannot. ``taken``: names that Sundog has itself, which stay as they are.
    """

    def __init__(
        self, group: str, check: Callable[[str, Any], T], taken: Callable[[], Collection[str]] = tuple
    ) -> None:
        self.group, self._check, self._taken = group, check, taken
        self._loaded: dict[str, T] = {}

    @cached_property
    def _found(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points  # most commands need none of it

        found: dict[str, EntryPoint] = {}
        taken = set(self._taken())
        for entry in entry_points(group=self.group):
            if entry.name in taken or entry.name in found:
                warnings.warn(f"{_described(entry)} has a name that is taken: it is not used", stacklevel=2)
            else:
                found[entry.name] = entry
        return dict(sorted(found.items()))

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def names(self) -> list[str]:
        return list(self._found)

    def load(self, name: str) -> T:
        """Raises PluginError, whatever goes wrong in the package."""
        if name not in self._loaded:
            entry = self._found[name]
            try:
                self._loaded[name] = self._check(name, entry.load())
            except Exception as error:
                why = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
                fix = f"mend or uninstall {_package_of(entry)}"
                message = f"{_described(entry)} cannot be used ({' '.join(why.split())[:300]}): {fix}"
                raise PluginError(message) from error
        return self._loaded[name]

    def all(self) -> dict[str, T]:
        """Those that can be loaded; each of the others is a warning."""
        loaded = {}
        for name in self._found:
            try:
                loaded[name] = self.load(name)
            except PluginError as error:
                warnings.warn(str(error), stacklevel=2)
        return loaded


def _described(entry: EntryPoint) -> str:
    return f"the plug-in '{entry.name}' ({entry.group}) of {_package_of(entry)}"


def _package_of(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value


def first_line(text: str | None) -> str:
    """Of a docstring, as a summary has it: no capital, no full stop.

    >>> first_line("The newest first.\\n\\nMore.")
    'the newest first'
    """
    line = (text or "").strip().partition("\n")[0].removesuffix(".")
    return line[:1].lower() + line[1:]
