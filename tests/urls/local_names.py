"""IRIs and what people call them; the site's scripts have a twin of the function, tested on the same list."""

from __future__ import annotations

LOCAL_NAMES = [
    ("https://schema.org/name", "name"),
    ("http://a.example/v#name", "name"),
    ("http://a.example/v/name/", "name"),
    ("http://a.example/v/name#", "name"),
    ("urn:isbn:3", "3"),
    ("http://dbpedia.example/Category:Cats", "Cats"),
    ("h-card", "h-card"),
    ("", ""),
    ("/", "/"),
    ("##", "##"),
    ("http://", "http"),
    ("http://a.example/ä/ü", "ü"),
]
