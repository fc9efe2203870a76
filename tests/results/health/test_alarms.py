"""Alarms by plain evidence: chance is left alone, a drop is named in its first round, and ends when it is over."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from sundog.results.health.alarms import Watcher, watch
from sundog.results.health.chance import Past, chance
from sundog.results.health.evidence import Round, Version, Visit

PRODUCT = Version(*map(frozenset, ({"Product"}, {"name Product", "price Product"}, {"jsonld"}, {"items"})))
NOTHING = Version(*[frozenset[str]()] * 4)


def came(number: int, host: str = "a.example") -> Visit:
    return Visit(number, f"http://{host}/product/{number}", "unchanged", 200, "", {})


def failed(visit: Visit, status: int, reason: str) -> Visit:
    return visit._replace(result="failed", status=status, reason=f"{reason}: status {status}")


def changed(visit: Visit, after: Version, **signs: object) -> Visit:
    return visit._replace(result="changed", before=PRODUCT, after=after, signs=signs)


def a_round(number: int, make: Callable[[Visit], Visit] = lambda visit: visit, pages: int = 12) -> Round:
    return Round(number, {"a.example": [make(came(page)) for page in range(pages)]}, {})


def causes(watcher: Watcher) -> list[tuple[str, int, int | None]]:
    return [(alarm.cause.name, alarm.since, alarm.ended) for alarm in watcher.alarms]


def test_healthy_hosts_are_left_alone() -> None:
    """Each host has its own share of visits that fail, and of pages that lose something for a time."""
    rng = random.Random(5)
    alarmed, hosts = 0, 500
    for _ in range(hosts):
        fails, flickers, pages = rng.uniform(0, 0.08), rng.uniform(0, 0.06), rng.randrange(4, 40)

        def visit(visit: Visit, fails: float = fails, flickers: float = flickers) -> Visit:
            if rng.random() < fails:
                return failed(visit, rng.choice((500, 404, 403)), "http")
            after = PRODUCT._replace(properties=frozenset({"name Product"})) if rng.random() < 0.5 else NOTHING
            return changed(visit, after) if rng.random() < flickers else visit

        watcher = watch(a_round(number, visit, pages) for number in range(1, 21))
        alarmed += bool(watcher.alarms)
    assert alarmed <= hosts * 0.01


def test_an_alarm_begins_goes_on_and_ends() -> None:
    def without_markup(visit: Visit) -> Visit:
        return changed(visit, NOTHING)

    back = [came(page)._replace(result="changed", before=NOTHING, after=PRODUCT) for page in range(12)]
    rounds = [a_round(1), a_round(2, without_markup), a_round(3), Round(4, {"a.example": back}, {}), a_round(5)]
    assert causes(watch(rounds[:2])) == [("markup gone", 2, None)]
    assert causes(watch(rounds[:3])) == [("markup gone", 2, None)]  # nothing came back, though nothing changed
    assert causes(watch(rounds)) == [("markup gone", 2, 4)]


def test_a_lost_property_is_told_from_lost_markup() -> None:
    less = PRODUCT._replace(properties=frozenset({"name Product"}))
    watcher = watch([a_round(1), a_round(2, lambda visit: changed(visit, less))])
    assert causes(watcher) == [("property lost", 2, None)]
    assert watcher.alarms[0].key.aspect == "property price Product"
    assert causes(watch([a_round(1), a_round(2, lambda visit: changed(visit, less)), a_round(3)])) == [
        ("property lost", 2, None)
    ]


def test_a_pattern_that_stops_matching_is_named() -> None:
    less = PRODUCT._replace(patterns=frozenset())
    assert causes(watch([a_round(1), a_round(2, lambda visit: changed(visit, less))])) == [
        ("pattern stopped matching", 2, None)
    ]
    by_links = watch([a_round(1), a_round(2, lambda visit: visit._replace(signs={"patterns": ["next"]}))])
    assert causes(by_links) == [("pattern stopped matching", 2, None)]


def test_markup_that_went_with_its_list() -> None:
    """A page that has its menu still, and no list any more, has lost what was marked up in the list."""

    def emptied(visit: Visit) -> Visit:
        return changed(visit, NOTHING, links=[40, 12])._replace(is_list=True)

    assert causes(watch([a_round(1), a_round(2, emptied)])) == [("empty lists", 2, None)]


def test_too_many_requests_are_our_doing_only_if_others_came() -> None:
    def limited(visit: Visit) -> Visit:
        return failed(visit, 429, "rate-limited") if visit.candidate % 3 else visit

    def always(visit: Visit) -> Visit:
        return failed(visit, 429, "rate-limited")

    assert causes(watch([a_round(1), a_round(2, limited)])) == [("rate limited", 2, None)]
    assert causes(watch([a_round(1), a_round(2, always)])) == [("blocked", 2, None)]


def test_robots_txt_that_cannot_be_had_again_and_again_is_a_server_error() -> None:
    robots = Visit(-1, "http://a.example/robots.txt", "failed", 503, "http-5xx: status 503", {})
    healthy = [a_round(number) for number in range(1, 5)]
    once, often = (Round(5, {}, {"a.example": [robots] * times}) for times in (1, 3))
    assert causes(watch([*healthy, once])) == []
    assert causes(watch([*healthy, often])) == [("server errors", 5, None)]


def test_new_pages_say_whether_the_server_answers() -> None:
    """A host is left alone after a few errors, whatever pages they were of; links may well be wrong."""
    new = [came(page)._replace(was_there=False) for page in range(100, 103)]
    known = [failed(came(page), 500, "http-5xx") for page in range(2)]
    failing = [failed(visit, 500, "http-5xx") for visit in new]
    missing = [failed(visit, 404, "http-4xx") for visit in new]
    healthy = [a_round(1), a_round(2)]
    assert causes(watch([*healthy, Round(3, {"a.example": known}, {})])) == []
    assert causes(watch([*healthy, Round(3, {"a.example": [*known, *failing]}, {})])) == [
        ("server errors", 3, None)
    ]
    assert causes(watch([*healthy, Round(3, {"a.example": [came(1), *missing]}, {})])) == []


def test_a_host_that_never_answered_has_no_past() -> None:
    dead = [failed(came(page)._replace(was_there=False), 500, "http-5xx") for page in range(9)]
    watcher = watch(Round(number, {"a.example": dead}, {}) for number in (1, 2))
    assert (watcher.hosts, causes(watcher)) == (set(), [])


def test_what_failed_always_is_no_news() -> None:
    def half(visit: Visit) -> Visit:
        return failed(visit, 500, "http-5xx") if visit.candidate % 2 else visit

    watcher = watch(a_round(number, half) for number in range(1, 9))
    assert len(watcher.alarms) <= 1  # in the first round nothing is known of it
    assert all(alarm.since == 1 for alarm in watcher.alarms)


def test_a_page_that_fails_again_is_no_news() -> None:
    """Some that always fail may go first, and then their host is left alone for the rest of the round."""
    down = [failed(came(page), 500, "http-5xx") for page in range(5)]
    again = [visit._replace(had_failed=True) for visit in down]
    rounds = [a_round(number, pages=150) for number in (1, 2)]
    for last, expected in ((again, []), (down, [("server errors", 3, None)])):
        assert causes(watch([*rounds, Round(3, {"a.example": [came(9), *last]}, {})])) == expected
    still = [Round(number, {"a.example": again}, {}) for number in (4, 5)]
    watcher = watch([*rounds, Round(3, {"a.example": down}, {}), *still])
    assert [(alarm.since, alarm.round, alarm.ended) for alarm in watcher.alarms] == [(3, 5, None)]


@given(st.integers(1, 60), st.data(), st.floats(0, 50), st.floats(0, 500))
def test_a_chance_is_one_and_falls_with_what_is_wrong(
    number: int, data: st.DataObject, bad: float, good: float
) -> None:
    wrong = data.draw(st.integers(0, number))
    past = Past(bad, good)
    here, worse = chance(wrong, number, past), chance(min(number, wrong + 1), number, past)
    assert 0.0 <= worse <= here <= 1.0
    assert chance(wrong, number, Past(bad + 5, good)) >= here - 1e-12
