"""Patterns in a live crawl: what they see of it, and how it follows them."""
