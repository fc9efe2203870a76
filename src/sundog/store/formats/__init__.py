"""The export formats of a crawl's data. A new one is a file, and its name in this list.

``sundog.results.export`` adds those that are more than the store knows, and is what others ask.
"""

from __future__ import annotations

from sundog.store.formats.answers import ANSWERS
from sundog.store.formats.items import ITEMS
from sundog.store.formats.nquads import NQUADS
from sundog.store.formats.provenance import PROVENANCE
from sundog.store.formats.void import VOID
from sundog.store.formats.warc import WARC

STORED = (NQUADS, ANSWERS, ITEMS, PROVENANCE, VOID, WARC)
