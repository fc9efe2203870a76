"""Visits that are made for another reason than the page itself: by their worth they stand before all others."""

from __future__ import annotations

LISTINGS_FIRST = 1e6  # a sitemap or feed says which pages to visit
CHECK_UP = 1e5
WHY = {LISTINGS_FIRST: "because it lists pages", CHECK_UP: "to see whether something broke"}
