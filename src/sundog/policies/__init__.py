"""Policies by name. What all share is here; ``hosts``, ``graph`` and ``linked`` are three kinds of policies, each
with kernels of its own; ``published`` has other people's crawlers."""

DEFAULT = "sundog"  # the policy of those who name none
