"""Which things are the same: what names a thing, and what speaks against two of one name being one.

A thing has keys: its address (``@id``), its URL, the page of which it is the main thing, its GTIN, ISBN, or SKU
and brand, its name and address. Things that share a key are the same unless something speaks against it: two
products with the URL of the list that they are on have different names. So a key that is none costs rows their
merger, not their values. Two IRIs speak against it, too, unless they are ``#author`` of two pages.

A teaser, such as a name and a date on a list, says little; it belongs to the thing of that name on its host that
it does not contradict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import orjson

from sundog.entities.things import NAMES, PARTS, Thing, Tree, name_of
from sundog.entities.values import DATES
from sundog.entities.vocabulary import local_key
from sundog.rdf.namespaces import SCHEMA_ORG

SMALL: Final = 3  # values besides name, URL and picture that a teaser may have
IDENTIFIERS: Final = (
    *("gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn", "issn"),
    *("sku", "mpn", "productID", "serialNumber", "identifier", "email", "vatID", "taxID", "leiCode", "duns"),
)
GLOBAL: Final = ("gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn", "leiCode", "vatID")  # name one everywhere
# What every page may put differently about the same thing.
LOOSE: Final = frozenset(
    """description text articleBody content summary image photo thumbnailUrl logo position dateModified updated
    modified url uid mainEntityOfPage sameAs keywords inLanguage disambiguatingDescription wordCount commentCount
    interactionCount @id @type""".split()
) | frozenset(NAMES)
DATED: Final = ("startDate", "start", "datePublished", "published", "datePosted", "issued")
VAGUE: Final = frozenset(
    SCHEMA_ORG + name for name in ("Thing", "WebPage", "CreativeWork", "ItemPage", "Intangible")
)
LONGEST_FACT: Final = 60  # characters
MOST_FACTS: Final = 24

BY_ID, BY_URL, BY_PAGE = "same @id", "same URL", "main thing of the page"
BY_NUMBER, BY_SKU, BY_ADDRESS = "same identifier", "same SKU and brand", "same name and address"
BY_DATE, BY_TEASER, BY_VALUES, BY_SYNTAX = (
    "same name and date",
    "same name, one of them a teaser",
    "same in all values",
    "same page in another syntax",
)


class Key(NamedTuple):
    hash: int
    reason: str


@dataclass(slots=True)
class Profile:
    """What is compared: of one thing, or of an entity so far."""

    name: str
    url: str
    place: str  # the page of which a full thing is the only one of its type
    size: int
    facts: dict[str, str] = field(default_factory=dict)
    syntax: str = ""

    def dump(self) -> bytes:
        return orjson.dumps([self.name, self.url, self.place, self.size, self.facts, self.syntax])

    @classmethod
    def load(cls, data: bytes | str) -> Profile:
        return cls(*orjson.loads(data))

    def add(self, other: Profile) -> None:
        self.name = self.name or other.name
        self.url = self.url or other.url
        self.place = self.place or other.place
        self.size = max(self.size, other.size)
        if self.syntax != other.syntax:
            self.syntax = ""
        for key, value in other.facts.items():
            if len(self.facts) < MOST_FACTS and len(value) > len(self.facts.get(key, "")):
                self.facts[key] = value


def profile_of(thing: Thing, page: str) -> Profile:
    tree = thing.tree
    facts = _address(thing.id, page)
    size = 0
    for key, value in tree.items():
        name = local_key(key)
        if key.startswith("@") or name in NAMES or name in ("url", "image", "photo", "mainEntityOfPage"):
            continue
        size += 1
        if name not in LOOSE and not isinstance(value, dict | list) and len(facts) < MOST_FACTS:
            text = str(value)
            if len(text) <= LONGEST_FACT:
                facts[key] = text
    called = plain_name(name_of(tree))
    is_vague = not called and isinstance(tree.get("url"), list)  # a feed has the addresses of what it lists
    url = "" if is_vague else plain_url(str(first(tree, "url")))
    place = plain_url(page) if thing.alone and size > SMALL else ""
    return Profile(called, url, place, size, facts, ",".join(thing.syntaxes))


def _address(iri: str, page: str) -> dict[str, str]:
    """An IRI as a fact; ``#author`` of a page says little, because every page of a site may have one.

    >>> _address("https://v.example/ns#T", "http://a.example/"), _address("http://a.example/#me", "http://a.example/")
    ({'@id': 'v.example/ns#T'}, {'@here': 'a.example#me'})
    """
    if not iri:
        return {}
    document, sign, fragment = iri.partition("#")
    plain = plain_url(document) or document
    return {"@here" if sign and plain == plain_url(page) else "@id": f"{plain}{sign}{fragment}"}


def keys_of(thing: Thing, profile: Profile, page: str, host: str) -> list[Key]:
    """The surest first."""
    tree, name = thing.tree, profile.name
    kind = next((each for each in thing.types if each not in VAGUE), thing.types[0] if thing.types else "")
    found: list[Key] = []

    def add(reason: str, *parts: str) -> None:
        found.append(Key(_digest(reason, *parts), reason))

    if thing.id:
        add(BY_ID, thing.id)
    if not kind:
        return found
    if profile.url:
        add(BY_URL, kind, profile.url)
    main = plain_url(str(first(tree, "mainEntityOfPage")))
    for url in {main, plain_url(thing.id), plain_url(page) if thing.alone else ""} - {"", profile.url}:
        add(BY_URL, kind, url)
    for key in filter(tree.__contains__, GLOBAL):
        number = re.sub(r"[\s-]", "", str(first(tree, key)))
        if len(number) >= 8:
            add(BY_NUMBER, kind, key[:4], number)
    sku, brand = str(first(tree, "sku")), plain_name(inner_name(tree.get("brand")))
    if sku and (brand or host):
        add(BY_SKU, kind, sku, brand or f"//{host}")
    if name or not (thing.id or kind.endswith("Page") or PARTS.intersection(thing.types)):
        add(BY_VALUES, host, kind, orjson.dumps(_values(tree), option=orjson.OPT_SORT_KEYS).decode())
    if not name:
        return found
    address = plain_name(_text_of(tree.get("address") or tree.get("adr")))
    phone = str(first(tree, "telephone") or first(tree, "tel"))
    phone = re.sub(r"\D", "", phone) if phone else ""
    for text in (address, phone if len(phone) > 5 else ""):
        if text:
            add(BY_ADDRESS, kind, name, text)
    day = next((str(tree[key])[:10] for key in DATED if isinstance(tree.get(key), str)), "")
    if day:
        add(BY_DATE, host, kind, name, day)
    add(BY_SYNTAX, page, kind, name)
    add(BY_TEASER, host, kind, name)
    return found


def may_be_same(reason: str, one: Profile, other: Profile) -> bool:
    """Whether nothing speaks against it."""
    names_agree = not one.name or not other.name or _alike(one.name, other.name)
    if reason == BY_ID:
        differ = one.url and other.url and one.url != other.url
        return names_agree or not (differ or _contradict(one, other, IDENTIFIERS))
    if not names_agree:
        return False
    if reason in (BY_URL, BY_VALUES, BY_TEASER) and _other_address(one, other):
        return False
    if reason in (BY_VALUES, BY_NUMBER, BY_ADDRESS, BY_SKU, BY_URL):
        return not _contradict(one, other, IDENTIFIERS)
    if reason == BY_DATE:
        return not _contradict(one, other, (*IDENTIFIERS, *DATES))
    if reason == BY_SYNTAX:
        return bool(one.syntax and other.syntax and one.syntax != other.syntax) and not _contradict(
            one, other, (*IDENTIFIERS, *DATES)
        )
    is_teaser = one.size <= SMALL or other.size <= SMALL
    return is_teaser and not _elsewhere(one, other) and not _contradict(one, other, None)


def _elsewhere(one: Profile, other: Profile) -> bool:
    """Whether they have different addresses."""
    if one.url and other.url:
        return one.url != other.url
    if one.url and other.place:
        return one.url != other.place
    return bool(other.url and one.place and other.url != one.place)


def _other_address(one: Profile, other: Profile) -> bool:
    """Whether their IRIs say that they are two: a document gives different names to different things."""
    mine, its = one.facts.get("@id"), other.facts.get("@id")
    if mine and its:
        return mine != its
    mine, its = mine or one.facts.get("@here", ""), its or other.facts.get("@here", "")
    (document, _, mine), (its_document, _, its) = mine.partition("#"), its.partition("#")
    return document == its_document and bool(mine and its) and mine != its


def _contradict(one: Profile, other: Profile, keys: tuple[str, ...] | None) -> bool:
    """Whether they differ in a value that a thing has one of."""
    for key in one.facts.keys() & other.facts.keys() if keys is None else keys:
        mine, its = one.facts.get(key), other.facts.get(key)
        if (
            mine
            and its
            and key[0] != "@"
            and mine != its
            and not (local_key(key) in DATES and _same_day(mine, its))
        ):
            return True
    return False


def _same_day(one: str, other: str) -> bool:
    return (len(one) == 10 or len(other) == 10) and one[:10] == other[:10]


def _alike(one: str, other: str) -> bool:
    """Names may be cut, or have the site's behind them."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 10 and (long.startswith(short) or long.endswith(short))


