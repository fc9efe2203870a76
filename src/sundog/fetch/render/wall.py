"""A proxy that lets nothing through. It is the only address that the browser knows.

All that a page asks for is answered before it gets here (``requests``). What does get here went another way:
WebSockets, workers, look-ups in advance, the browser's own errands. It is counted and refused.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress

_REFUSAL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_LONGEST = 2_048  # bytes of a request line
_PATIENCE = 5.0  # seconds
_MOST_TARGETS = 1_000


class Wall:
    """``refused`` counts what it was asked for, by host and port or URL."""

    def __init__(self) -> None:
        self.refused: Counter[str] = Counter()
        self._server: asyncio.Server | None = None

    async def open(self) -> str:
        """Returns its address, as a proxy's."""
        self._server = await asyncio.start_server(self._refuse, "127.0.0.1", 0, limit=_LONGEST)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _refuse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_PATIENCE):
                line = (await reader.readline()).decode("latin-1").split()
            target = line[1] if len(line) > 1 else ""
            if target in self.refused or len(self.refused) < _MOST_TARGETS:
                self.refused[target] += 1
            writer.write(_REFUSAL)
            await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
