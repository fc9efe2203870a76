"""Engines drive a crawl session: over static worlds, over HTTP, over whatever a function expands."""
