"""The command line: the composition root. Nothing heavy is imported before a command needs it."""

import gc

__all__ = ["main"]


def main() -> None:
    """Load the command and run it. Nothing is garbage before it begins, and looking for some takes a tenth."""
    gc.disable()
    try:
        from sundog.cli.app import main as run

        run()
    finally:
        gc.enable()
