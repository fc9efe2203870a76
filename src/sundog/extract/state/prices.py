"""What a thing costs, in the many ways in which shops' programs write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

PRICES: Final = (
    "price", "currentprice", "finalprice", "saleprice", "sellingprice", "regularprice", "priceamount", "unitprice",
    "pricing", "prices", "pricerange", "minprice",
)  # fmt: skip
_AMOUNTS: Final = (
    "amount", "value", "price", "current", "currentPrice", "gross", "min", "minVariantPrice", "minPrice",
    "minimum_price", "minimumPrice", "final_price", "finalPrice", "regular", "sale",
)  # fmt: skip
_CENTS: Final = ("centAmount", "cents")
_CURRENCIES: Final = ("currency", "currencyCode", "currency_code", "priceCurrency", "isoCode")
_OF_THING: Final = ("currency", "currencycode", "pricecurrency")
_NUMBER = re.compile(r"\d{1,9}(?:[ .,']\d{3})*(?:[.,]\d{1,2})?|\d{1,9}[.,]\d{3,6}")
_CODE = re.compile(r"[A-Z]{3}")
_SIGNS: Final = {"€": "EUR", "£": "GBP", "₹": "INR", "zł": "PLN"}  # signs of one currency only
_DEEPEST: Final = 3


class Price(NamedTuple):
    amount: str
    currency: str = ""


def price_of(fields: Mapping[str, Any], resolved: Callable[[Any], Any]) -> Price | None:
    """Of an object whose names are in lower case; ``resolved`` follows references.

    >>> price_of({"price": {"centAmount": 1250, "currencyCode": "EUR"}}, lambda value: value)
    Price(amount='12.5', currency='EUR')
    >>> price_of({"price": "ab 12,50 €"}, lambda value: value)
    Price(amount='12.50', currency='EUR')
    """
    for name in PRICES:
        if name in fields and (found := _read(fields[name], resolved, 0)) is not None:
            if found.currency:
                return found
            given = next((fields[each] for each in _OF_THING if each in fields), "")
            return Price(found.amount, _currency(given))
    return None


def _read(value: Any, resolved: Callable[[Any], Any], depth: int) -> Price | None:
    value = resolved(value)
    if isinstance(value, list):
        value = resolved(value[0]) if value else None
    if isinstance(value, bool) or value is None or depth > _DEEPEST:
        return None
    if isinstance(value, (int, float)):
        return Price(f"{value:.10g}") if 0 < value < 1e9 else None
    if isinstance(value, str):
        return _of_text(value)
    if not isinstance(value, dict):
        return None
    currency = _currency(next((value[name] for name in _CURRENCIES if value.get(name)), ""))
    for name in _CENTS:
        cents = value.get(name)
        if isinstance(cents, int) and not isinstance(cents, bool) and 0 < cents < 10**11:
            digits = value.get("fractionDigits", 2)
            return Price(f"{cents / 10 ** (digits if digits in (0, 2, 3) else 2):.10g}", currency)
    for name in _AMOUNTS:
        if name in value and (found := _read(value[name], resolved, depth + 1)) is not None:
            return Price(found.amount, found.currency or currency)
    return None


def _of_text(text: str) -> Price | None:
    """With a decimal point, whichever sign the text has for it."""
    if len(text) > 40:
        return None
    numbers = _NUMBER.findall(text)
    if len(numbers) != 1:
        return None
    number = numbers[0]
    whole, sign, cents = re.fullmatch(r"(.*?)(?:([.,])(\d{1,2}))?", number).groups()  # type: ignore[union-attr]
    amount = re.sub(r"\D", "", whole) + (f".{cents}" if sign else "")
    if not float(amount or 0):
        return None
    code = next((code for mark, code in _SIGNS.items() if mark in text), "")
    found = _CODE.search(text)
    return Price(amount, code or (found[0] if found else ""))


def _currency(value: Any) -> str:
    if isinstance(value, dict):
        value = next((value[name] for name in ("code", "isoCode", "iso") if name in value), "")
    return value if isinstance(value, str) and _CODE.fullmatch(value) else ""
