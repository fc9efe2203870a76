"""The rule by which crawlee's adaptive crawler chooses between a plain fetch and a browser: its own class."""

from __future__ import annotations

import random
from typing import NamedTuple


class Prediction(NamedTuple):
    """``compares``: both are done, and their results compared."""

    renders: bool
    compares: bool


class CrawleeRule:
    """A page that it believes needs a browser is rendered; at its recommended share both are done and compared."""

    def __init__(self, seed: int) -> None:
        from crawlee.crawlers._adaptive_playwright._rendering_type_predictor import DefaultRenderingTypePredictor

        self._predictor = DefaultRenderingTypePredictor()
        self._dice = random.Random(seed)
        self._is_begun = False

    async def begin(self) -> None:
        """Before all else; once is enough."""
        if not self._is_begun:
            self._is_begun = True
            await self._predictor.initialize()

    def predict(self, url: str) -> Prediction:
        from crawlee import Request

        found = self._predictor.predict(Request.from_url(url))
        compares = self._dice.random() < found.detection_probability_recommendation
        return Prediction(compares or found.rendering_type == "client only", compares)

    def learn(self, url: str, needs_browser: bool) -> None:
        """From a comparison."""
        from crawlee import Request

        self._predictor.store_result(Request.from_url(url), "client only" if needs_browser else "static")
