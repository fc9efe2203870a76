"""What may go wrong with a visit of a known page. Each aspect is tested by itself, against its own past.

A visit that is wrong in one of them says nothing of those behind it: a page that did not come has lost no markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sundog.fetch.values import NO_ANSWER
from sundog.results.health.chance import HARDLY_EVER, USUAL, Past
from sundog.results.health.evidence import MISSING, Visit

TOO_MANY = 429
NOT_ADMITTED = (401, 402, 403, 407, TOO_MANY, 451)
DROP = 0.2  # of visits that are wrong: less is none that anybody has to look at
ANSWERS, SITEMAP, MARKUP, LISTS = "answers", "sitemap", "markup", "lists"
PROPERTY, PATTERN = "property ", "pattern "  # and its name


class Aspect(NamedTuple):
    """``first`` is what is expected where nothing is known, ``least`` the share of visits that is a drop."""

    name: str
    is_wrong: Callable[[Visit], bool]
    first: Past = USUAL
    least: float = DROP


def forbidden(visit: Visit) -> bool:
    """Not where a redirect led: a form to log in is forbidden as a rule."""
    return visit.trouble == "robots" and "forbidden" in visit.reason and not visit.led_to


def asked_too_often(visit: Visit) -> bool:
    return not visit.came and (visit.status == TOO_MANY or visit.trouble == "rate-limited")


def not_admitted(visit: Visit) -> bool:
    return not visit.came and (visit.status in NOT_ADMITTED or "a challenge" in visit.reason)


def no_answer(visit: Visit) -> bool:
    return not visit.came and visit.trouble in (*NO_ANSWER, "robots") and not visit.led_to


def moved(visit: Visit) -> bool:
    return bool(visit.led_to) or (not visit.came and visit.trouble.startswith("redirect-"))


def missing(visit: Visit) -> bool:
    return visit.status in MISSING and not visit.came


def _lost_markup(visit: Visit) -> bool:
    lost = visit.lost
    return lost is not None and bool(lost.types or lost.syntaxes)


ASPECTS = (
    Aspect("allowed", forbidden, HARDLY_EVER),
    Aspect("pace", asked_too_often, HARDLY_EVER, least=0.05),
    Aspect("admitted", not_admitted),
    Aspect(ANSWERS, no_answer),
    Aspect("place", moved),
    Aspect("there", missing),
    Aspect(MARKUP, _lost_markup),
    Aspect(LISTS, lambda visit: "links" in visit.signs),
)
BY_NAME = {aspect.name: aspect for aspect in ASPECTS}
ORDER = {aspect.name: place for place, aspect in enumerate(ASPECTS)}


def aspect_of(name: str) -> Aspect:
    """Also of a property, a pattern or the sitemaps."""
    if name == SITEMAP:
        return Aspect(name, lambda visit: visit.lost_sitemap, HARDLY_EVER)
    return BY_NAME.get(name) or Aspect(name, lambda visit: name in lost_names(visit))


def order_of(name: str) -> int:
    """What is behind is explained by what is before, on the same pages."""
    return ORDER.get(name, len(ORDER) + name.startswith(PROPERTY))


def judged(visit: Visit) -> Iterator[tuple[str, bool]]:
    """The aspects that the visit says something of, and whether it is wrong. Of lists, only lists do; a page that
    never came says whether the server answers: links may be wrong, or lead to what is not for us."""
    if not visit.was_there:
        yield ANSWERS, no_answer(visit)
        return
    for aspect in ASPECTS:
        is_wrong = aspect.is_wrong(visit)
        if is_wrong or visit.is_list or aspect.name != LISTS:
            yield aspect.name, is_wrong
        if is_wrong:
            return


def lost_names(visit: Visit) -> list[str]:
    """Patterns that match nothing any more, and properties that the page has lost while it kept its types."""
    names = [f"{PATTERN}{name}" for name in visit.signs.get("patterns", ())]
    lost = visit.lost
    if lost is not None:
        names += [f"{PATTERN}{name}" for name in lost.patterns]
        if not (lost.types or lost.syntaxes):
            names += [f"{PROPERTY}{iri}" for iri in lost.properties]
    return names


def had_names(visit: Visit) -> set[str]:
    """Properties and patterns that a page had before it changed."""
    if visit.before is None:
        return {f"{PATTERN}{name}" for name in visit.signs.get("patterns", ())}
    of_patterns = {f"{PATTERN}{name}" for name in visit.before.patterns}
    return of_patterns | {f"{PROPERTY}{iri}" for iri in visit.before.properties}
