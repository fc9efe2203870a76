"""A crawl that runs is stopped, or gets another budget: by signals, other threads, event loops and processes."""
