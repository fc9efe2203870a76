"""``keyword:bretagne``: how often words occur in what a reader sees.

The reward is that of Gouriten, Maniu and Senellart: 1 + log x for x occurrences (the natural logarithm), 0 for
none. Occurrences are whole words; capitals do not matter, accents do.
"""

from __future__ import annotations

import re
import unicodedata
from math import log

from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageView
from sundog.objectives.tokens import Tokens

MOST_KEYWORDS = 100


class Keyword(Condition):
    form = "keyword:WORD,WORD"
    summary = "pages whose text has one of the words; the reward is 1 + log of their number"
    example = "keyword:bretagne,brittany"
    needs_text = True

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = tuple(dict.fromkeys(map(_folded, words)))
        # The longest first: of words that begin alike, the whole one is meant.
        longest = sorted(self.words, key=len, reverse=True)
        choices = "|".join([r"\s+".join(map(re.escape, word.split())) for word in longest])
        self._pattern = re.compile(rf"(?<!\w)(?:{choices})(?!\w)")
        self._first_words = tuple({word.split()[0] for word in self.words})

    def __str__(self) -> str:
        return f"keyword:{','.join(self.words)}"

    @classmethod
    def reads(cls, word: str) -> bool:
        return word.startswith("keyword:")

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        words = [" ".join(each.split()) for each in word.removeprefix("keyword:").split(",")]
        if not all(words):
            raise tokens.error("a word is expected after 'keyword:' and every comma, e.g. keyword:bretagne")
        if len(words) > MOST_KEYWORDS:
            raise tokens.error(f"{len(words)} keywords: at most {MOST_KEYWORDS} are looked for")
        return cls(tuple(words))

    def reward(self, page: PageView, memory: Memory) -> float:
        text = _folded(page.text)
        if not any(word in text for word in self._first_words):  # much quicker than the pattern
            return 0.0
        count = sum(1 for _ in self._pattern.finditer(text))
        return 1.0 + log(count) if count else 0.0


def _folded(text: str) -> str:
    """Capitals and the ways to write an accent made equal.

    >>> _folded("BRE\u0301Z") == _folded("br\u00e9z")
    True
    """
    if text.isascii():  # the same, ten times as quick
        return text.lower()
    return unicodedata.normalize("NFC", text).casefold()
