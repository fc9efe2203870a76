"""What Sundog asks of every plug-in, asked of these."""

from __future__ import annotations

from sundog_example.export import URLS
from sundog_example.extractor import HIGHWIRE
from sundog_example.policy import AnchorWords

from sundog.checks import check_export, check_extractor, check_objective, check_policy
from sundog.objectives import PageView, parse_objective

PAGES = [PageView(f"http://a.example/{code}", {}, [], {}, "", code) for code in ("fr-CA", "en", "fr")]


def test_the_policy() -> None:
    check_policy(AnchorWords)


def test_the_objective_by_its_name() -> None:
    check_objective(parse_objective("language:fr and not jsonld"), PAGES)


def test_the_extractor() -> None:
    check_extractor(HIGHWIRE, [b'<meta name="citation_title" content="On graphs"><p>text', b"<p>nothing"])


def test_the_export_format() -> None:
    check_export(URLS)
