"""A social network behind a JSON API, on loopback: with windows of requests, and every kind of bad manners."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.fetch.server import Asked, Client, Server

Answer = Callable[[Asked], tuple[int, Any, list[str]] | None]
ORIGIN = "http://api.example"
WORD = "bretagne"


class Network:
    """Users who write and who know each other: those who write of Bretagne know many who do."""

    def __init__(self, users: int = 120, seed: int = 1) -> None:
        chance = random.Random(seed)
        self.names = [f"user {number}" for number in range(users)]
        self.rich = {name for name in self.names if chance.random() < 0.25} | {"user 0"}
        self.posts = {name: self._posts(chance, name in self.rich) for name in self.names}
        self.friends = {name: self._friends(chance, name) for name in self.names}

    def _posts(self, chance: random.Random, rich: bool) -> list[str]:
        return [f"{f'la {WORD} ' * chance.randint(1, 3) if rich else 'rien '}number {n}" for n in range(5)]

    def _friends(self, chance: random.Random, name: str) -> list[str]:
        others = sorted(self.rich) if name in self.rich else self.names
        return [*chance.sample(others, min(5, len(others))), chance.choice(self.names)]


class ApiService(Server):
    """``requests`` may be made in each window of ``window`` seconds, counted from when the service began.

    ``misbehave`` may answer instead: status, body and headers. ``says`` is the prefix of headers with the limits.
    """

    def __init__(
        self,
        network: Network | None = None,
        *,
        requests: int = 0,
        window: float = 1.0,
        says: str = "",
        token: str = "",
        misbehave: Answer = lambda _: None,
        page_size: int = 2,
    ) -> None:
        super().__init__({"": self._answer})
        self.network = network or Network()
        self.requests, self.window, self.says, self.token = requests, window, says, token
        self.misbehave, self.page_size = misbehave, page_size
        self.refused = 0
        self._began = time.monotonic()

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"

    def in_windows(self) -> list[int]:
        """How many requests each of the service's windows saw."""
        numbers = [int((asked.at - self._began) / self.window) for asked in self.log]
        return [numbers.count(number) for number in range(max(numbers, default=-1) + 1)]

    def most_in_any_window(self) -> int:
        """Wherever it begins."""
        times = [asked.at for asked in self.log]
        return max(sum(begin <= at < begin + self.window for at in times) for begin in times)

    async def _answer(self, client: Client) -> None:
        asked = client.asked
        status, body, headers = self.misbehave(asked) or self._polite(asked)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        await client.page(data, *headers, status=f"{status} Status", type_="application/json; charset=utf-8")

    def _polite(self, asked: Asked) -> tuple[int, Any, list[str]]:
        into_window = (asked.at - self._began) % self.window
        used, left = self.in_windows()[-1], self.window - into_window
        headers = self._limits(max(0, self.requests - used), left) if self.says else []
        if self.requests and used > self.requests:
            self.refused += 1
            return 429, {"error": "slowly"}, [*headers, f"Retry-After: {int(left) + 1}"]
        if self.token and asked.headers.get("authorization") != f"Bearer {self.token}":
            return 401, {"error": "who are you?"}, headers
        return *self._content(asked), headers

    def _limits(self, remaining: int, left: float) -> list[str]:
        reset = f"{left:.3f}" if self.says == "RateLimit" else str(int(time.time() + left))
        return [
            f"{self.says}-Limit: {self.requests}",
            f"{self.says}-Remaining: {remaining}",
            f"{self.says}-Reset: {reset}",
        ]

    def _content(self, asked: Asked) -> tuple[int, Any]:
        parts, query = urlsplit(asked.target), parse_qs(urlsplit(asked.target).query)
        _, _, name, what = unquote(parts.path).split("/")
        if name not in self.network.posts:
            return 404, {"error": "nobody"}
        if what == "posts":
            page = int(query.get("page", ["1"])[0])
            posts = self.network.posts[name][(page - 1) * self.page_size : page * self.page_size]
            return 200, {"posts": [{"text": text, "private": "secret of the author"} for text in posts]}
        begin = int(query.get("cursor", ["0"])[0])
        friends = self.network.friends[name][begin : begin + self.page_size]
        following = begin + self.page_size
        more = str(following) if following < len(self.network.friends[name]) else None
        return 200, {"friends": [{"id": each, "weight": len(each)} for each in friends], "next": more}
