"""How much a crawl has left: wanted pages in its scope that were not fetched, known or not; no I/O, no clock."""
