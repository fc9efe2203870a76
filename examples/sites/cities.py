"""The facts of the wiki: cities, roughly as they were in 2007, with the gaps and oddities of a wiki."""

from __future__ import annotations

from typing import NamedTuple


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
