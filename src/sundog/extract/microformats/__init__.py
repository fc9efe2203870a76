"""Microformats: microformats2 and the classic formats, as canonical JSON and as RDF.

>>> from sundog.extract.dom import parse_html
>>> page = parse_html('<a class="h-card" href="/me">Ada</a> <p class="h-auto">no microformat</p>')
>>> parse(page, "http://a.example/")["items"]
[{'type': ['h-card'], 'properties': {'name': ['Ada'], 'url': ['http://a.example/me']}}]
"""

from sundog.extract.microformats.parse import parse, read_microformats
from sundog.extract.microformats.rdf import statements

__all__ = ["parse", "read_microformats", "statements"]
