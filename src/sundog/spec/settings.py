"""A spec with other values of some keys, as ``--set`` of the command line gives them."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from sundog.errors import UsageError, nearest
from sundog.policies.presets import find_policy
from sundog.spec.crawl import CrawlSpec
from sundog.spec.tables import read_table, read_text


def with_settings(spec: CrawlSpec, settings: Mapping[str, str]) -> CrawlSpec:
    """With keys set as on a command line: ``scope.max_depth=3``; what is no key of the spec is the policy's."""
    parameters: dict[str, Any] = dict(spec.parameters)
    known = typing.get_type_hints(CrawlSpec)
    for name, text in settings.items():
        first, dot, rest = name.partition(".")
        if dot:
            spec = replace(spec, **{first: _changed(_part(spec, first, name), rest, text, name)})
        elif first in known and not is_dataclass(known[first]) and first not in find_policy(spec.policy).accepts:
            spec = _changed(spec, first, text, name)
        else:
            parameters[name] = text
    _check_no_misspelt_key(parameters, [*known, *find_policy(spec.policy).accepts])
    return replace(spec, parameters=parameters)


def _check_no_misspelt_key(parameters: Mapping[str, Any], known: list[str]) -> None:
    """What is nothing like a key is left to the policy, which says what it accepts."""
    for name in parameters:
        if name in known and is_dataclass(typing.get_type_hints(CrawlSpec).get(name)):
            raise UsageError(f"'{name}' is a table: set one of its keys, as {name}.KEY=VALUE")
        if name not in known and (hint := nearest(name, known)):
            raise UsageError(f"there is no key or parameter '{name}'{hint}")


def _part(spec: CrawlSpec, name: str, whole: str) -> Any:
    part = getattr(spec, name, None)
    if not is_dataclass(part):
        tables = [each.name for each in fields(spec) if is_dataclass(getattr(spec, each.name))]
        raise UsageError(f"'{whole}': there are the tables {', '.join(tables)}")
    return part


def _changed(part: Any, name: str, text: str, whole: str) -> Any:
    known = typing.get_type_hints(type(part))
    if name not in known:
        read_table(type(part), {name: text}, whole.removesuffix(name))  # says which key is nearest
    return replace(part, **{name: read_text(known[name], text, whole)})
