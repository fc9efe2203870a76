"""A synthetic web of many hosts with real HTML, served from one loopback port; see docs/demo-web.md.

The docs, the demo button of ``sundog serve``, ``make demo``, tests and benchmarks use it. It imports nothing of
the crawler: what it serves and what it knows to be true does not depend on what is tested with it.
"""

from sundog.demo_web.serving import Served, serving
from sundog.demo_web.truth import Truth
from sundog.demo_web.web import Web

__all__ = ["Served", "Truth", "Web", "serving"]
