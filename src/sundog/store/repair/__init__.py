"""``sundog repair``: what can be read of a damaged crawl, made a whole crawl again."""
