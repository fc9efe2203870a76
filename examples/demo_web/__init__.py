"""A synthetic web of many hosts with real HTML, served from one loopback port; see docs/demo-web.md.

It belongs to the repository, not to the installed package: the demo, tests and benchmarks use it, a user's
crawl does not.
"""

from .serving import Served, serving
from .truth import Truth
from .web import Web

__all__ = ["Served", "Truth", "Web", "serving"]
