"""What a crawl has found: pages, graph, entities, items, explanations, files."""
