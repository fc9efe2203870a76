"""What a live crawl explores: the Web, nodes behind a JSON API, keywords of a search form."""
