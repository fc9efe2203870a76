"""One crawl in several shards, each an actor of Ray that owns hosts; see docs/cluster.md."""
