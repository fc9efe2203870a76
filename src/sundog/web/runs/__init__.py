"""Crawls that run or have run: their directories, states, figures and processes."""
