"""The facts of the shop: products with the prices they have had, drawn once by fixed dice."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from examples.demo_web.dice import Dice

CATEGORIES = ("lamps", "chairs", "kettles", "clocks")
KIND = {"lamps": "Lamp", "chairs": "Chair", "kettles": "Kettle", "clocks": "Clock"}
NAME = "Aurora Birch Cinder Dune Ember Fjord Grove Haze Isle Jade Kite Loom Moss North".split()
PRODUCTS_OF_A_CATEGORY = 23


class Product(NamedTuple):
    """``prices``: (date, price), the newest first. Prices are in cents, so that they are exact."""

    number: int
    name: str
    category: str
    prices: tuple[tuple[str, int], ...]
    sold_out: bool

    @property
    def path(self) -> str:
        return f"/p/{self.number}-{self.name.lower().replace(' ', '-')}"


@cache
def products() -> tuple[Product, ...]:
    return tuple(
        _product(1_000 + 100 * at + number, category)
        for at, category in enumerate(CATEGORIES)
        for number in range(PRODUCTS_OF_A_CATEGORY)
    )


def _product(number: int, category: str) -> Product:
    dice = Dice(3, number)
    price = dice.between(12, 900) * 100 + dice.pick((0, 50, 90, 95, 99))
    prices = []
    for step in range(dice.between(1, 5)):
        prices.append((f"2026-{10 - 2 * step:02}-{dice.between(1, 28):02}", price))
        price += dice.between(-8, 12) * 50
        price = max(price, 500)
    name = f"{dice.pick(NAME)} {KIND[category]} {number % 100 + 1}"
    return Product(number, name, category, tuple(prices), dice.chance(0.15))
