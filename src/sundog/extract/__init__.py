"""Bytes in, statements, links and faults out.

>>> found = extract(b'<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b>',
...                 base="http://a.example/")
>>> found.counts["microdata"], found.types
(2, ['http://schema.org/Person'])
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from sundog.extract.api import extract
from sundog.extract.registry import SYNTAXES
from sundog.extract.result import Extraction, Fault

__all__ = ["SYNTAXES", "Extraction", "Fault", "extract"]


class _Callable(ModuleType):
    """``from sundog import extract`` gives this package once it is loaded, so it does what its function does."""

    def __call__(self, *arguments: Any, **options: Any) -> Extraction:
        return extract(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
