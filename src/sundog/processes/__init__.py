"""Processes that Sundog starts: with limits, without secrets, ended in time.

``child`` starts them, ``sandbox`` talks to them and ``serve`` answers from inside; ``detached`` names those that
outlive us. ``query`` and ``page_shapes`` are programs that run in a sandbox.
"""
