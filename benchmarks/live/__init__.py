"""Benchmarks of live crawls over loopback."""
