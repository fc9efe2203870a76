"""Synthetic webs: as large as the Anthelion paper's, generated in a minute, honest about labels."""

from .files import write
from .generate import generate
from .graphs import GRAPHS, GraphProfile, generate_graph
from .linked import LINKED, LinkedProfile, generate_linked
from .profiles import PROFILES, Profile
from .web import SyntheticWeb

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
