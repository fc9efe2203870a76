"""shop.example: paginated categories; products with price histories, some sold out, many with a second page."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import NamedTuple

from sundog.demo_web.dice import Dice

from .answer import NOT_FOUND, ROBOTS, Answer, items, link, page, page_number, pager

HOST = "shop.example"
PER_PAGE = 10
VOCABULARY = 'itemscope itemtype="https://schema.org/Product"'
CATEGORIES = {"lamps": "Lamp", "chairs": "Chair", "kettles": "Kettle", "clocks": "Clock"}
NAMES = "Aurora Birch Cinder Dune Ember Fjord Grove Haze Isle Jade Kite Loom Moss North".split()
PRODUCTS_PER_CATEGORY = 23


class Shop:
    """Every answer is a function of path and query."""

    def __init__(self) -> None:
        self._products = {product.path: product for product in products()}

    def answer(self, path: str, query: str) -> Answer:
        match path.strip("/").split("/"):
            case ["robots.txt"]:
                return ROBOTS
            case [""]:
                return framed("Shop", f"<h1>Welcome</h1><p>{len(self._products)} things for your home.</p>")
            case ["c", category] if category in CATEGORIES:
                return category_page(category, page_number(query))
            case ["p", _] if path in self._products and query in ("", "ref=offers"):
                return product_page(self._products[path], is_copy=bool(query))
            case ["help", topic]:
                return framed(topic, f"<h1>{escape(topic)}</h1><p>Ask us.</p>")
        return NOT_FOUND


def framed(title: str, body: str) -> Answer:
    menu = items((link(f"/c/{category}", category.title()) for category in CATEGORIES), 'class="categories"')
    foot = items(
        [link("/help/delivery", "Delivery"), link("/help/returns", "Returns"), link("/private/cart", "Cart")]
    )
    return page(f"{title} – Shop", f"<nav>{menu}</nav>\n<main>{body}</main>\n<footer>{foot}</footer>")


def shown_price(cents: int) -> str:
    """
    >>> shown_price(123456)
    '€ 1,234.56'
    """
    return f"€ {cents / 100:,.2f}"


def category_page(category: str, number: int) -> Answer:
    """Every third product is also offered by a second link to the same page."""
    mine = [product for product in products() if product.category == category]
    last = -(-len(mine) // PER_PAGE)
    if not 1 <= number <= last:
        return NOT_FOUND
    shown = mine[(number - 1) * PER_PAGE : number * PER_PAGE]
    cards = "".join(
        f'<article class="card"><h3>{link(product.path, product.name)}</h3>'
        f'<span class="price">{shown_price(product.prices[0][1])}</span></article>\n'
        for product in shown
    )
    offers = items(link(f"{product.path}?ref=offers", product.name) for product in shown[::3])
    body = (
        f"<h1>{category.title()}</h1>\n{cards}{pager(f'/c/{category}', number, last)}"
        f'<aside class="offers"><h2>Offers of the week</h2>{offers}</aside>'
    )
    return framed(category.title(), body)


def product_page(product: Product, *, is_copy: bool) -> Answer:
    """A copy names the page that it is a copy of."""
    category = link(f"/c/{product.category}", product.category)
    body = (
        f'<div class="product" {VOCABULARY}>\n<h1 itemprop="name">{escape(product.name)}</h1>\n'
        f'<p>Article <span itemprop="sku">{product.number}</span> in {category}</p>\n'
        f"{offer(product)}\n{price_history(product)}</div><nav>{link('/', 'Home')}</nav>"
    )
    head = f'<link rel="canonical" href="http://{HOST}{product.path}">' if is_copy else ""
    return page(f"{product.name} – Shop", body, head=head)


def offer(product: Product) -> str:
    price = product.prices[0][1]
    availability, text = ("OutOfStock", "Sold out") if product.sold_out else ("InStock", "In stock")
    return (
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        f'<span class="price" itemprop="price" content="{price / 100:.2f}">{shown_price(price)}</span>'
        '<meta itemprop="priceCurrency" content="EUR">'
        f'<link itemprop="availability" href="https://schema.org/{availability}"><b class="stock">{text}</b></div>'
    )


def price_history(product: Product) -> str:
    rows = "".join(
        f'<tr><td><time datetime="{date}">{date}</time></td><td class="was">{shown_price(cents)}</td></tr>\n'
        for date, cents in product.prices
    )
    return (
        '<h2>Price history</h2>\n<table class="price-history">'
        f"<thead><tr><th>Date</th><th>Price</th></tr></thead>\n<tbody>{rows}</tbody></table>"
    )


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
        for number in range(PRODUCTS_PER_CATEGORY)
    )


def _product(number: int, category: str) -> Product:
    dice = Dice(3, number)
    price = dice.between(12, 900) * 100 + dice.pick((0, 50, 90, 95, 99))
    prices = []
    for step in range(dice.between(1, 5)):
        prices.append((f"2026-{10 - 2 * step:02}-{dice.between(1, 28):02}", price))
        price += dice.between(-8, 12) * 50
        price = max(price, 500)
    name = f"{dice.pick(NAMES)} {CATEGORIES[category]} {number % 100 + 1}"
    return Product(number, name, category, tuple(prices), dice.chance(0.15))
