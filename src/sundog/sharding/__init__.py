"""One crawl in many shards: who owns a host, what may be spent, what is learned together. No I/O, no clock."""
