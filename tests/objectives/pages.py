"""Pages as a crawl sees them, made of what would stand in their JSON-LD."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from sundog.extract import extract
from sundog.objectives import Judgement, PageView, parse_objective

RECIPE = {"@type": "Recipe", "name": "Kouign-amann", "recipeYield": "8"}
CAKE = {"@type": "Recipe", "name": "Far breton"}
NEWS = {"@type": "NewsArticle", "headline": "A storm"}


def html_page(url: str, html: str, text: str = "") -> PageView:
    found = extract(html.encode(), base=url)
    return PageView(url, found.counts, found.types, found.by_syntax, text)


def page(*items: dict[str, Any], url: str = "http://a.example/", text: str = "") -> PageView:
    document = orjson.dumps({"@context": "https://schema.org", "@graph": items}).decode()
    return html_page(url, f'<script type="application/ld+json">{document}</script>', text)


def judged(text: str, pages: Iterable[PageView], **options: Any) -> list[Judgement]:
    judge = parse_objective(text, **options).judge()
    try:
        return [judge(each) for each in pages]
    finally:
        judge.close()


def rewards(text: str, *pages: PageView, **options: Any) -> list[float]:
    return [each.reward for each in judged(text, pages, **options)]
