"""Synthetic scored graphs: pages with a keyword, and people who mention each other."""

from .generate import generate_graph
from .profiles import GRAPHS, GraphProfile

__all__ = ["GRAPHS", "GraphProfile", "generate_graph"]
