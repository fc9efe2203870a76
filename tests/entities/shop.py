"""A crawl with things of every kind of value, for what reads and shows tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.entities.crawls import crawl_of_pages

COLORS = ("red", "Blue", "black, white", "it's green", "salt and pepper", "Ärmelgrün")
PLACES = ((48.85, 2.35), (52.52, 13.4), (-33.9, 151.2))


def product(number: int) -> dict[str, Any]:
    """Some have no brand, some a price that is no number, some several colours, some no date."""
    host = f"shop{number % 3}.example"
    latitude, longitude = PLACES[number % 3]
    return {
        "@type": "Product",
        "name": f"Kettle {number * 7 % 120:03}",
        "url": f"http://{host}/p/{number}",
        "color": [COLORS[number % 6], COLORS[(number + 1) % 6]] if number % 5 == 0 else COLORS[number % 6],
        "image": f"https://{host}/{number}.jpg",
        "offers": {"price": "on request" if number % 17 == 0 else f"{number * 13 % 97}.{number % 10}0"},
        "geo": {"latitude": latitude + number / 1000, "longitude": longitude},
        **({"brand": ("Acme", "ACME", "Umbra")[number % 4]} if number % 4 < 3 else {}),
        **({"releaseDate": f"20{10 + number % 15}-0{1 + number % 9}-11"} if number % 7 else {}),
        **({"a,b": f"x{number % 2}"} if number % 2 else {"__proto__": "mine"}),
    }


def shop(directory: Path, number: int = 120) -> Path:
    """Each product on its page, and every tenth also on a list."""
    pages = [(thing["url"], [thing]) for thing in map(product, range(number))]
    teasers = [{key: product(each)[key] for key in ("@type", "name", "url")} for each in range(0, number, 10)]
    pages += [
        (f"http://shop{each}.example/", [t for t in teasers if f"//shop{each}." in t["url"]]) for each in range(3)
    ]
    return crawl_of_pages(directory, ((url, _page(things), "text/html") for url, things in pages))


def _page(things: list[dict[str, Any]]) -> bytes:
    data = [{"@context": {"@vocab": "http://schema.org/"}, **thing} for thing in things]
    return f'<!doctype html><script type="application/ld+json">{json.dumps(data)}</script>'.encode()
