"""``keyword:bretagne``: how often words occur in the text that a reader sees, and in the text around links.

The score is that of Gouriten, Maniu and Senellart, for pages and for links: 1 + log x for x occurrences (the
natural logarithm), 0 for none. Occurrences are whole words; capitals do not matter, accents do. With
``keyword~:`` word forms do not matter either.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from math import log

from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageView
from sundog.objectives.stemming import check_language, check_stemmer, stemmed
from sundog.objectives.tokens import Tokens

MOST_KEYWORDS = 100
BEGINNING = re.compile(r"keyword(~([a-z]*))?:")


class Words:
    """Words or phrases to be counted in folded texts."""

    def __init__(self, words: tuple[str, ...]) -> None:
        # The longest first: of words that begin alike, the whole one is meant.
        longest = sorted(dict.fromkeys(words), key=len, reverse=True)
        choices = "|".join([r"\s+".join(map(re.escape, word.split())) for word in longest])
        self._pattern = re.compile(rf"(?<!\w)(?:{choices})(?!\w)")
        self._first_words = tuple({word.split()[0] for word in longest})

    def count(self, text: str) -> int:
        if not any(word in text for word in self._first_words):  # much quicker than the pattern
            return 0
        return sum(1 for _ in self._pattern.finditer(text))


class Keyword(Condition):
    """``stems``: None for words as they are, else the language of the stemmer, "" for that of each page."""

    form = "keyword:WORD,WORD"
    summary = "pages whose text has one of the words; the reward is 1 + log of their number; keyword~: stems words"
    example = "keyword:bretagne,brittany"
    needs_text = True
    scores_links = True

    def __init__(self, words: tuple[str, ...], stems: str | None = None) -> None:
        self.words = tuple(dict.fromkeys(map(_folded, words)))
        self.stems = stems
        self._plain = Words(self.words)

    def __str__(self) -> str:
        return f"keyword{'' if self.stems is None else f'~{self.stems}'}:{','.join(self.words)}"

    @classmethod
    def reads(cls, word: str) -> bool:
        return BEGINNING.match(word) is not None

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        beginning = BEGINNING.match(word)
        assert beginning
        words = [" ".join(each.split()) for each in word[beginning.end() :].split(",")]
        if not all(words):
            raise tokens.error(f"a word is expected after '{beginning[0]}' and every comma, e.g. keyword:bretagne")
        if len(words) > MOST_KEYWORDS:
            raise tokens.error(f"{len(words)} keywords: at most {MOST_KEYWORDS} are looked for")
        if beginning[1]:
            check_stemmer()
            if beginning[2]:
                check_language(beginning[2])
        return cls(tuple(words), beginning[2])

    def reward(self, page: PageView, memory: Memory) -> float:
        return self.text_score(page.text, page.language)

    def text_score(self, text: str, language: str = "") -> float:
        """
        >>> Keyword(("crawl",)).text_score("To crawl or not to crawl"), Keyword(("crawl",)).text_score("Crawling")
        (1.6931471805599454, 0.0)
        """
        return smoothed(self.count(text, language))

    def count(self, text: str, language: str = "") -> int:
        text = _folded(text)
        if self.stems is None:
            return self._plain.count(text)
        language = self.stems or language
        return _stemmed_words(self.words, language).count(stemmed(text, language))


def smoothed(count: int) -> float:
    """The paper's f."""
    return 1.0 + log(count) if count else 0.0


@lru_cache(64)
def _stemmed_words(words: tuple[str, ...], language: str) -> Words:
    return Words(tuple(stem for word in words if (stem := stemmed(word, language))))


def _folded(text: str) -> str:
    """Without differences of case, and of how an accent is encoded.

    >>> _folded("BRE\u0301Z") == _folded("br\u00e9z")
    True
    """
    if text.isascii():  # the same, ten times as quick
        return text.lower()
    return unicodedata.normalize("NFC", text).casefold()
