"""What is made of a crawl's store: exports, results, explanations; nothing here drives a crawl."""
