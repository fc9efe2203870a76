"""A synthetic Web of Data: datasets, vocabularies, people, and the web pages and images that they link to."""

from sundog.worlds.synthetic.linked.generate import generate_linked
from sundog.worlds.synthetic.linked.profiles import LINKED, LinkedProfile

__all__ = ["LINKED", "LinkedProfile", "generate_linked"]
