"""Crawling Linked Data by what URIs, referrers, properties and siblings tell: LDCOC of Huang and Gandon, and its
baselines."""
