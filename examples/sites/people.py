"""The facts of the music site: who likes whom and what, drawn once by fixed dice."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from examples.demo_web.dice import Dice

FIRST = "anna ben clara david ella felix greta henri ida jonas klara linus mona nils olga paul".split()
SECOND = "bird cloud drum echo field".split()
SOUND = "Amber Blue Crystal Distant Electric Falling Golden Hidden Iron Juniper Kinetic Lunar".split()
BAND = ("Harbour", "Parade", "Owls", "Choir", "Machine", "Rivers", "Signal", "& Sons")
START = "annabird"


class Person(NamedTuple):
    name: str
    friends: tuple[str, ...]
    artists: tuple[str, ...]


ARTISTS = tuple(f"{sound} {band}" for sound in SOUND for band in BAND)
NAMES = tuple(first + second for first in FIRST for second in SECOND)


@cache
def people() -> dict[str, Person]:
    """Friendship is mutual; some artists are everybody's, most are somebody's."""
    friends: dict[str, list[str]] = {name: [] for name in NAMES}
    dice = Dice(2010)
    for name in NAMES:
        for _ in range(14 if name == START else dice.between(1, 4)):
            other = dice.pick(NAMES)
            if other != name and other not in friends[name]:
                friends[name].append(other)
                friends[other].append(name)
    return {name: Person(name, tuple(friends[name]), _taste(Dice(7, at))) for at, name in enumerate(NAMES)}


def _taste(dice: Dice) -> tuple[str, ...]:
    wanted = dice.between(3, 26)
    liked = [ARTISTS[min(dice.below(len(ARTISTS)), dice.below(len(ARTISTS)))] for _ in range(wanted)]
    return tuple(dict.fromkeys(liked))


def fans(start: str = START) -> dict[str, list[str]]:
    """The truth of the example: artist → who likes it, among ``start`` and the friends of ``start``."""
    everybody = people()
    liked: dict[str, list[str]] = {}
    for name in (start, *everybody[start].friends):
        for artist in everybody[name].artists:
            liked.setdefault(artist, []).append(name)
    return {artist: sorted(names) for artist, names in sorted(liked.items())}
