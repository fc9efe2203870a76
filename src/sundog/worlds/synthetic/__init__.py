"""Synthetic webs, Webs of Data and scored graphs: as large as the papers', and honest about labels."""

from sundog.worlds.synthetic.generate import generate
from sundog.worlds.synthetic.graph_profiles import GRAPHS, GraphProfile
from sundog.worlds.synthetic.graphs import generate_graph
from sundog.worlds.synthetic.linked import generate_linked
from sundog.worlds.synthetic.linked.kinds import LINKED, LinkedProfile
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
