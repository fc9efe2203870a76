"""Policies that are objects of a user: they score candidates and learn from outcomes, in plain Python."""
