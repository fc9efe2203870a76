"""URIs from patterns: ``{Name}`` and ``{name}`` are words of things, ``{word}`` is a word of the namespace."""

from collections.abc import Sequence

import numpy as np

from sundog.worlds.synthetic.words import slug_words

_WORDS = slug_words()
_TLDS = ("org", "com", "net", "info", "de", "edu", "eu", "fr", "uk", "it")


def a_word(rng: np.random.Generator) -> str:
    return _WORDS[int(rng.integers(len(_WORDS)))]


def host_name(prefixes: Sequence[str], taken: set[str], rng: np.random.Generator) -> str:
    """A new host name; ``.example`` is what it ends with, for none of them exists."""
    while True:
        prefix = prefixes[int(rng.integers(len(prefixes)))]
        name = f"{prefix}{a_word(rng)}-{a_word(rng)}.{_TLDS[int(rng.integers(len(_TLDS)))]}.example"
        if name not in taken:
            taken.add(name)
            return name


def urls_of(host: str, pattern: str, word: str, count: int, rng: np.random.Generator) -> list[str]:
    """So many different URLs of one namespace."""
    first = int(rng.integers(1, 50_000))
    numbers = first + np.cumsum(rng.integers(1, 9, count))
    picks = rng.integers(len(_WORDS), size=(count, 2)).tolist()
    makers = _compiled(pattern, host, word)
    return [
        makers.format(
            Name=f"{_WORDS[a].title()}_{_WORDS[b].title()}_{n}"
            if "{number}" not in pattern
            else _WORDS[a].title(),
            name=_WORDS[a] if "{number}" in pattern else f"{_WORDS[a]}-{_WORDS[b]}-{n}",
            number=n,
            hex=f"{n * 2654435761 % 4294967296:08x}{n:x}",
            year=2000 + n % 15,
        )
        for n, (a, b) in zip(numbers.tolist(), picks, strict=True)
    ]


def _compiled(pattern: str, host: str, word: str) -> str:
    return f"http://{host}{pattern.replace('{word}', word)}"
