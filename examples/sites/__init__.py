"""Three small sites in the style of well-known ones, for crawlers that are made of patterns.

``wiki.example`` is an encyclopedia with info-boxes, ``music.example`` a social music site with paginated lists,
``shop.example`` a shop with categories and price histories. One loopback port answers for all of them.
"""

from .serving import Served, serving

__all__ = ["Served", "serving"]
