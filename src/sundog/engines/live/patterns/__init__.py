"""Patterns in a live crawl: what they are applied to, which links they choose, when they end it."""
