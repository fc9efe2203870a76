"""Published adaptive crawlers as baselines, each in a file of its own: plain Python, slower than the rest."""
