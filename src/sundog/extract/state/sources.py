"""Where frameworks leave their state: scripts of type application/json, assignments to globals, attributes.

Which ones: ``__NEXT_DATA__`` and the stream of Next's app router, ``__NUXT__`` and ``__NUXT_DATA__``, Apollo's
cache, the stores of Redux, Vuex and Pinia, Angular's transfer state, islands of Astro, pages of Inertia, props of
components on servers. Settings of content managers (WordPress, Drupal) come in such scripts, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from json import JSONDecoder
from typing import Any, Final

import orjson

from sundog.extract.dom import Document
from sundog.extract.guards import Report, TimeBox
from sundog.extract.state.encodings import from_astro, from_devalue, from_flight
from sundog.extract.state.literals import read_literal

JSON_TYPE: Final = "application/json"
# Settings, of which there is one on every page of these content managers.
_SETTINGS: Final = ("wp-", "drupal-settings", "__config", "wpml", "elementor")
_SCRIPTS: Final = f'script[type="{JSON_TYPE}"], script:not([src])'
_GLOBAL = re.compile(
    r"\b(?:window|self|globalThis|global)\s*+(?:\.\s*+|\[\s*+[\"'])"
    r"([\w$]++)(?:[\"']\s*+\])?\s*+=\s*+(?=[({\[\"'`J])"
)
_IS_STATE = re.compile(r"nuxt|apollo|state|props|store|hydrat|preload|initial|redux|remixcontext|pagedata", re.I)
_FLIGHT = re.compile(r'\bself\.__next_f\.push\(\[1,("(?:[^"\\]++|\\.)*+")\]\)')
_ATTRIBUTES: Final = ("data-page", "data-props", "data-react-props", "data-state", "data-store", "data-product")
_WITH_ATTRIBUTES: Final = ", ".join((*(f"[{name}]" for name in _ATTRIBUTES), "astro-island[props]"))
LEAST: Final = 20  # characters: less holds no thing
MOST_ATTRIBUTES: Final = 500
MOST_GLOBALS: Final = 50  # of a page
_decode = JSONDecoder(strict=False).raw_decode


def find_state(document: Document, box: TimeBox, report: Report) -> Iterator[Any]:
    """Decoded values, in the order of the page; scripts first."""
    flight: list[str] = []
    left = MOST_GLOBALS
    for script in document.parsed.select(_SCRIPTS):
        box.check()
        kind = script.attr("type") or ""
        if kind == JSON_TYPE:
            yield from _read("script", partial(_json_script, script), report)
        elif kind in ("", "text/javascript", "module"):
            text = script.text
            if "window" in text or "self" in text or "global" in text:
                for value in _globals(text, left, box, report):
                    left -= 1
                    yield value
                if "__next_f" in text:
                    flight += [orjson.loads(match[1]) for match in _FLIGHT.finditer(text) if _is_json(match[1])]
    if flight:
        yield from from_flight("".join(flight), box)
    for node in document.parsed.select(_WITH_ATTRIBUTES)[:MOST_ATTRIBUTES]:
        box.check()
        yield from _attributes(node, report)


def _is_json(text: str) -> bool:
    try:
        orjson.loads(text)
    except ValueError:
        return False
    return True


def _read(where: str, decode: Callable[[], Any], report: Report) -> Iterator[Any]:
    """What breaks costs itself only."""
    try:
        value = decode()
    except RecursionError:
        report(f"{where}: nested too deeply")
    except ValueError as error:
        report(f"{where}: {error}"[:200])
    else:
        if isinstance(value, (dict, list)) and value:
            yield value


def _json_script(script: Any) -> Any:
    attrs = script.attrs
    name = f"{attrs.get('id', '')} {attrs.get('data-drupal-selector', '')}"
    if any(word in name for word in _SETTINGS):
        return None
    text = script.text
    if len(text) < LEAST:
        return None
    value = orjson.loads(text)
    return from_devalue(value) if "__NUXT_DATA__" in name or "data-nuxt-data" in attrs else value


def _globals(text: str, most: int, box: TimeBox, report: Report) -> Iterator[Any]:
    position = 0
    for place in _places(text, "window", "self", "global"):
        match = _GLOBAL.match(text, place) if place >= position else None
        if match is None:
            continue
        box.check()
        position = match.end()
        if not _IS_STATE.search(match[1]):
            continue
        if most <= 0:
            break
        most -= 1

        def decode(begin: int = position) -> Any:
            nonlocal position
            try:
                value, position = _decode(text, begin)
            except ValueError:
                value, position = read_literal(text, begin, box)
            return orjson.loads(value) if isinstance(value, str) and value[:1] in ("{", "[") else value

        yield from _read(match[1][:50], decode, report)


def _places(text: str, *words: str) -> list[int]:
    """Where any of the words stands, in order: to look for them so takes a tenth of what the expression does."""
    found: list[int] = []
    for word in words:
        place = text.find(word)
        while place >= 0:
            found.append(place)
            place = text.find(word, place + 1)
    found.sort()
    return found


def _attributes(node: Any, report: Report) -> Iterator[Any]:
    is_island = node.tag == "astro-island"
    for name in ("props",) if is_island else _ATTRIBUTES:
        text = node.attrs.get(name)
        if not isinstance(text, str) or len(text) < LEAST or text.lstrip()[:1] not in ("{", "["):
            continue

        def decode(text: str = text) -> Any:
            value = orjson.loads(text)
            return from_astro(value) if is_island else value

        yield from _read(name, decode, report)
