"""A synthetic web of many hosts with real HTML, served from one loopback port; see docs/demo-web.md.

The demo, tests and benchmarks use it. The wheel has it as ``sundog.demo_web``, for the demo button of ``sundog
serve``, so its modules import each other by relative names.
"""

from .serving import Served, serving
from .truth import Truth
from .web import Web

__all__ = ["Served", "Truth", "Web", "serving"]
