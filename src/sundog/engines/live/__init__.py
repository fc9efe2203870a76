"""The live engine: a crawl session driven over HTTP, with a store that survives anything."""
