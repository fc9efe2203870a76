"""Rounds of a crawl: which known pages are visited again, and what became of them."""
