"""Policies by name. What all share is here; ``hosts``, ``graph`` and ``linked`` are three ways to choose, each
with kernels of its own."""
