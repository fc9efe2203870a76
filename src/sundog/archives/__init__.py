"""Pages in the archives of any crawler: WARC and WACZ files, and parts of Common Crawl."""
