"""New keywords from the words of records: not too short, and not those that nearly every record has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from sundog.spec.form import LONGEST_KEYWORD

WORD = re.compile(r"(?<!\w)[^\W\d_](?:[\w'’-]*[^\W_])?")  # begins with a letter
ENOUGH = 50  # records, before a word can be known to be in most of them
MOST_WORDS = 1_000  # of one query's records, the most frequent ones
MOST_KNOWN = 1_000_000  # words whose frequency is remembered


def words_of(text: str) -> list[str]:
    """
    >>> words_of("L'été à Far-Breton, 2nd ed. (1999)")
    ["l'été", 'à', 'far-breton', 'ed']
    """
    return WORD.findall(unicodedata.normalize("NFC", text).casefold())


class Vocabulary:
    """In how many records each word was. Of a record seen again nothing is learned."""

    def __init__(self, *, min_length: int, max_share: float) -> None:
        self._min_length, self._max_share = min_length, max_share
        self._records = 0
        self._in_records: Counter[str] = Counter()

    def learn(self, text: str) -> None:
        """A new record."""
        self._records += 1
        for word in set(words_of(text)):
            if word in self._in_records or len(self._in_records) < MOST_KNOWN:
                self._in_records[word] += 1

    def keywords(self, texts: Iterable[str]) -> list[tuple[str, int]]:
        """The words of some records that are worth a query, with the number of their occurrences."""
        counts = Counter(word for text in texts for word in words_of(text))
        worth = [(word, count) for word, count in counts.items() if self._is_worth_it(word)]
        return sorted(worth, key=lambda item: (-item[1], item[0]))[:MOST_WORDS]

    def _is_worth_it(self, word: str) -> bool:
        if not self._min_length <= len(word) <= LONGEST_KEYWORD:
            return False
        return self._records < ENOUGH or self._in_records[word] <= self._max_share * self._records
