"""Word forms made equal: ``crawled``, ``crawls`` and ``crawling`` have one stem. Needs the extra ``stemming``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from sundog.errors import UsageError, nearest

MOST_WORDS = 50_000  # whose stems are remembered, for each language
LONGEST = 100  # what is longer is no word
WORDS = re.compile(r"\w+")
LANGUAGES: Final = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "da": "danish", "nl": "dutch",
    "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german",
    "el": "greek", "hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "es": "spanish", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


def check_language(code: str) -> None:
    if code not in LANGUAGES:
        raise UsageError(f"no stemmer knows the language '{code}'{nearest(code, LANGUAGES)}")


def check_stemmer() -> None:
    try:
        import snowballstemmer  # noqa: F401
    except ImportError:
        raise UsageError("stemming needs snowballstemmer: pip install 'sundog[stemming]'") from None


def stemmed(text: str, language: str) -> str:
    """The stems of a folded text's words, with single blanks between them.

    ``language`` is as pages declare it; the words of one that no stemmer knows stay as they are.

    >>> stemmed("crawlers are crawling!", "en-GB"), stemmed("crawlers are crawling!", "")
    ('crawler are crawl', 'crawlers are crawling')
    """
    words = WORDS.findall(text)
    code = language[:2].lower() if len(language) == 2 or language[2:3] in ("-", "_") else ""
    if code not in LANGUAGES:
        return " ".join(words)
    stem = _stemmer(code)
    return " ".join([stem(word) if len(word) <= LONGEST else word for word in words])


@lru_cache(len(LANGUAGES))
def _stemmer(code: str) -> Callable[[str], str]:
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer(LANGUAGES[code]).stemWord
    return lru_cache(MOST_WORDS)(stem)
