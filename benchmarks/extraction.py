"""Extraction of all syntaxes and links, compared with extruct's six syntaxes, page by page in one run.

The pages are in the style of shops, news, recipes, events and documentation, of about 50 and 100 kB; or real ones.
"""

from __future__ import annotations

import gzip
import json
import logging
import random
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from benchmarks.common import print_table
from sundog.processes.memory import keep_freed_memory

REPEATS = 5
WORDS = """time year people way day man thing woman life child world school state family student group country
problem hand part place case week company system program question work number night point home water room
mother area money story fact month lot right study book eye job word business issue side kind head house""".split()


def main(real: str | None = None) -> None:
    keep_freed_memory()  # as readers of crawls do; extruct, in the same process, has it as well
    groups = pages()
    if real:
        with gzip.open(Path(real), "rt", encoding="utf-8") as lines:
            groups = {
                "real pages": [(page["url"], page["html"].encode()) for page in map(json.loads, lines)]
            } | groups
    rows = [_row(style, group) for style, group in groups.items()]
    columns = (
        "pages", "mean kB", "extruct ms", "Sundog ms", "times faster", "of the median page", "Sundog ms / 100 kB",
        "with link contexts"
    )  # fmt: skip
    print_table("Extraction: ms per page", columns, rows)


def _row(style: str, group: list[tuple[str, bytes]]) -> tuple[str, ...]:
    sides = _seconds(
        [_by_extruct(url, body.decode("utf-8", "replace")) for url, body in group],
        [_by_sundog(url, body) for url, body in group],
        [_by_sundog(url, body, text_around=True) for url, body in group],
    )
    theirs, ours, with_text = map(sum, sides)
    median = statistics.median(their / own for their, own in zip(*sides[:2], strict=True))
    count, size = len(group), sum(len(body) for _, body in group)
    return (
        style,
        f"{size / count / 1000:.0f}",
        f"{theirs / count * 1000:.1f}",
        f"{ours / count * 1000:.2f}",
        f"{theirs / ours:.0f}",
        f"{median:.0f}",
        f"{ours / size * 1e8:.2f}",
        f"{with_text / count * 1000:.2f} ms, {theirs / with_text:.0f} times",
    )


def _by_sundog(url: str, body: bytes, *, text_around: bool = False) -> Callable[[], object]:
    """``text_around``: also the text around each link, which is looked up only on demand."""
    from sundog.extract import extract

    def run() -> object:
        found = extract(body, base=url)
        if text_around:
            _ = [link.before + link.after for link in found.links]
        return found.counts, found.links, found.nquads()

    return run


def _by_extruct(url: str, text: str) -> Callable[[], object]:
    import extruct

    logging.disable()
    warnings.simplefilter("ignore")
    return lambda: extruct.extract(text, base_url=url, errors="ignore")


def _seconds(*sides: list[Callable[[], object]]) -> list[list[float]]:
    """Passes in turn, so that other work hits all sides; of each page the best CPU time counts."""
    best = [[float("inf")] * len(runs) for runs in sides]
    for _ in range(REPEATS):
        for times, runs in zip(best, sides, strict=True):
            for number, run in enumerate(runs):
                begun = time.thread_time()
                run()
                times[number] = min(times[number], time.thread_time() - begun)
    return best


def pages() -> dict[str, list[tuple[str, bytes]]]:
    """By style: URLs and bodies; the same ones every time."""
    chance = random.Random(1)
    made = {
        "shop (JSON-LD, OpenGraph)": [_page(chance, 50_000, _product(chance)) for _ in range(8)],
        "news (Microdata)": [_page(chance, 50_000, "", _article(chance)) for _ in range(8)],
        "recipe (JSON-LD, microformats)": [
            _page(chance, 50_000, _recipe(chance), _hrecipe(chance)) for _ in range(8)
        ],
        "event (RDFa)": [_page(chance, 50_000, "", _event(chance)) for _ in range(8)],
        "100 kB, all of them": [
            _page(chance, 100_000, _product(chance), _article(chance) + _event(chance) + _hrecipe(chance))
            for _ in range(8)
        ],
        "no markup": [_page(chance, 50_000) for _ in range(8)],
    }
    return {
        style: [(f"https://{number}.example/page", body.encode()) for number, body in enumerate(bodies)]
        for style, bodies in made.items()
    }


def _text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))


