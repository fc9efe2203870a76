"""Worlds whose nodes take several requests each: nodes behind a JSON API, keywords of a search form."""
