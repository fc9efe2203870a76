"""What is learned about rendering, without a browser: templates that need it, and templates that do not."""

from __future__ import annotations

import pytest

from sundog.engines.live.rendering.passed_over import PassedOver
from sundog.engines.live.rendering.records import Plain, RenderRecords
from sundog.engines.live.rendering.signs import FIRST_PAGES, ONE_IN, Signs, sign_of

PRICE = 50.0
SIGNS = ("empty shell", "framework", "tag manager", "scripts")


def crawl(records: RenderRecords, page: Plain, gain: float, pages: int) -> list[bool]:
    """So many pages of one template; whether each was rendered."""
    chosen = []
    for _ in range(pages):
        choice = records.choose(page, PRICE, 0.0)
        records.learn(page, choice.render, gain if choice.render else None)
        chosen.append(choice.render)
    return chosen


@pytest.mark.parametrize(("sign", "first"), [("empty shell", 0), ("framework", 2), ("tag manager", 9)])
def test_a_template_that_needs_it_is_rendered(sign: str, first: int) -> None:
    """A tag manager says little, so its host must have several pages to be looked at; they come again."""
    records, page, passed_over = RenderRecords(), Plain("a.test/item/#", sign, 0.0), PassedOver()
    chosen = crawl(records, page, 1.0, 300)
    assert chosen.index(True) == first
    assert all(chosen[first:])
    for number, was_rendered in enumerate(chosen):
        if not was_rendered:
            passed_over.add(page, number)
    assert passed_over.like(Plain("a.test/item/#", sign, 1.0)) == []
    again = passed_over.like(page)
    assert again == list(range(chosen.index(True)))
    passed_over.take(page)
    assert passed_over.like(page) == []
    assert all(crawl(records, page, 1.0, len(again)))


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
    assert any(crawl(records, Plain("a.test/item/#", "tag manager", 0.0), 1.0, 10))


def test_where_a_host_gives_its_data_plainly_less_is_expected_of_a_browser() -> None:
    records = RenderRecords()
    page = Plain("a.test/blog/#", "framework", 0.0)
    assert records.chance(page) == pytest.approx(0.3)
    crawl(records, Plain("a.test/item/#", "framework", 1.0), 0.0, 1)
    assert records.chance(page) == pytest.approx(0.06)
    assert records.chance(Plain("b.test/blog/#", "framework", 0.0)) == pytest.approx(0.3)


def test_a_sign_that_most_hosts_with_plain_data_have_is_looked_at_later() -> None:
    """A browser's start costs more than a small crawl; on the host's next pages there may be data, too."""
    records = RenderRecords()
    for n in range(9):
        crawl(records, Plain(f"h{n}.test/item/#", "tag manager", 1.0), 0.0, 20)
    chosen = crawl(records, Plain("a.test/list/#", "tag manager", 0.0), 0.0, 100)
    assert not any(chosen)
    shells = Plain("b.test/item/#", "empty shell", 0.0)
    assert crawl(records, shells, 1.0, 5) == [True] * 5


@pytest.mark.parametrize("templates", [5, 50])
def test_looks_in_vain_at_one_kind_of_pages_do_not_keep_others_from_being_looked_at(templates: int) -> None:
    records = RenderRecords()
    for n in range(templates):
        crawl(records, Plain(f"h{n}.test/blog/#", "framework", 0.0), 0.0, 20)
    assert any(crawl(records, Plain("a.test/item/#", "tag manager", 0.0), 1.0, 20))


def test_where_nothing_needs_it_next_to_nothing_is_looked_at() -> None:
    """However many templates there are, and however promising they look."""
    records = RenderRecords()
    for n in range(100):
        crawl(records, Plain(f"h{n}.test/blog/#", "tag manager", 0.0), 0.0, 200)
        crawl(records, Plain(f"h{n}.test/item/#", "tag manager", 1.0), 0.0, 200)
    assert 1 < records.rendered * PRICE < 0.02 * records.plain


def test_a_look_waits_for_those_that_are_under_way() -> None:
    records, page = RenderRecords(), Plain("a.test/", "empty shell", 0.0)
    assert records.choose(page, PRICE, 0.0).render
    choice = records.choose(page, PRICE, 0.0, looking=50)
    assert not choice.render
    assert choice.why.endswith("but looks are rationed: this template must wait")


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
    assert dear.why == "not rendered: 0.995 more is expected, and 5 is worth the price"


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


def test_of_a_template_only_some_pages_are_looked_at() -> None:
    signs = Signs()
    for _ in range(FIRST_PAGES):
        assert signs.of("a.test/#", b"<p>Only text.") == "nothing to run"
    later = [signs.of("a.test/#", b"<div id=app></div><script src=/js/app.js></script>") for _ in range(ONE_IN)]
    assert later[0] == "nothing to run"
    assert later[-1] == "empty shell"
    assert signs.of("b.test/#", b"<p>" + b"Text. " * 99 + b"<script src=/jquery.js></script>") == "scripts"
