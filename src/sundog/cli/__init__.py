"""The command line: the composition root. Nothing heavy is imported before a command needs it."""

from sundog.cli.app import main

__all__ = ["main"]
