"""What a crawl may fetch: the scope that its user sets, and traps that it would never leave."""
