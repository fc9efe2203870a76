"""wiki.example: a list of a country's cities, a page for each with an info-box, and much that is not a city.

Cities are roughly as they were in 2007, with the gaps and oddities of a wiki.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote, unquote

from sundog.demo_web.dice import Dice

from .answer import NOT_FOUND, ROBOTS, Answer, items, link, page

HOST = "wiki.example"
START = "List of cities in Germany"
TOPICS = ("City", "Germany", "Elevation", "Census", "Town hall", "Market square")


class Wiki:
    """Every answer is a function of the path. ``cities`` may be more of them, ``large_country()``."""

    def __init__(self, cities: Sequence[City] | None = None) -> None:
        cities = CITIES if cities is None else cities
        self._pages = {f"/wiki/{quote(START.replace(' ', '_'))}": list_page(cities)}
        for title, answer in (
            *((city.name, city_page(city, cities)) for city in cities),
            *((state, state_page(state, cities)) for state in STATES),
            *((city.mayor, person_page(city)) for city in cities if city.mayor),
            *((topic, topic_page(topic)) for topic in TOPICS),
        ):
            self._pages[quote(path_of(title))] = answer
        self._moved = {quote(path_of(old)): quote(path_of(new)) for old, new in OLD_NAMES.items()}

    def answer(self, path: str, query: str) -> Answer:
        path = quote(unquote(path))
        if path == "/robots.txt":
            return ROBOTS
        if path == "/":
            return Answer(302, location=quote(path_of(START)))
        if path in self._moved:
            return Answer(301, location=self._moved[path])
        return NOT_FOUND if query else self._pages.get(path, NOT_FOUND)


def wiki_link(title: str, text: str = "") -> str:
    return link(quote(path_of(title)), text or title, f'title="{escape(title)}"')


def article(title: str, content: str, categories: list[str]) -> Answer:
    """What all pages of the wiki have around them."""
    menu = items([wiki_link(START, "Cities"), wiki_link("Germany"), link("/wiki/Special:Random", "Random page")])
    return page(
        f"{title} - Wiki",
        f'<div id="mw-navigation"><h2>Navigation</h2>{menu}</div>\n'
        f'<div id="content" class="mw-body"><h1 id="firstHeading" class="firstHeading">{escape(title)}</h1>\n'
        f'<div id="bodyContent" class="mw-parser-output">\n{content}\n</div>\n'
        f'<div id="catlinks" class="catlinks">Categories: {items(map(escape, categories))}</div></div>\n'
        '<div id="footer"><p>This page was last edited on 3 April 2009.</p></div>',
    )


def list_page(cities: Sequence[City]) -> Answer:
    """By letter; old names lead through redirects, and one town has no page yet."""
    current = {new: old for old, new in OLD_NAMES.items()}
    ordered = sorted(cities, key=lambda city: city.name)
    sections = []
    for letter, group in groupby(ordered, key=lambda city: city.name[0]):
        rows = "".join(
            f"<tr><td>{wiki_link(current.get(city.name, city.name), city.name)}</td>"
            f"<td>{wiki_link(city.state) if city.state else '(city-state)'}</td></tr>\n"
            for city in group
        )
        heads = '<tr><th scope="col">City</th><th scope="col">State</th></tr>'
        sections.append(f'<h2 id="{letter}">{letter}</h2>\n<table class="wikitable">{heads}\n{rows}</table>')
    missing = '<a href="/w/index.php?title=Neustadt&amp;action=edit" class="new" rel="nofollow">Neustadt</a>'
    content = (
        f"<p>These are the larger {wiki_link('City', 'cities')} of {wiki_link('Germany')}. "
        f"{missing} has no page yet.</p>\n" + "\n".join(sections)
    )
    return article(START, content, ["Lists of cities by country"])


def row(label: str, value: str) -> str:
    return f'<tr><th scope="row">{label}</th><td>{value}</td></tr>\n'


def infobox(title: str, kind: str, rows: str) -> str:
    return (
        f'<table class="infobox {kind}">\n<caption>{escape(title)}</caption>\n'
        f'<tr><td colspan="2" class="image"><img src="/static/{quote(title)}.jpg" alt=""></td></tr>\n'
        f"{rows}</table>"
    )


def city_page(city: City, cities: Sequence[City]) -> Answer:
    rows = row(wiki_link("Germany", "Country"), wiki_link("Germany"))
    if city.state:
        rows += row("State", wiki_link(city.state))
    if city.mayor:
        rows += row("Lord Mayor", wiki_link(city.mayor))
    if city.elevation is not None:
        feet = f"{round(city.elevation / 0.3048):,}"
        rows += row(wiki_link("Elevation"), city.shown_elevation or f"{city.elevation} m ({feet} ft)")
    rows += row("Population <small>(31 December 2007)</small>", population(city))
    where = f"in {wiki_link(city.state)}" if city.state else "and a state of its own"
    others = [other for other in cities if other.state == city.state and other is not city][:4]
    content = (
        f"{infobox(city.name, 'geography vcard', rows)}\n"
        f"<p><b>{escape(city.name)}</b> is a {wiki_link('City', 'city')} {where}, known for its "
        f"{wiki_link('Market square', 'market square')} and its {wiki_link('Town hall', 'town hall')}.</p>\n"
        f"<h2>See also</h2>{items(wiki_link(other.name) for other in others)}"
    )
    return article(city.name, content, [f"Cities in {city.state or 'Germany'}"])


def population(city: City) -> str:
    note = '<sup class="reference"><a href="#cite_note-1">[1]</a></sup>'
    if city.population is None:
        return "<i>unknown</i>"
    return (city.shown_population or f"{city.population:,}") + note


def state_page(state: str, cities: Sequence[City]) -> Answer:
    """It has an info-box with a population too, and links to cities: what a sloppy pattern falls for."""
    capital, people = STATES[state]
    rows = row("Capital", wiki_link(capital)) + row("Population <small>(31 December 2007)</small>", f"{people:,}")
    listed = items(wiki_link(city.name) for city in cities if city.state == state)
    content = (
        f"{infobox(state, 'state', rows)}\n<p><b>{escape(state)}</b> is a state of {wiki_link('Germany')}.</p>\n"
        f"<h2>Cities</h2>{listed}"
    )
    return article(state, content, ["States of Germany"])


def person_page(city: City) -> Answer:
    rows = row("Residence", wiki_link(city.name)) + row("Occupation", "Politician")
    content = (
        f"{infobox(city.mayor, 'biography', rows)}\n<p>{escape(city.mayor)} was mayor of "
        f"{wiki_link(city.name)}.</p>"
    )
    return article(city.mayor, content, ["Mayors"])


def topic_page(topic: str) -> Answer:
    others = items(wiki_link(other) for other in TOPICS if other != topic)
    content = f"<p><b>{escape(topic)}</b> is what one thinks it is.</p>\n<h2>See also</h2>{others}"
    return article(topic, content, ["Words"])


class City(NamedTuple):
    """``population`` and ``elevation`` are what a reader understands; None: the page does not say.

    ``shown_population`` and ``shown_elevation`` are how the page writes them, where that is odd.
    """

    name: str
    state: str
    population: int | None
    elevation: int | None
    mayor: str = ""
    shown_population: str = ""
    shown_elevation: str = ""

    @property
    def path(self) -> str:
        return path_of(self.name)


def path_of(title: str) -> str:
    """
    >>> path_of("Frankfurt am Main")
    '/wiki/Frankfurt_am_Main'
    """
    return f"/wiki/{title.replace(' ', '_')}"


CITIES = (
    City("Munich", "Bavaria", 1_356_594, 519, "Christian Ude"),
    City("Nuremberg", "Bavaria", 503_110, 302, "Ulrich Maly"),
    City("Augsburg", "Bavaria", 262_992, 494, "Kurt Gribl", shown_population="262&nbsp;992"),
    City("Würzburg", "Bavaria", 135_212, 177),
    City("Regensburg", "Bavaria", 131_342, 326, "Hans Schaidinger"),
    City("Ingolstadt", "Bavaria", 122_936, 374, shown_population="c. 122,936"),
    City("Fürth", "Bavaria", 113_627, 294),
    City("Erlangen", "Bavaria", 104_650, 279, shown_elevation="279 metres (915 feet)"),
    City("Bayreuth", "Bavaria", 73_048, 340),
    City("Bamberg", "Bavaria", 69_574, 262),
    City("Landshut", "Bavaria", 61_747, 393),
    City("Passau", "Bavaria", 50_651, None),
    City("Coburg", "Bavaria", None, 292),
    City("Ansbach", "Bavaria", 40_454, 405),
    City("Stuttgart", "Baden-Württemberg", 597_176, 245, "Wolfgang Schuster"),
    City("Mannheim", "Baden-Württemberg", 309_795, 97),
    City("Karlsruhe", "Baden-Württemberg", 288_917, 115, "Heinz Fenrich"),
    City("Freiburg", "Baden-Württemberg", 219_430, 278),
    City("Heidelberg", "Baden-Württemberg", 145_311, 114, "Eckart Würzner"),
    City("Ulm", "Baden-Württemberg", 121_434, 478),
    City("Frankfurt am Main", "Hesse", 659_021, 112, "Petra Roth"),
    City("Wiesbaden", "Hesse", 275_849, 115),
    City("Kassel", "Hesse", 193_803, 167),
    City("Darmstadt", "Hesse", 141_257, 144),
    City("Leipzig", "Saxony", 510_512, 113, "Burkhard Jung"),
    City("Dresden", "Saxony", 507_513, 113, shown_elevation="113&nbsp;m"),
    City("Chemnitz", "Saxony", 244_951, 296),
    City("Cologne", "North Rhine-Westphalia", 995_397, 37, "Fritz Schramma"),
    City("Dortmund", "North Rhine-Westphalia", 586_909, 86),
    City("Essen", "North Rhine-Westphalia", 582_140, 116),
    City("Bonn", "North Rhine-Westphalia", 316_416, 60),
    City("Hanover", "Lower Saxony", 518_069, 55),
    City("Göttingen", "Lower Saxony", 121_513, 150),
    City("Berlin", "", 3_416_255, 34, "Klaus Wowereit"),
    City("Hamburg", "", 1_770_629, 6, "Ole von Beust"),
)
STATES = {
    "Bavaria": ("Munich", 12_520_332),
    "Baden-Württemberg": ("Stuttgart", 10_749_755),
    "Hesse": ("Wiesbaden", 6_072_555),
    "Saxony": ("Dresden", 4_220_200),
    "North Rhine-Westphalia": ("Düsseldorf", 17_996_621),
    "Lower Saxony": ("Hanover", 7_971_684),
}
OLD_NAMES = {"München": "Munich", "Nürnberg": "Nuremberg", "Köln": "Cologne"}
SIZE, OF_BAVARIA = 2_065, 317  # Germany has about as many towns, Bavaria as many of them


def large_country() -> tuple[City, ...]:
    """The cities and as many generated towns as the list of a real country has."""
    dice, known = Dice(2065), {city.name for city in CITIES}
    towns: list[City] = []
    states = [state for state in STATES if state != "Bavaria"]
    bavarian = OF_BAVARIA - sum(city.state == "Bavaria" for city in CITIES)
    while len(CITIES) + len(towns) < SIZE:
        name = f"{dice.pick(_BEGIN)}{dice.pick(_MIDDLE)}{dice.pick(_END)}"
        if name in known:
            continue
        known.add(name)
        state = "Bavaria" if len(towns) < bavarian else dice.pick(states)
        population = None if dice.chance(0.02) else dice.between(1_000, 60_000)
        elevation = None if dice.chance(0.02) else dice.between(1, 900)
        odd = f"c. {population:,}" if population is not None and dice.chance(0.1) else ""
        towns.append(City(name, state, population, elevation, shown_population=odd))
    return (*CITIES, *towns)


_BEGIN = "Alt Neu Ober Unter Nieder Hohen Wald Berg See Burg Stein Eichen Linden Rosen Mühl Kirch".split()
_MIDDLE = "brunn feld hof lohe moor rain ried thal wies au ach eck furt hain kamp rode".split()
_END = "bach burg dorf hausen heim ingen kirchen stadt stetten weiler".split()
