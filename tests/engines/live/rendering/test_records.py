"""What is learned about rendering, without a browser: templates that need it, and templates that do not."""

from __future__ import annotations

import pytest

from sundog.engines.live.rendering.records import Plain, RenderRecords
from sundog.engines.live.rendering.signs import sign_of

PRICE = 50.0
SIGNS = ("empty shell", "framework", "tag manager", "scripts")


def crawl(records: RenderRecords, page: Plain, gain: float, pages: int) -> list[bool]:
    """So many pages of one template; whether each was rendered."""
    chosen = []
    for _ in range(pages):
        choice = records.choose(page, PRICE, 0.0)
        records.learn(page, choice.render, choice.is_check, gain if choice.render else None)
        chosen.append(choice.render)
    return chosen


@pytest.mark.parametrize("sign", SIGNS[:3])
def test_a_template_that_needs_it_is_rendered(sign: str) -> None:
    chosen = crawl(RenderRecords(), Plain("a.test/item/#", sign, 0.0), 1.0, 300)
    assert all(chosen)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_template_that_needs_none_is_left_alone_after_a_few_pages(sign: str) -> None:
    chosen = crawl(RenderRecords(), Plain("a.test/item/#", sign, 0.0), 0.0, 1_000)
    assert sum(chosen[30:]) <= 0.03 * 970
    assert sum(chosen) < 60


def test_what_has_no_scripts_is_never_rendered() -> None:
    assert not any(crawl(RenderRecords(), Plain("a.test/", "nothing to run", 0.0), 0.0, 5_000))


def test_templates_of_one_host_do_not_outvote_each_other_by_their_pages() -> None:
    """A hundred articles say less of an item than three templates do."""
    records = RenderRecords()
    crawl(records, Plain("a.test/blog/#", "tag manager", 0.0), 0.0, 500)
    assert records.choose(Plain("a.test/item/#", "tag manager", 0.0), PRICE, 0.0).render


def test_a_site_that_changes_is_found_out() -> None:
    records = RenderRecords()
    others = Plain("b.test/item/#", "empty shell", 0.0)
    page = Plain("a.test/item/#", "tag manager", 0.0)
    crawl(records, page, 0.0, 200)
    crawl(records, others, 1.0, 500)  # a crawl that can afford a check now and then
    chosen = crawl(records, page, 1.0, 2_000)
    assert any(chosen)
    assert all(chosen[-500:])
    crawl(records, page, 0.0, 300)
    assert not records.choose(page, PRICE, 0.0).render


def test_a_price_must_be_worth_it() -> None:
    records = RenderRecords()
    page = Plain("a.test/item/#", "empty shell", 0.0)
    crawl(records, page, 1.0, 50)
    assert records.choose(page, PRICE, fetch_worth=0.015).render
    dear = records.choose(page, PRICE, fetch_worth=0.1)
    assert not dear.render
    assert dear.why == "not rendered: 0.991 more is expected, and 5 is worth the price"


@pytest.mark.parametrize(
    ("page", "sign"),
    [
        (b"<p>Only text.", "nothing to run"),
        (b"<p>Data.<script type=application/ld+json>{}</script>", "nothing to run"),
        (b"<div id=app></div><script src=/js/app.js></script>", "empty shell"),
        (
            b"<noscript>You need to enable JavaScript</noscript><p>Loading the shop ...<script>x</script>",
            "empty shell",
        ),
        (b"<div id=__next><p>" + b"Text. " * 99 + b"</div><script src=/a.js></script>", "framework"),
        (b"<p>" + b"Text. " * 99 + b"<script src=//www.googletagmanager.com/gtm.js></script>", "tag manager"),
        (b"<p>" + b"Text. " * 99 + b"<script src=/jquery.js></script>", "scripts"),
        (b"<script>" * 100_000, "empty shell"),
    ],
)
def test_signs(page: bytes, sign: str) -> None:
    assert sign_of(page) == sign
