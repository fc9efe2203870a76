"""Synthetic webs: as large as the Anthelion paper's, generated in a minute, honest about labels."""

from sundog.worlds.synthetic.generate import generate
from sundog.worlds.synthetic.graphs import GRAPHS, GraphProfile, generate_graph
from sundog.worlds.synthetic.linked import LINKED, LinkedProfile, generate_linked
from sundog.worlds.synthetic.profiles import PROFILES, Profile
from sundog.worlds.synthetic.web import SyntheticWeb, write

__all__ = [
    "GRAPHS",
    "LINKED",
    "PROFILES",
    "GraphProfile",
    "LinkedProfile",
    "Profile",
    "SyntheticWeb",
    "generate",
    "generate_graph",
    "generate_linked",
    "write",
]
