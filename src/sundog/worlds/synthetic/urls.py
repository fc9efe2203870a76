"""URL bytes: a host name, then the pattern of the page's template in its host's style.

No two URLs are equal. Host names are a bijection of the host's number; within a host each
pattern has a part that is a bijection of the page's number (id, slug, hex) or of its number
among the pages of its template (tag, page, date), or is the only one of its section.
Names do not depend on anything but the host's number: a host's name tells nothing about it.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sundog._jit import njit
from sundog.worlds.synthetic.profiles import Profile
from sundog.worlds.synthetic.rng import chance, hashed, pick, scramble
from sundog.worlds.synthetic.software import HOME, ONE_SHAPE, STYLES, UrlStyle
from sundog.worlds.synthetic.structure import Hosts, Pages
from sundog.worlds.synthetic.words import NAME_WORDS, SECTION_WORDS, SLUG_WORDS, SUBDOMAINS, TLDS

PLACEHOLDERS = ("section", "page", "slug", "tag", "id", "number", "year", "month", "day", "date", "hex")
SECTION, PAGE, SLUG, TAG, ID, NUMBER, YEAR, MONTH, DAY, DATE, HEX = range(1, 12)
LONGEST = 512  # no URL comes near it
LEXICON_BITS = 11  # 2,048 words
TOPIC_WORDS = 60  # words that a community uses most
HYPHEN, DIGIT_ZERO, LETTER_A = ord("-"), ord("0"), ord("a")
HOST, PATH, ID_BASE, ID_STEP, TOPIC, EXTRA, MIXED = range(1, 8)  # what a hash is for

_SLUGS, _SLUG_AT = SLUG_WORDS.letters, SLUG_WORDS.offsets
_SECTIONS, _SECTION_AT = SECTION_WORDS.letters, SECTION_WORDS.offsets
_NAMES, _NAME_AT = NAME_WORDS.letters, NAME_WORDS.offsets
_TLDS, _TLD_AT = TLDS.letters, TLDS.offsets
_SUBS, _SUB_AT = SUBDOMAINS.letters, SUBDOMAINS.offsets
_HTTP = np.frombuffer(b"http://", np.uint8).copy()
_HTTPS = np.frombuffer(b"https://", np.uint8).copy()


def build_urls(
    profile: Profile, hosts: Hosts, pages: Pages, seed: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """URLs in host order, as bytes and offsets."""
    styles = list(STYLES.values()) if profile.software_urls else [ONE_SHAPE] * len(STYLES)
    programs, program_at = compile_patterns(styles)
    return _write_urls(
        hosts.start, hosts.style, hosts.community, pages.host, pages.template, pages.section,
        pages.ordinal, programs, program_at, profile.https_share, seed,
    )  # fmt: skip


def compile_patterns(styles: list[UrlStyle]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Patterns as bytes, placeholders as bytes below 32; row style * 8 + template."""
    programs = [_compile(pattern) for style in styles for pattern in ("/", *style.patterns)]
    offsets = np.concatenate(([0], np.cumsum([len(program) for program in programs])))
    return np.frombuffer(b"".join(programs), np.uint8).copy(), offsets.astype(np.int64)


def _compile(pattern: str) -> bytes:
    code = re.sub(r"\{(\w+)\}", lambda match: chr(1 + PLACEHOLDERS.index(match[1])), pattern)
    return code.encode("ascii")


