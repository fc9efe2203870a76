"""Dumps of wikis and of tweets as scored graphs, as the paper on adaptive exploration makes them."""
