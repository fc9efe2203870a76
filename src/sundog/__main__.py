"""``python -m sundog`` is the ``sundog`` command, for where scripts are not on the path."""

from sundog.cli import main

if __name__ == "__main__":
    main()
