"""Keywords: f(x) = 1 + log x of pages and of links, with word forms or without."""

from __future__ import annotations

import pickle
from math import log

import pytest

from sundog.engines.live.pages.reading import read
from sundog.errors import UsageError
from sundog.model import Link
from sundog.objectives import PageView, parse_objective
from sundog.scope.link_filter import LinkFilter
from sundog.scope.scope import Scope

FAR_AWAY = "x " * 60  # more than a hundred characters


def link_scores(body: str, objective: str, head: str = "") -> list[float]:
    page = f"<!doctype html>{head}<body>{body}".encode()
    score = parse_objective(objective).text_score
    reading = read(page, "http://a.example/", "text/html", max_bytes=10**6, with_text=True, text_score=score)
    return [link.score for link in reading.links]


def test_a_link_is_scored_by_what_stands_around_it() -> None:
    body = f"<p>Bretagne, bretagne: <a href=/1>la BRETAGNE</a> et la Bretagne {FAR_AWAY}<a href=/2>rien</a>"
    assert link_scores(body, "keyword:bretagne") == [pytest.approx(1 + log(4)), 0.0]


def test_a_hundred_characters_count_and_no_more() -> None:
    near, far = "bretagne " + "y" * 90, "bretagne " + "y" * 92
    body = f"<p>{near} <a href=/1>a</a>{FAR_AWAY}<p>{far} <a href=/2>b</a>"
    assert link_scores(body, "keyword:bretagne") == [1.0, 0.0]


def test_several_keywords_count_together() -> None:
    body = "<p>Bretagne <a href=/1>Brittany</a> Breizh"
    assert link_scores(body, "keyword:bretagne,brittany") == [pytest.approx(1 + log(2))]


def test_pages_earn_by_the_same_function() -> None:
    judge = parse_objective("keyword:bretagne").judge()
    pages = [PageView("http://a.example/", {}, [], {}, "bretagne " * times) for times in (0, 1, 5)]
    assert [judge(page).reward for page in pages] == [0.0, 1.0, pytest.approx(1 + log(5))]


def test_joined_objectives_score_by_those_parts_that_can() -> None:
    assert parse_objective("type:schema:Recipe or jsonld").text_score is None
    assert parse_objective("not keyword:a").text_score is None
    both = parse_objective("jsonld and keyword:a and (keyword:b or any)").text_score
    assert both is not None
    assert both("a a b", "") == 1.0
    assert both("a a", "") == 0.0


def test_a_worker_can_be_given_the_score() -> None:
    score = pickle.loads(pickle.dumps(parse_objective("keyword~fr:pêcheur and jsonld").text_score))
    assert score("des pêcheurs", "") == 1.0


def test_of_links_to_one_page_the_highest_score_counts() -> None:
    links = [Link("http://a.example/b#x", "first", score=1.0), Link("http://a.example/b", "second", score=2.0)]
    admitted = LinkFilter(Scope(), nofollow=True).admit(links, 1)
    assert [(link.anchor, link.score) for link in admitted] == [("first", 2.0)]


@pytest.mark.parametrize(
    ("objective", "language", "text", "count"),
    [
        ("keyword:fisher", "en", "fishers fish", 0),
        ("keyword~:crawlers", "en", "A crawler; crawlers, CRAWLER!", 3),
        ("keyword~:crawlers", "", "A crawler; crawlers", 1),
        ("keyword~:crawlers", "fr", "crawling", 0),
        ("keyword~fr:pêcheur", "en", "les pêcheurs bretons", 1),
        ("keyword~fr:pêcheur breton", "", "les pêcheurs bretons", 1),
        ("keyword~en:+", "", "a + b", 0),
        ("keyword~:crawlers", "xx-invalid", "crawlers", 1),
        ("keyword~:crawlers", "en_GB", "crawler " + "y" * 10_000, 1),
    ],
)
def test_stems(objective: str, language: str, text: str, count: int) -> None:
    head, _, words = objective.partition(":")
    judge = parse_objective(f'{head}:"{words}"').judge()
    reward = judge(PageView("http://a.example/", {}, [], {}, text, language)).reward
    assert reward == pytest.approx(1 + log(count) if count else 0.0)


def test_links_are_stemmed_in_the_pages_language() -> None:
    body = "<p>les pêcheurs <a href=/1>ici</a>"
    assert link_scores(body, "keyword~:pêcheur", "<html lang=fr>") == [1.0]
    assert link_scores(body, "keyword~:pêcheur") == [0.0]


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(UsageError, match="no stemmer knows the language 'frr'; did you mean 'fr'"):
        parse_objective("keyword~frr:a")
