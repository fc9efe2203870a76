"""Crawling Linked Data: LDCOC of Huang and Gandon, which judges a URI by its parts, referrer, properties and
siblings, and its baselines."""