def plain_name(text: str) -> str:
    """
    >>> plain_name(" Crème  brûlée! "), plain_name("CRÈME BRÛLÉE")
    ('crème brûlée', 'crème brûlée')
    """
    return " ".join(re.findall(r"\w+", text.casefold()))[:200]


def plain_url(url: str) -> str:
    """An address without what does not tell pages apart.

    >>> plain_url("https://www.a.example/x/#it"), plain_url("http://a.example/x"), plain_url("no")
    ('a.example/x', 'a.example/x', '')
    """
    _, found, rest = url.partition("://")
    if not found:
        return ""
    return rest.partition("#")[0].removeprefix("www.").removesuffix("index.html").rstrip("/")


def first(tree: Tree, key: str) -> Any:
    """The first plain value, or an empty text."""
    value = tree.get(key, "")
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("url") or value.get("@value") or ""
    return value if not isinstance(value, dict | list) else ""


def inner_name(value: Any) -> str:
    value = value[0] if isinstance(value, list) and value else value
    if isinstance(value, dict):
        return name_of(value)
    return "" if value is None else str(value)


def _text_of(value: Any) -> str:
    """All texts of a tree: an address in one line or in parts is the same."""
    if isinstance(value, dict):
        return " ".join(_text_of(part) for key, part in value.items() if not key.startswith("@"))
    if isinstance(value, list):
        return " ".join(map(_text_of, value[:10]))
    return "" if value is None else str(value)


def _values(tree: Tree) -> Tree:
    return {key: value for key, value in tree.items() if key != "@id"}


def _digest(*parts: str) -> int:
    data = "\0".join(parts).encode("utf-8", "replace")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)
