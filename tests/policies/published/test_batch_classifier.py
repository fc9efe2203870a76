"""The batch classifier: what comes first before it is trained, and what the training changes."""

from __future__ import annotations

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.policies.published.batch_classifier import LinkModel, words_of

SITE = "http://a.example"


def crawl(budget: int, retrain: int) -> list[Decision]:
    """A list of products and news, in turn; pages with 7 lead to related ones, a product to products."""
    names = [f"{SITE}/{kind}/{i}" for i in range(100) for kind in ("product", "news")]
    session = CrawlSession(policy="batch-classifier", budget=budget, seed=1, retrain=retrain)
    session.add([f"{SITE}/"])
    chosen = []
    while isinstance(decision := session.next_decision(), Decision):
        url = decision.url
        links = [Link(name, anchor="more") for name in names] if url == f"{SITE}/" else []
        if url.endswith("7"):
            links = [Link(f"{url}/{one}", anchor="related") for one in "xyz"]
        session.observe(decision, Fetched(float("/product/" in url), links))
        chosen.append(decision)
    return chosen


def test_until_it_is_trained_links_of_wanted_pages_come_first() -> None:
    urls = [decision.url for decision in crawl(40, 500)]
    seventh = urls.index(f"{SITE}/product/7")
    assert sorted(urls[seventh + 1 : seventh + 4]) == [f"{SITE}/product/7/{one}" for one in "xyz"]
    others = [url for url in urls if url.count("/") == 4]
    assert others == [f"{SITE}/{kind}/{i}" for i in range(20) for kind in ("product", "news")][: len(others)]


def test_then_its_words_decide_and_all_that_waits_is_rated_again() -> None:
    chosen = crawl(90, 30)
    assert 10 < sum("/product/" in decision.url for decision in chosen[:30]) < 25
    later = [decision.url for decision in chosen[30:]]
    assert all("/product/" in url for url in later)
    assert all(decision.estimate > 0.5 for decision in chosen[30:])


def test_words_that_occur_once_do_not_count() -> None:
    examples = [words_of(text, url) for text, url in (("buy rare", f"{SITE}/p/1"), ("buy", f"{SITE}/p/2"))]
    others = [words_of("read", f"{SITE}/n/{i}") for i in range(2)]
    model = LinkModel([*examples, *others], [True, True, False, False])
    known, odd, bad = model.chances([words_of(text, f"{SITE}/z") for text in ("buy", "buy rare", "read")]).tolist()
    assert known == odd > 0.5 > bad
