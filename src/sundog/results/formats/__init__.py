"""Export formats of entities. A new one is a file here, and its name in the list.

``store/formats`` has those that need nothing but the store.
"""

from __future__ import annotations

from sundog.results.formats.databases import DUCKDB, SQLITE
from sundog.results.formats.jsonl import JSON, JSONL, NDJSON
from sundog.results.formats.tables import CSV, PARQUET

OF_ENTITIES = (JSONL, NDJSON, JSON, PARQUET, CSV, SQLITE, DUCKDB)
