"""From a spec back to the answers of the guided form, and what of the spec they cannot say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from sundog.patterns.definitions import Patterns, StopPattern
from sundog.spec import CrawlSpec
from sundog.spec.tables import table_text
from sundog.web.new.drafts import ENOUGH, spec_by_fields, spec_of_draft
from sundog.web.request_bodies import Draft
from sundog.web.settings import Settings

TYPE = re.compile(r"type:schema:(\w+)")
WORD = r'keyword:(?:"([^",]+)"|([^\s()+>",]+))'
KEYWORDS = re.compile(rf"{WORD}(?: or {WORD})*")
SAID_ELSEWHERE = ("title", "connect_to", "allow_private")  # by a field of its own, or when the server was started


def guided_form(draft: Draft, settings: Settings) -> dict[str, Any]:
    """``fields`` are the form's; ``lost`` are keys that it cannot say, and files. Raises UsageError."""
    spec = spec_of_draft(draft, settings)
    spec = replace(spec, budget=spec.fetches)
    wanted = _wanted(spec.objective)
    patterns, items = _without_enough(spec.patterns) if wanted["want"] == "patterns" else ("", None)
    said: dict[str, Any] = {
        "seeds": list(spec.seeds),
        "budget": spec.budget,
        "delay": spec.delay,
        "stay": spec.extent,
        "warc": spec.warc,
        "items": items,
        "patterns": patterns,
    }
    is_learned = spec.render == "learned"
    answers = Draft(
        objective=spec.objective if wanted["want"] else "any",
        seconds=spec.seconds,
        render="learned" if is_learned else CrawlSpec.render,
        **said,
    )
    about = {"title": spec.title, "owner": draft.owner, "email": draft.email, "webhook": draft.webhook}
    return {
        "fields": {
            **said,
            **wanted,
            **about,
            "render": is_learned,
            "minutes": None if spec.seconds is None else spec.seconds / 60,
        },
        "lost": sorted({*_differences(spec, spec_by_fields(answers)), *draft.files}),
    }


def _wanted(objective: str) -> dict[str, str]:
    """
    >>> _wanted('keyword:tea or keyword:"green tea"')
    {'want': 'keyword', 'type': '', 'keyword': 'tea, green tea'}
    >>> _wanted("type:schema:Recipe")["type"], _wanted("jsonld>=5")["want"]
    ('Recipe', '')
    """
    if found := TYPE.fullmatch(objective):
        return {"want": "type", "type": found[1], "keyword": ""}
    if KEYWORDS.fullmatch(objective):
        words = [quoted or plain for quoted, plain in re.findall(WORD, objective)]
        return {"want": "keyword", "type": "", "keyword": ", ".join(words)}
    return {"want": objective if objective in ("any", "patterns") else "", "type": "", "keyword": ""}


@dataclass(frozen=True)
class _Tables:
    patterns: Patterns = field(default_factory=Patterns)


def _without_enough(patterns: Patterns) -> tuple[str, int | None]:
    """The patterns as TOML, and how many items are enough, if a stop pattern says just that."""
    counting = [each for each in patterns.stop if each == StopPattern(name=ENOUGH, items=each.items)]
    others = tuple(each for each in patterns.stop if each not in counting)
    text = table_text(_Tables(replace(patterns, stop=others))).strip()
    return text, counting[0].items if counting else None


def _differences(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """The keys of two tables that differ."""
    for each in fields(one):
        name, first, second = f"{place}{each.name}", getattr(one, each.name), getattr(other, each.name)
        if first == second or name in SAID_ELSEWHERE:
            continue
        if is_dataclass(first) and name != "patterns":
            yield from _differences(first, second, f"{name}.")
        elif isinstance(first, Mapping):
            yield from (f"{name}.{key}" for key in {*first, *second} if first.get(key) != second.get(key))
        else:
            yield name
