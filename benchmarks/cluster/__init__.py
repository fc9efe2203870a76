"""Crawls in shards: how fast, at what cost, and whether kills lose anything."""
