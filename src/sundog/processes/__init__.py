"""What may run for ever, or crash, runs in a process of its own: queries and shapes over what strangers wrote."""

from typing import Final

LENGTH: Final = 8  # bytes of the length before every message
