"""shop.example: paginated categories; products with price histories, some sold out, many with a second page."""

from __future__ import annotations

from html import escape

from .answer import NOT_FOUND, ROBOTS, Answer, items, link, page, pager
from .goods import CATEGORIES, Product, products
from .music import page_number

HOST = "shop.example"
PER_PAGE = 10
VOCABULARY = 'itemscope itemtype="https://schema.org/Product"'


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
    stock, said = ("OutOfStock", "Sold out") if product.sold_out else ("InStock", "In stock")
    return (
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        f'<span class="price" itemprop="price" content="{price / 100:.2f}">{shown_price(price)}</span>'
        '<meta itemprop="priceCurrency" content="EUR">'
        f'<link itemprop="availability" href="https://schema.org/{stock}"><b class="stock">{said}</b></div>'
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
