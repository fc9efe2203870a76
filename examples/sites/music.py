"""music.example: profiles show a few friends and artists; "see more" leads to paginated lists of all of them.

Who likes whom and what is drawn by fixed dice.
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import NamedTuple
from urllib.parse import quote_plus, unquote_plus

from sundog.demo_web.dice import Dice

from .answer import NOT_FOUND, ROBOTS, Answer, items, link, page, page_number, pager

HOST = "music.example"
SHOWN = 6  # friends and artists on a profile
PER_PAGE = 8
FIRST = "anna ben clara david ella felix greta henri ida jonas klara linus mona nils olga paul".split()
SECOND = "bird cloud drum echo field".split()
NAMES = tuple(first + second for first in FIRST for second in SECOND)
START = "annabird"
SOUND = "Amber Blue Crystal Distant Electric Falling Golden Hidden Iron Juniper Kinetic Lunar".split()
BAND = ("Harbour", "Parade", "Owls", "Choir", "Machine", "Rivers", "Signal", "& Sons")
ARTISTS = tuple(f"{sound} {band}" for sound in SOUND for band in BAND)


class Music:
    """Every answer is a function of path and query. ``size`` is that of ``people``."""

    def __init__(self, size: Size | None = None) -> None:
        self._size = size or SMALL
        self._people = people(self._size)

    def answer(self, path: str, query: str) -> Answer:
        parts = [unquote_plus(part) for part in path.strip("/").split("/")]
        match parts:
            case ["robots.txt"]:
                return ROBOTS
            case [""]:
                return framed("Listen", "<h1>Listen together</h1>" + items(map(user_link, self._people)))
            case ["user", name] if name in self._people:
                return profile_page(self._people[name])
            case ["user", name, "friends" | "artists" as what] if name in self._people:
                return list_page(self._people[name], what, page_number(query))
            case ["music", artist] if artist in self._size.artists:
                return artist_page(artist, self._size)
        return NOT_FOUND


def user_link(name: str) -> str:
    return link(f"/user/{name}", name, 'class="user-link"')


def artist_link(artist: str) -> str:
    return link(f"/music/{quote_plus(artist)}", artist, 'class="artist-link"')


def framed(title: str, body: str) -> Answer:
    menu = items([link("/", "Home"), link("/charts", "Charts"), link("/login", "Log in", 'rel="nofollow"')])
    return page(f"{title} | Music", f'<header class="site">{menu}</header>\n<main>{body}</main>')


def profile_page(person: Person) -> Answer:
    name = person.name
    sections = (
        section("friends", f"Friends of {name}", [user_link(friend) for friend in person.friends], name),
        section("artists", "Top artists", [artist_link(artist) for artist in person.artists], name),
    )
    body = f'<div class="profile" data-user="{name}"><h1 class="header-title">{name}</h1>{"".join(sections)}</div>'
    return framed(name, body)


def section(what: str, title: str, links: list[str], name: str) -> str:
    """The first few, and a link to the others if there are any."""
    more = link(f"/user/{name}/{what}", "See more", 'class="more-link"') if len(links) > SHOWN else ""
    return f'<section class="{what}"><h2>{escape(title)}</h2>{items(links[:SHOWN])}{more}</section>\n'


def list_page(person: Person, what: str, number: int) -> Answer:
    links = [user_link(friend) for friend in person.friends]
    if what == "artists":
        links = [artist_link(artist) for artist in person.artists]
    last = max(1, -(-len(links) // PER_PAGE))
    if not 1 <= number <= last:
        return NOT_FOUND
    path = f"/user/{person.name}/{what}"
    shown = items(links[(number - 1) * PER_PAGE : number * PER_PAGE], f'class="{what}-list"')
    back = link(f"/user/{person.name}", person.name, 'class="back-to-profile"')
    return framed(f"{person.name}'s {what}", f"<h1>{back}: all {what}</h1>{shown}{pager(path, number, last)}")


def artist_page(artist: str, size: Size) -> Answer:
    """Names some listeners and similar artists, which lead away from a person's taste."""
    at = size.artists.index(artist)
    listeners = [person.name for person in people(size).values() if artist in person.artists]
    similar = [size.artists[(at + step) % len(size.artists)] for step in (1, 2, 5)]
    body = (
        f'<h1 class="artist-name">{escape(artist)}</h1><p class="listeners">{len(listeners)} listeners</p>'
        f'<section class="top-listeners"><h2>Top listeners</h2>{items(map(user_link, listeners[:4]))}</section>'
        f'<section class="similar"><h2>Similar artists</h2>{items(map(artist_link, similar))}</section>'
    )
    return framed(artist, body)


class Person(NamedTuple):
    name: str
    friends: tuple[str, ...]
    artists: tuple[str, ...]


class Size(NamedTuple):
    """``friends``: so many does the first user look for."""

    names: tuple[str, ...]
    artists: tuple[str, ...]
    friends: int


SMALL = Size(NAMES, ARTISTS, 14)
LARGE = Size(  # a popular user of a popular site
    (*NAMES, *(f"{name}{number}" for number in range(2, 14) for name in NAMES)),
    (*ARTISTS, *(f"{artist} {number}" for number in range(2, 8) for artist in ARTISTS)),
    80,
)


@cache
def people(size: Size = SMALL) -> dict[str, Person]:
    """Friendship is mutual; the first artists are liked by many, the last by few."""
    names = size.names
    friends: dict[str, list[str]] = {name: [] for name in names}
    dice = Dice(2010)
    for name in names:
        for _ in range(size.friends if name == START else dice.between(1, 4)):
            other = dice.pick(names)
            if other != name and other not in friends[name]:
                friends[name].append(other)
                friends[other].append(name)
    artists = size.artists
    return {
        name: Person(name, tuple(friends[name]), _taste(Dice(7, at), artists)) for at, name in enumerate(names)
    }


def _taste(dice: Dice, artists: tuple[str, ...]) -> tuple[str, ...]:
    wanted = dice.between(3, 26)
    liked = [artists[min(dice.below(len(artists)), dice.below(len(artists)))] for _ in range(wanted)]
    return tuple(dict.fromkeys(liked))


def fans(start: str = START, size: Size = SMALL) -> dict[str, list[str]]:
    """The truth of the example: artist → who likes it, among ``start`` and the friends of ``start``."""
    everybody = people(size)
    liked: dict[str, list[str]] = {}
    for name in (start, *everybody[start].friends):
        for artist in everybody[name].artists:
            liked.setdefault(artist, []).append(name)
    return {artist: sorted(names) for artist, names in sorted(liked.items())}
