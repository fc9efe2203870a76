"""Synthetic webs: as large as the Anthelion paper's, generated in a minute, honest about labels."""

from .files import write
from .generate import generate
from .profiles import PROFILES, Profile
from .web import SyntheticWeb

__all__ = ["PROFILES", "Profile", "SyntheticWeb", "generate", "write"]