def _page(chance: random.Random, size: int, head: str = "", body: str = "") -> str:
    """A menu, the marked-up part, then paragraphs with links until the page is large enough."""
    menu = "".join(
        f'<li class="menu-item"><a class="nav-link" href="/{word}/{number}">{word}</a></li>'
        for number, word in enumerate(WORDS[:40])
    )
    script = f"<script>var state = {orjson.dumps(_text(chance, size // 25)).decode()};</script>"
    start = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_text(chance, 5)}</title>'
        f'<link rel="stylesheet" href="/main.css">{head}{script}</head><body class="page">'
        f'<nav class="navbar" role="navigation"><ul class="menu">{menu}</ul></nav><main>{body}'
    )
    parts, length = [start], len(start)
    while length < size:
        part = (
            f'<div class="row mt-3" data-id="{chance.randrange(9999)}"><h3 class="title">{_text(chance, 4)}</h3>'
            f'<p>{_text(chance, 45)} <a href="/{chance.choice(WORDS)}/{chance.randrange(999)}.html">'
            f'{_text(chance, 3)}</a> {_text(chance, 15)}<img src="/{chance.randrange(999)}.jpg" alt="x"></p></div>'
        )
        parts.append(part)
        length += len(part)
    return "".join(parts) + "</main></body></html>"


def _jsonld(document: dict[str, Any]) -> str:
    return f'<script type="application/ld+json">{orjson.dumps(document).decode()}</script>'


def _product(chance: random.Random) -> str:
    reviews = [
        {
            "@type": "Review",
            "author": {"@type": "Person", "name": _text(chance, 2)},
            "reviewBody": _text(chance, 30),
            "reviewRating": {"@type": "Rating", "ratingValue": chance.randint(1, 5)},
        }
        for _ in range(8)
    ]
    offer = {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR", "url": "/buy"}
    document = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": _text(chance, 4),
        "image": ["/1.jpg", "/2.jpg"],
        "sku": "A-1",
        "offers": offer,
        "review": reviews,
    }
    metas = "".join(
        f'<meta property="og:{name}" content="{_text(chance, 4)}">' for name in ("title", "type", "url", "image")
    )
    return _jsonld(document) + metas


def _recipe(chance: random.Random) -> str:
    steps = [{"@type": "HowToStep", "text": _text(chance, 15)} for _ in range(8)]
    ingredients = [_text(chance, 3) for _ in range(12)]
    document = {"@context": "https://schema.org", "@type": "Recipe", "name": _text(chance, 3)}
    return _jsonld({**document, "recipeIngredient": ingredients, "recipeInstructions": steps, "cookTime": "PT30M"})


def _hrecipe(chance: random.Random) -> str:
    ingredients = "".join(f'<li class="p-ingredient">{_text(chance, 3)}</li>' for _ in range(12))
    return (
        f'<div class="h-recipe"><h1 class="p-name">{_text(chance, 3)}</h1><ul>{ingredients}</ul>'
        f'<a class="p-author h-card" href="/cook">{_text(chance, 2)}</a><div class="e-instructions">'
        f"<p>{_text(chance, 40)}</p></div></div>"
    )


def _article(chance: random.Random) -> str:
    comments = "".join(
        '<div itemprop="comment" itemscope itemtype="http://schema.org/Comment">'
        f'<b itemprop="author">{_text(chance, 2)}</b><p itemprop="text">{_text(chance, 25)}</p>'
        '<time itemprop="dateCreated" datetime="2024-05-01">May</time></div>'
        for _ in range(10)
    )
    return (
        '<article itemscope itemtype="http://schema.org/NewsArticle">'
        f'<h1 itemprop="headline">{_text(chance, 8)}</h1><div itemprop="author" itemscope '
        'itemtype="http://schema.org/Person"><a itemprop="url" href="/me">'
        f'<b itemprop="name">{_text(chance, 2)}</b>'
        f'</a></div><div itemprop="articleBody"><p>{_text(chance, 200)}</p></div>{comments}</article>'
    )


def _event(chance: random.Random) -> str:
    events = "".join(
        f'<div typeof="Event" resource="#e{number}"><h2 property="name">{_text(chance, 4)}</h2>'
        '<time property="startDate" datetime="2024-05-01T20:00">tonight</time>'
        f'<div property="location" typeof="Place"><b property="name">{_text(chance, 2)}</b>'
        f'<a property="url" href="/place/{number}">where</a></div></div>'
        for number in range(12)
    )
    return f'<section vocab="http://schema.org/">{events}</section>'
