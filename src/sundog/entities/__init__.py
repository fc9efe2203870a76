"""Entities: the things that pages describe, each of them once, as trees and as tables.

A page's statements become ``things`` (``things.py``) with typed values (``values.py``). Things that are the same
(``same.py``) are grouped to one entity (``grouping.py``), whose values are merged (``merge.py``). ``database.py``
keeps them in ``entities.db`` beside ``crawl.db``, and ``tables.py`` a table for every type. Everything that shows
or exports entities reads them there.
"""
