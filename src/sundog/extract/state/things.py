"""From objects in a page's state to statements: products, recipes, events and articles, and JSON-LD.

An object is one of them if it says so (``__typename``, ``_type``, ``type``) and has what such a thing has, or, for
products and recipes, if it has so much of it that it can be nothing else. A name and a price alone are a way to
ship things as often as a thing to buy. Names of properties are compared without case, hyphens and underlines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from sundog.extract.guards import Report, TimeBox
from sundog.extract.jsonld.local_context import Surroundings
from sundog.extract.jsonld.reader import Reader
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.state.prices import Price, price_of
from sundog.rdf.namespaces import SCHEMA_ORG
from sundog.rdf.terms import TYPE, BlankNodes, iri, literal

MOST_NODES: Final = 200_000  # objects and lists of a page that are looked at
MOST_THINGS: Final = 500
LONGEST_NAME: Final = 300
LONGEST_TEXT: Final = 5_000
MOST_IMAGES: Final = 5
_CHECK_EVERY: Final = 256
Fields = Mapping[str, Any]


class Kind(NamedTuple):
    """``says``: the names of the type. ``has``: of each group, at least one. ``also``: of these at least two,
    if the object says nothing; without them it must say."""

    type: str
    says: frozenset[str]
    has: tuple[tuple[str, ...], ...]
    also: tuple[tuple[str, ...], ...] = ()


_SKU = ("sku", "productcode", "articlenumber", "gtin", "gtin13", "ean", "upc", "mpn")
_URL = ("url", "href", "link", "permalink", "canonicalurl", "path", "slug", "handle", "urlkey")
_IMAGE = ("image", "images", "imageurl", "thumbnail", "featuredimage", "mainimage", "media", "gallery", "photo")
_TEXT = ("description", "shortdescription", "summary", "excerpt", "descriptionhtml")
_BRAND = ("brand", "brandname", "manufacturer", "vendor")
_CATEGORY = ("category", "categoryname", "producttype", "categories")
_STOCK = ("instock", "availability", "availableforsale", "isavailable", "stock", "stockstatus", "isinstock")
_INGREDIENTS = ("recipeingredient", "ingredients", "recipeingredients")
_STEPS = ("recipeinstructions", "instructions", "steps", "directions", "method")
_START = ("startdate", "startsat", "starttime", "start", "datestart", "eventdate")
_DATE = ("datepublished", "publishedat", "publisheddate", "publishdate", "pubdate", "date", "publishedon")
_BODY = ("articlebody", "body", "content", "excerpt", "summary", "description", "standfirst")
_NAME = ("name", "title", "productname", "headline", "displayname")
_NAME_KEYS: Final = frozenset(
    ("name", "title", "Name", "Title", "productName", "headline", "displayName", "product_name")
)
_SAYS: Final = ("__typename", "@type", "_type", "type", "objectType", "kind")
PRICED: Final = "price"  # stands for any of its spellings

KINDS: Final = (
    Kind(
        "Product",
        frozenset("product simpleproduct configurableproduct variableproduct productdetail productpage".split()),
        ((PRICED, *_SKU, *_BRAND),),
        (_SKU, _URL, _IMAGE, _TEXT, _BRAND, _CATEGORY, _STOCK),
    ),
    Kind("Recipe", frozenset({"recipe"}), (_INGREDIENTS, _STEPS), (_INGREDIENTS, _STEPS)),
    Kind("Event", frozenset({"event", "musicevent", "calendarevent"}), (_START,)),
    Kind("Article", frozenset("article blogposting newsarticle blogpost".split()), (_DATE, _BODY)),
)
_TEXTS: Final = {
    "Product": {"description": _TEXT, "sku": ("sku", "productcode", "articlenumber"), "brand": _BRAND,
                "gtin": ("gtin", "gtin13", "ean", "upc"), "mpn": ("mpn",), "category": _CATEGORY},
    "Recipe": {"description": _TEXT, "recipeYield": ("recipeyield", "yield", "servings"), "author": ("author",)},
    "Event": {"description": _TEXT, "startDate": _START, "endDate": ("enddate", "endsat", "endtime", "end"),
              "location": ("location", "venue", "place")},
    "Article": {"description": ("description", "excerpt", "summary"), "datePublished": _DATE,
                "author": ("author", "authors", "byline")},
}  # fmt: skip
_NOT_IN_NAMES = re.compile(r"[_-]")
_IS_URL = re.compile(r"(?:https?://|/)[^\s<>\"{}|\\^`]*", re.I)
_ADDRESSES: Final = ("url", "href", "link", "permalink", "canonicalurl", "path")
_IN_STOCK: Final = {"instock", "available", "true", "in stock"}
_OUT_OF_STOCK: Final = {"outofstock", "soldout", "unavailable", "false", "out of stock", "sold out"}


def read_things(documents: Sequence[Any], page: HtmlPage, box: TimeBox, out: Statements, report: Report) -> None:
    _Things(page, box, out, report).read(documents)


class _Things:
    def __init__(self, page: HtmlPage, box: TimeBox, out: Statements, report: Report) -> None:
        self._page, self._box, self._out, self._report = page, box, out, report
        self._blanks = BlankNodes("s")
        self._cache: Mapping[str, Any] = {}  # Apollo's: objects by their names
        self._known: set[tuple[tuple[str, str], ...]] = set()  # a state repeats itself
        self._jsonld: Reader | None = None

    def read(self, documents: Sequence[Any]) -> None:
        """No object is visited twice, so a state that holds itself has an end."""
        waiting: list[Any] = list(reversed(documents))
        seen: set[int] = set()
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            if len(seen) >= MOST_NODES:
                self._report(f"only {MOST_NODES:,} objects were looked at")
                return
            seen.add(id(node))
            if len(seen) % _CHECK_EVERY == 0:
                self._box.check()
            if isinstance(node, dict):
                if "@context" in node and ("@type" in node or "@graph" in node):
                    self._read_jsonld(node)
                    continue
                if "ROOT_QUERY" in node:
                    self._cache = node
                if not _NAME_KEYS.isdisjoint(node) and self._read_thing(node) and len(self._known) >= MOST_THINGS:
                    self._report(f"only {MOST_THINGS:,} things were read")
                    return
                parts: Any = node.values()
            else:
                parts = node
            inner = [each for each in parts if self._is_to_be_read(each)]
            waiting += reversed(inner)

    def _is_to_be_read(self, value: Any) -> bool:
        if isinstance(value, str):
            if value[:1] in ("{", "[") and '"@context"' in value:
                self._read_jsonld_text(value)
            return False
        return isinstance(value, (dict, list))

    def _read_jsonld_text(self, text: str) -> None:
        try:
            value = orjson.loads(text)
        except ValueError:
            return
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                self._read_jsonld(each)

    def _read_jsonld(self, node: dict[str, Any]) -> None:
        if self._jsonld is None:
            around = Surroundings(self._page.base, self._page.remote, self._box, self._report)
            self._jsonld = Reader(self._out, around, repairs=True)
            self._jsonld.blanks = self._blanks
        try:
            self._jsonld.read(node, alone=True, linked="")
        except RecursionError:
            self._report("JSON-LD: nested too deeply")

    def _read_thing(self, node: dict[str, Any]) -> bool:
        fields = {_NOT_IN_NAMES.sub("", name).lower(): value for name, value in node.items() if value is not None}
        name = self._text(_first(fields, _NAME))
        if not name or len(name) > LONGEST_NAME:
            return False
        says = {str(node[key]).lower() for key in _SAYS if isinstance(node.get(key), str)}
        price = price_of(fields, self._resolved)
        kind = next((kind for kind in KINDS if _is(kind, says, fields, price)), None)
        if kind is None:
            return False
        found = [("name", literal(name)), *self._properties(kind, fields)]
        key = (("", kind.type), *found, ("price", "" if price is None else price.amount))
        if key in self._known:
            return False
        self._known.add(key)
        self._write(kind, found, price if kind.type == "Product" else None, fields)
        return True

    def _write(self, kind: Kind, found: list[tuple[str, str]], price: Price | None, fields: Fields) -> None:
        subject = self._blanks.new()
        self._out.append((subject, TYPE, f"<{SCHEMA_ORG}{kind.type}>"))
        for name, term in found:
            self._out.append((subject, f"<{SCHEMA_ORG}{name}>", term))
        if price is None:
            return
        offer = self._blanks.new()
        self._out.append((subject, f"<{SCHEMA_ORG}offers>", offer))
        self._out.append((offer, TYPE, f"<{SCHEMA_ORG}Offer>"))
        self._out.append((offer, f"<{SCHEMA_ORG}price>", literal(price.amount)))
        if price.currency:
            self._out.append((offer, f"<{SCHEMA_ORG}priceCurrency>", literal(price.currency)))
        if stock := _stock(_first(fields, _STOCK)):
            self._out.append((offer, f"<{SCHEMA_ORG}availability>", f"<{SCHEMA_ORG}{stock}>"))

    def _properties(self, kind: Kind, fields: Fields) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for name, spellings in _TEXTS[kind.type].items():
            text = self._text(_first(fields, spellings))
            if text and len(text) <= LONGEST_TEXT:
                found.append((name, literal(text)))
        address = _first(fields, _ADDRESSES)
        if term := self._address(address):
            found.append(("url", term))
        for each in self._images(_first(fields, _IMAGE)):
            found.append(("image", each))
        if kind.type == "Recipe":
            parts = [self._text(each) for each in _as_list(_first(fields, _INGREDIENTS))[:200]]
            found += [("recipeIngredient", literal(part)) for part in parts if part]
        return found

    def _resolved(self, value: Any) -> Any:
        """What Apollo refers to by name."""
        if isinstance(value, dict) and isinstance(name := value.get("__ref"), str):
            return self._cache.get(name)
        return value

    def _text(self, value: Any) -> str:
        """A text, the name of an object, or the first of several."""
        value = self._resolved(value)
        if isinstance(value, list):
            value = self._resolved(value[0]) if value else ""
        if isinstance(value, dict):
            value = next((value[key] for key in ("name", "title", "label", "text") if value.get(key)), "")
        if isinstance(value, bool):
            return ""
        return str(value).strip() if isinstance(value, (str, int, float)) else ""

    def _address(self, value: Any) -> str | None:
        if not isinstance(value, str) or len(value) > 2_000 or not _IS_URL.fullmatch(value.strip()):
            return None
        return iri(self._page.base.resolve(value.strip()))

    def _images(self, value: Any) -> list[str]:
        found: list[str] = []
        for each in _as_list(self._resolved(value))[:MOST_IMAGES]:
            each = self._resolved(each)
            if isinstance(each, dict):
                each = next((each[key] for key in ("url", "src", "href", "sourceUrl") if each.get(key)), None)
            if (term := self._address(each)) and term not in found:
                found.append(term)
        return found


def _is(kind: Kind, says: set[str], fields: Fields, price: Price | None) -> bool:
    def has(group: tuple[str, ...]) -> bool:
        return (price is not None and PRICED in group) or _first(fields, group) is not None

    if says & kind.says:
        return all(map(has, kind.has))
    if not kind.also or (kind.type == "Product" and price is None):
        return False
    return sum(map(has, kind.also)) >= 2


def _first(fields: Fields, names: Sequence[str]) -> Any:
    """What the object has under the first of these names that says something."""
    for name in names:
        value = fields.get(name)
        if value is not None and value != "" and value != [] and value != {}:
            return value
    return None


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _stock(value: Any) -> str:
    if isinstance(value, (bool, int)):
        return "InStock" if value else "OutOfStock"
    word = str(value).rpartition("/")[2].lower().replace("_", "") if isinstance(value, str) else ""
    return "InStock" if word in _IN_STOCK else "OutOfStock" if word in _OUT_OF_STOCK else ""
