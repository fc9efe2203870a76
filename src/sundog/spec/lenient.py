"""As much of a spec as can be read, for whoever shows crawls that anybody may have written."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from copy import copy
from typing import Any

from sundog.errors import SundogError
from sundog.spec.crawl import CrawlSpec, changed, parse_spec

ANY_SEED = "http://unknown.invalid/"


def read_leniently(text: str) -> CrawlSpec:
    """The spec; keys that are wrong or unknown have their defaults. Never raises.

    >>> spec = read_leniently('budget = "many"\\ntitle = "Kettles"')
    >>> (spec.title, spec.fetches, spec.seeds)
    ('Kettles', 1000, ())
    """
    with suppress(SundogError, RecursionError):
        return parse_spec(text)
    spec = CrawlSpec(seeds=(ANY_SEED,))  # there must be one
    for name, value in _table(text).items():
        with suppress(SundogError, KeyError):
            spec = changed(spec, {name: value})
    spec = copy(spec)
    if spec.seeds == (ANY_SEED,):
        object.__setattr__(spec, "seeds", ())
    return spec


def _table(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # also numbers of more digits than Python reads
        return {}
