"""Engines drive a crawl session: the simulator over static worlds."""
