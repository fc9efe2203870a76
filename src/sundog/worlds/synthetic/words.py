"""Vocabularies for host names, paths and slugs, packed for kernels.

Words are combined from parts of our own, so that a few lines give thousands of words that look
like words. None of them has to do with markup.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

_STEMS = """
    garden kitchen river mountain window summer winter coffee silver copper market travel music
    harbor forest bridge castle dragon falcon marble cotton ginger pepper lemon orange cherry
    planet rocket engine motor wheel sail anchor island desert valley meadow orchard cellar
    tower temple palace cottage village city street corner station airport tunnel canyon glacier
    storm thunder rain snow frost cloud sun moon star comet ocean coral pearl amber crystal
    velvet linen leather paper pencil letter novel poem story legend myth fable theater opera
    guitar piano violin drum trumpet singer dancer painter sculptor camera photo film radio
    signal cable circuit battery sensor laser printer monitor keyboard server network packet
    budget ledger invoice tax bank credit loan pension doctor nurse clinic vaccine protein
    vitamin muscle bone heart brain school teacher lesson exam college campus thesis museum
"""
_ENDINGS = ["", *"s er ing ish ful less land craft works line side wood field house time".split()]
_SECTIONS = """
    news sports music movies books games travel food health science technology business finance
    politics culture fashion beauty home family kids pets cars bikes outdoor fishing hunting
    photography design art history religion education jobs housing weather local world opinion
    reviews guides tutorials downloads software hardware mobile electronics furniture jewelry
    clothing shoes toys tools crafts recipes wine coffee hotels flights cruises maps members
    community resources library gallery video audio projects research services products
"""
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_TLDS = """
    .com .com .com .com .com .com .org .org .net .net .de .de .co.uk .fr .it .nl .ru .pl .info .edu .eu
    .jp .com.br .ca .ch .us
"""
_SUBDOMAINS = "www. www. www. www. www. www. blog. shop. en. m. forum. store. my. web. old. portal."
NAKED = 2  # entries for host names without a subdomain


@dataclass(frozen=True, slots=True)
class Words:
    """A list of words as bytes and offsets; its length is a power of two where a kernel says so."""

    letters: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, words: list[str]) -> "Words":
        """Pack a list of ASCII words."""
        lengths = [len(word) for word in words]
        return cls(
            np.frombuffer("".join(words).encode("ascii"), np.uint8).copy(),
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        )


def slug_words() -> list[str]:
    """2,048 distinct words without a hyphen."""
    words = dict.fromkeys(stem + ending for ending, stem in product(_ENDINGS, _STEMS.split()))
    return list(words)[:2048]


def _section_words() -> list[str]:
    """256 distinct words: what sections are called, then whatever comes."""
    return list(dict.fromkeys(_SECTIONS.split() + slug_words()))[:256]


def _name_words() -> list[str]:
    """2,048 words of five letters: of equal length, so that none begins another."""
    words = ["".join(letters) for letters in product(*[_CONSONANTS, _VOWELS] * 2, _CONSONANTS)]
    return words[:: len(words) // 2048][:2048]


SLUG_WORDS = Words.of(slug_words())
SECTION_WORDS = Words.of(_section_words())
NAME_WORDS = Words.of(_name_words())
TLDS = Words.of(_TLDS.split())
SUBDOMAINS = Words.of([*_SUBDOMAINS.split(), *[""] * NAKED])
