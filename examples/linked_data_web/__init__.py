"""A web of Linked Data on loopback: datasets that publish in all the ways there are, for tests and benchmarks."""

from .serving import Served, serving
from .web import LinkedDataWeb

__all__ = ["LinkedDataWeb", "Served", "serving"]
