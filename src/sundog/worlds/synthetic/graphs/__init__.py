"""Synthetic scored graphs: pages with a keyword, and people who mention each other."""

from sundog.worlds.synthetic.graphs.generate import generate_graph
from sundog.worlds.synthetic.graphs.profiles import GRAPHS, GraphProfile

__all__ = ["GRAPHS", "GraphProfile", "generate_graph"]
