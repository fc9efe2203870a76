"""What patterns make of a live crawl."""
