"""A new crawl: from what a browser sends to a spec, and previews of it."""
