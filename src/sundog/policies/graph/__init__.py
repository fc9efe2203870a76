"""Exploration of a graph with scores on nodes and links: the estimators of Gouriten, Maniu and Senellart."""