@njit
def _write_urls(
    start: NDArray[np.int64], style: NDArray[np.int32], community: NDArray[np.int32],
    host: NDArray[np.int32], template: NDArray[np.uint8], section: NDArray[np.uint8],
    ordinal: NDArray[np.int32], programs: NDArray[np.uint8], program_at: NDArray[np.int64],
    https_share: float, seed: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:  # fmt: skip
    """Write each URL behind the one before, growing the buffer where needed."""
    offsets = np.zeros(len(host) + 1, np.int64)
    out = np.empty(len(host) * 56 + LONGEST, np.uint8)
    name = np.empty(LONGEST, np.uint8)
    end = length = 0
    for page in range(len(host)):
        h = host[page]
        out = _with_room(out, end)
        if template[page] == HOME:
            length = _write_host(seed, h, chance(seed, h, HOST) < https_share, name)
        out[end : end + length] = name[:length]
        row = style[h] * 8 + template[page]
        program = programs[program_at[row] : program_at[row + 1]]
        end = _write_path(seed, program, h, page - start[h], community[h], section[page],
                          ordinal[page], out, end + length)  # fmt: skip
        offsets[page + 1] = end
    return out[:end].copy(), offsets


@njit
def _with_room(out: NDArray[np.uint8], end: int) -> NDArray[np.uint8]:
    if end + LONGEST <= len(out):
        return out
    grown = np.empty(len(out) + len(out) // 4 + LONGEST, np.uint8)
    grown[:end] = out[:end]
    return grown


@njit
def _write_host(seed: int, host: int, https: bool, out: NDArray[np.uint8]) -> int:
    """Scheme and host name: subdomain, coined word, dictionary word, top-level domain."""
    end = _copy(_HTTPS, 0, len(_HTTPS), out, 0) if https else _copy(_HTTP, 0, len(_HTTP), out, 0)
    mixed = (host * 2654435761 + pick(seed, 0, MIXED, 1 << 22)) & ((1 << 22) - 1)
    end = _word(_SUBS, _SUB_AT, pick(seed, host, 20, len(_SUB_AT) - 1), out, end)
    end = _word(_NAMES, _NAME_AT, mixed >> LEXICON_BITS, out, end)
    if chance(seed, host, 21) < 0.6:
        end = _byte(HYPHEN, out, end)
    end = _word(_SLUGS, _SLUG_AT, mixed & ((1 << LEXICON_BITS) - 1), out, end)
    if host >> 22:
        end = _decimal(host >> 22, 1, out, end)
    return _word(_TLDS, _TLD_AT, pick(seed, host, 22, len(_TLD_AT) - 1), out, end)


@njit
def _write_path(
    seed: int, program: NDArray[np.uint8], host: int, local: int, community: int, section: int,
    ordinal: int, out: NDArray[np.uint8], end: int,
) -> int:  # fmt: skip
    """Run a pattern: copy its letters, fill in its placeholders."""
    own = hashed(seed, host, PATH)  # this host's own hash key
    for code in program:
        if code >= 32:
            end = _byte(code, out, end)
        elif code == SECTION:
            base = pick(seed, community, TOPIC, 256) + pick(own, 0, TOPIC, 16)
            end = _word(_SECTIONS, _SECTION_AT, (base + section) % 256, out, end)
        elif code == SLUG:
            end = _slug(own, local, pick(seed, community, TOPIC, 2048), out, end)
        elif code == TAG:
            end = _tag(own, ordinal, out, end)
        elif code == HEX:
            end = _hexadecimal(scramble(own + np.uint64(local)), out, end)
        elif code == DATE:
            end = _date(pick(own, 0, DATE, 3000) + ordinal, out, end)
        else:
            end = _decimal(_figure(own, code, local, ordinal), 2 if code in (MONTH, DAY) else 1, out, end)
    return end


@njit
def _figure(own: int, code: int, local: int, ordinal: int) -> int:
    """The number that a numeric placeholder stands for."""
    if code == ID:
        return pick(own, 0, ID_BASE, 90000) + local * (1 + pick(own, 0, ID_STEP, 9))
    if code == PAGE:
        return 2 + ordinal
    if code == YEAR:
        return 2004 + pick(own, local, YEAR, 9)
    if code == MONTH:
        return 1 + pick(own, local, MONTH, 12)
    if code == DAY:
        return 1 + pick(own, local, DAY, 28)
    return 1 + pick(own, local, NUMBER, 5000)


@njit
def _slug(own: int, local: int, topic: int, out: NDArray[np.uint8], end: int) -> int:
    """Two words that encode the page's number, and up to four of the community's favourites."""
    mixed = (local * 40503 * 2 + local + pick(own, 0, SLUG, 1 << 22)) & ((1 << 22) - 1)
    end = _word(_SLUGS, _SLUG_AT, mixed >> LEXICON_BITS, out, end)
    end = _byte(HYPHEN, out, end)
    end = _word(_SLUGS, _SLUG_AT, mixed & ((1 << LEXICON_BITS) - 1), out, end)
    if local >> 22:
        end = _decimal(local >> 22, 1, out, end)
    for extra in range(pick(own, local, EXTRA, 5)):
        favourite = int(TOPIC_WORDS * chance(own, local, 30 + extra) ** 2)
        if extra % 2 == 0:
            favourite = pick(own, favourite // 6, EXTRA + 1, 2048)
        end = _byte(HYPHEN, out, end)
        end = _word(_SLUGS, _SLUG_AT, (topic + favourite) & ((1 << LEXICON_BITS) - 1), out, end)
    return end


@njit
def _tag(own: int, ordinal: int, out: NDArray[np.uint8], end: int) -> int:
    """A word that encodes a number, with a second one when the words run out."""
    first = (ordinal * 101 + pick(own, 0, TAG, 2048)) & ((1 << LEXICON_BITS) - 1)
    end = _word(_SLUGS, _SLUG_AT, first, out, end)
    if ordinal >> LEXICON_BITS:
        end = _byte(HYPHEN, out, end)
        end = _decimal(ordinal >> LEXICON_BITS, 1, out, end)
    return end


@njit
def _date(day: int, out: NDArray[np.uint8], end: int) -> int:
    """A day number as a date; months of 28 days keep it a bijection."""
    end = _decimal(2000 + day // 336, 1, out, end)
    end = _byte(HYPHEN, out, end)
    end = _decimal(1 + day // 28 % 12, 2, out, end)
    end = _byte(HYPHEN, out, end)
    return _decimal(1 + day % 28, 2, out, end)


@njit
def _hexadecimal(value: Any, out: NDArray[np.uint8], end: int) -> int:
    for shift in range(60, -4, -4):
        digit = int((value >> np.uint64(shift)) & np.uint64(15))
        end = _byte(DIGIT_ZERO + digit if digit < 10 else LETTER_A + digit - 10, out, end)
    return end


@njit
def _decimal(value: int, width: int, out: NDArray[np.uint8], end: int) -> int:
    """Write a number with at least `width` digits."""
    scale, digits = 10, 1
    while value >= scale or digits < width:
        scale *= 10
        digits += 1
    for place in range(digits):
        out[end + digits - 1 - place] = DIGIT_ZERO + value % 10
        value //= 10
    return end + digits


@njit
def _word(letters: NDArray[np.uint8], at: NDArray[np.int64], word: int, out: NDArray[np.uint8], end: int) -> int:
    return _copy(letters, at[word], at[word + 1], out, end)


@njit
def _copy(letters: NDArray[np.uint8], first: int, last: int, out: NDArray[np.uint8], end: int) -> int:
    for position in range(first, last):
        out[end] = letters[position]
        end += 1
    return end


@njit
def _byte(value: int, out: NDArray[np.uint8], end: int) -> int:
    out[end] = value
    return end + 1
