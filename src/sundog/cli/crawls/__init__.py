"""Commands that make a crawl, or work on the directory of one."""
