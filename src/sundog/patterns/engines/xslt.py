"""XSLT 3.0 by SaxonC-HE, for result patterns: ``find`` is a stylesheet that is applied to the whole crawl.

It is the processor of ``saxon``, locked in the same way. What a stylesheet says with ``xsl:message`` is not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sundog.patterns.engines.saxon import SaxonEngine, engine, result_as

__all__ = ["compile_result", "engine"]
NO_CRAWL = '<crawl pages="0" items="0" seconds="0"/>'


def compile_result(saxon: SaxonEngine, stylesheet: str, written_as: str, where: str) -> Callable[[str], Any]:
    """As ``saxon.compile_result``; what every crawl would meet is raised now."""
    transform = saxon.compiled_stylesheet(stylesheet, where, NO_CRAWL)
    return lambda crawl: result_as(written_as, saxon, transform(crawl))
