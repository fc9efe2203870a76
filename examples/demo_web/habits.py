"""A site's habit of markup: which syntax, on which pages. The same habit decides what is written and what is true.

On real sites markup is the host's decision first and the template's second: in the development data a third of
the hosts has none, a third has it on all pages, and the others on some templates or on newer pages only.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .dice import Dice, at_share
from .kinds import KINDS

SYNTAXES = (("jsonld", 0.50), ("microdata", 0.25), ("mf2", 0.09), ("classic", 0.06), ("rdfa", 0.10))
SIZE_SLOPE = 0.45  # log-odds of markup per e-fold of size, as in the synthetic webs: large sites have staff
LAPSES = 0.03  # items that an editor has spoilt, so that they have no markup


class Habit(NamedTuple):
    """``syntax`` is '' for none; ``things`` are the kinds of items that are marked up.

    ``frame``: every page names the site's owner; ``lists``: lists mark up what they list; ``covered``: share of
    the items, newest first, that have markup, for older ones were made with older software; ``broken``: share
    of items whose JSON-LD nobody can read.
    """

    syntax: str = ""
    things: frozenset[str] = frozenset()
    frame: bool = False
    lists: bool = False
    covered: float = 1.0
    broken: float = 0.0
    opengraph: bool = False


def habit_of(kind: str, size: float, luck: float, dice: Dice) -> Habit:
    """``luck`` in [0, 1) decides on markup and syntax, the dice on the rest. ``size`` 1 is the mean of hosts."""
    opengraph = dice.chance(0.35)
    chance = _chance(KINDS[kind].markup, size)
    if luck >= chance:
        return Habit(opengraph=opengraph)
    syntax = at_share(luck / chance, SYNTAXES)
    things = [thing for thing, _ in KINDS[kind].things]
    kept = frozenset(thing for at, thing in enumerate(things) if at == 0 or dice.chance(0.7))
    frame = dice.chance(0.45)
    if frame and dice.chance(0.15):
        kept = frozenset()  # only a theme that names the owner
    return Habit(
        syntax,
        kept,
        frame=frame,
        lists=dice.chance(0.6 if syntax in ("mf2", "classic") else 0.2),
        covered=dice.weighted(((1.0, 0.75), (0.7, 0.15), (0.4, 0.1))),
        broken=0.04 if syntax == "jsonld" and dice.chance(0.25) else 0.0,
        opengraph=opengraph,
    )


def _chance(base: float, size: float) -> float:
    if base <= 0.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-math.log(base / (1.0 - base)) - SIZE_SLOPE * math.log(size)))
