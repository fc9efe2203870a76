"""A search form over a hidden database, on loopback: pages of results as HTML or JSON, by GET or POST."""

from __future__ import annotations

import html
import json
import random
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.fetch.server import Asked, Client, Server

SITE = "http://library.example"
TOPICS, WORDS_A_TOPIC, COMMON = 40, 60, 400
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"

Misbehave = Callable[[Asked], bytes | None]


def database(records: int = 2_000, seed: int = 1) -> list[str]:
    """Titles and abstracts: every record has a topic with words of its own, common words and stop words."""
    chance = random.Random(seed)
    names = sorted({_name(chance) for _ in range(6_000)})
    chance.shuffle(names)
    common, rest = names[:COMMON], names[COMMON:]
    topics = [rest[begin : begin + WORDS_A_TOPIC] for begin in range(0, TOPICS * WORDS_A_TOPIC, WORDS_A_TOPIC)]
    found = []
    for _ in range(records):
        topic = topics[min(int(chance.paretovariate(1.0)) - 1, TOPICS - 1)]
        words = [_zipf(chance, topic) for _ in range(8)] + [_zipf(chance, common) for _ in range(6)]
        words += ["the", "of", "and"]
        chance.shuffle(words)
        found.append(" ".join(words))
    return found


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(chance.randint(2, 4)))


def _zipf(chance: random.Random, words: list[str]) -> str:
    return words[min(int(chance.paretovariate(0.8)) - 1, len(words) - 1)]


class SearchSite(Server):
    """At most ``most`` results of a query are shown, ``page_size`` a page."""

    def __init__(
        self,
        records: list[str] | None = None,
        *,
        page_size: int = 20,
        most: int = 60,
        as_json: bool = False,
        misbehave: Misbehave = lambda _: None,
    ) -> None:
        super().__init__({"": self._answer})
        self.records = database() if records is None else records
        self.page_size, self.most, self.as_json, self.misbehave = page_size, most, as_json, misbehave
        self._index: dict[str, list[int]] = {}
        for number, text in enumerate(self.records):
            for word in sorted(set(text.split())):
                self._index.setdefault(word, []).append(number)

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"

    def queries(self) -> list[dict[str, str]]:
        """What was submitted, as its log has it."""
        return [self._query(asked) for asked in self.log if asked.target.startswith("/search")]

    def _query(self, asked: Asked) -> dict[str, str]:
        text = asked.body.decode() or urlsplit(asked.target).query
        return {name: values[0] for name, values in parse_qs(text).items()}

    async def _answer(self, client: Client) -> None:
        if not client.asked.target.startswith("/search"):
            return await client.page(b"", status="404 Not Found")
        strange = self.misbehave(client.asked)
        if strange is not None:
            return await client.page(strange)
        query = self._query(client.asked)
        number = int(query.get("page", "1"))
        hits = self._index.get(query.get("q", "").lower(), [])[: self.most]
        shown = hits[(number - 1) * self.page_size : number * self.page_size]
        more = "/search?" + urlencode({**query, "page": number + 1}) if len(hits) > number * self.page_size else ""
        if self.as_json:
            items = [{"key": hit, "body": {"text": self.records[hit]}} for hit in shown]
            return await client.page(json.dumps({"hits": items, "more": more}).encode(), type_="application/json")
        return await client.page(self._html(shown, more).encode(), type_="text/html; charset=utf-8")

    def _html(self, shown: list[int], more: str) -> str:
        items = [
            f'<li class=hit data-id="{hit}"><a href="/record/{hit}">{html.escape(self.records[hit])}</a>'
            for hit in shown
        ]
        following = f'<a class=next href="{html.escape(more)}">more</a>' if more else ""
        return f"<!doctype html><title>Found</title><ul>{''.join(items)}</ul>{following}"
