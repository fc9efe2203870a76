"""Which pages of a live crawl a browser renders, and what comes of it."""
