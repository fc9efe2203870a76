"""Languages: their words, what menus and buttons say, and titles and text made of them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from sundog.demo_web.dice import Dice


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in text.split())


@dataclass(frozen=True, eq=False)
class Language:
    """``titles`` are patterns by thing; placeholders are the names of the word lists."""

    code: str
    style: tuple[str, ...]
    dish: tuple[str, ...]
    food: tuple[str, ...]
    occasion: tuple[str, ...]
    good: tuple[str, ...]
    material: tuple[str, ...]
    actor: tuple[str, ...]
    act: tuple[str, ...]
    object: tuple[str, ...]
    trade: tuple[str, ...]
    titles: dict[str, str]
    sentences: tuple[str, ...]
    labels: dict[str, str]


TOWNS = _words(
    "Alderley Brunnau Castelmar Dornfeld Eastmere Fontclair Granvik Hollenbeck Istrana Karlsund Lowick Montrive "
    "Norrby Oberwald Pontcalme Quarrow Ravensby Steinach Tarnwell Ulvera Valmont Westhaven Yarmsted Zellbach"
)
FIRST = _words(
    "Anna Ben Clara David Elena Felix Greta Hugo Ines Jonas Karla Leo Mara Nils Olga Paul Rosa Simon Tara"
)
LAST = _words(
    "Abel Berger Costa Dumont Eklund Ferrer Gruber Holm Ivers Jansen Keller Lund Moreau Novak Ortiz Price"
)
UNITS = _words("g ml tbsp tsp pcs")

_ENGLISH = Language(
    "en",
    style=_words(
        "Roasted Creamy Spicy Quick Rustic Summer Winter Smoky Grandma's Crispy Light Festive Slow "
        "Simple"
    ),
    dish=_words("Soup Stew Salad Pie Curry Risotto Bread Tart Pancakes Gratin Casserole Cake Noodles Dumplings"),
    food=_words(
        "Pumpkin Tomato Lentil Apple Chicken Mushroom Leek Potato Lemon Almond Spinach Carrot Salmon "
        "Barley Onion Plum"
    ),
    occasion=_words(
        "Jazz_Night Book_Fair Open_Day Street_Festival Piano_Recital Film_Evening Craft_Market "
        "Poetry_Slam Marathon "
        "Science_Lecture Puppet_Theatre Wine_Tasting Choir_Concert Flea_Market"
    ),
    good=_words(
        "Lamp Chair Backpack Kettle Desk Jacket Watch Shelf Tent Bicycle Mug Blanket Drill Camera Stool "
        "Vase"
    ),
    material=_words("Oak Steel Linen Copper Wool Bamboo Leather Glass Cotton Marble Cork Ceramic Walnut Felt"),
    actor=_words(
        "The_council The_museum A_local_team The_old_bakery Our_reader The_harbour_office "
        "A_young_engineer The_school "
        "The_orchestra A_neighbour The_library The_railway"
    ),
    act=_words(
        "opens plans restores explains questions rebuilds measures presents remembers improves sells_off discovers"
    ),
    object=_words(
        "the_bridge the_garden a_new_engine the_river_path an_old_map the_market_hall a_winter_programme "
        "the_archive "
        "the_tower a_forgotten_song the_battery_store the_night_train"
    ),
    trade=_words(
        "Baker Nurse Carpenter Data_Analyst Electrician Teacher Accountant Gardener Welder Translator "
        "Cook"
    ),
    titles={
        "recipe": "{style} {food} {dish}",
        "event": "{style} {occasion} in {town}",
        "product": "{material} {good} {size}",
        "article": "{actor} {act} {object}",
        "post": "How {actor} {act} {object}",
        "job": "{trade} wanted in {town}",
        "thread": "Who knows why {actor} {act} {object}?",
        "business": "{trade} {last} {town}",
        "topic": "{object} of {town}",
        "record": "{material} {object} of {town}",
    },
    sentences=(
        "{actor} {act} {object} near {town}.",
        "Nobody in {town} had expected that {actor} {act} {object} so soon.",
        "After a long walk we found {object}, and beside it some {food} and a {material} {good}.",
        "It takes patience, good {food} and a little luck.",
        "Last year {actor} {act} {object}; this year it is the turn of {town}.",
        "Ask {first} {last} about {object}, for few know it better.",
    ),
    labels=dict(
        home="Home", next="Next", previous="Previous", related="You may also like", recent="Latest", tags="Topics",
        friends="Friends and neighbours", more="Read more", about="About us", contact="Contact",
        privacy="Privacy policy", links="Links", by="by", sections="Sections", search="Search",
        ingredients="Ingredients", method="Method", serves="Serves", time="Time", price="Price",
        where="Where", begins="Begins", ends="Ends",
        brand="Brand", rating="Rating", employer="Employer", salary="Salary", phone="Phone", address="Address",
        calendar="Calendar", print="Print this page", data="Data", colour="Colour", sort="Sort by", login="Log in",
    ),
)  # fmt: skip
_GERMAN = Language(
    "de",
    style=_words(
        "Gebackene Cremige Scharfe Schnelle Rustikale Sommerliche Winterliche Leichte Omas Feine "
        "Festliche"
    ),
    dish=_words("Suppe Eintopf Torte Salat Pfanne Knödel Nudeln Auflauf Strudel Quiche Bratlinge Schnitten"),
    food=_words("Kürbis Tomaten Linsen Apfel Hähnchen Pilz Lauch Kartoffel Zitronen Mandel Spinat Möhren Zwiebel"),
    occasion=_words(
        "Jazzabend Buchmesse Straßenfest Klavierabend Filmnacht Handwerkermarkt Lesung Chorkonzert "
        "Flohmarkt Weinprobe"
    ),
    good=_words("Lampe Stuhl Rucksack Kessel Tisch Jacke Uhr Regal Zelt Fahrrad Becher Decke Kamera Hocker"),
    material=_words("Eichen Stahl Leinen Kupfer Woll Bambus Leder Glas Baumwoll Marmor Kork Keramik"),
    actor=_words("Der_Stadtrat Das_Museum Die_alte_Bäckerei Das_Hafenamt Die_Schule Das_Orchester Die_Bücherei"),
    act=_words("eröffnet plant restauriert erklärt erneuert vermisst zeigt verbessert entdeckt"),
    object=_words(
        "die_Brücke den_Garten eine_neue_Maschine den_Uferweg die_Markthalle das_Archiv den_Turm "
        "den_Nachtzug"
    ),
    trade=_words("Bäcker Krankenpfleger Tischler Elektriker Lehrer Buchhalter Gärtner Schweißer Übersetzer Koch"),
    titles={
        "recipe": "{style} {food}-{dish}",
        "event": "{occasion} in {town}",
        "product": "{material}-{good} {size}",
        "article": "{actor} {act} {object}",
        "post": "Wie {actor} {object} {act}",
        "job": "{trade} in {town} gesucht",
        "thread": "Warum {act} {actor} {object}?",
        "business": "{trade} {last} {town}",
        "topic": "{object} von {town}",
        "record": "{material} {object} von {town}",
    },
    sentences=(
        "{actor} {act} {object} bei {town}.",
        "In {town} hatte niemand damit gerechnet, so bald {object} zu sehen.",
        "Nach einem langen Weg fanden wir {object}, dazu etwas {food} und eine {good}.",
        "Es braucht Geduld, gute Zutaten und ein wenig Glück.",
        "Fragen Sie {first} {last}: wenige kennen {object} besser.",
    ),
    labels=dict(
        home="Startseite", next="Weiter", previous="Zurück", related="Das könnte Sie auch interessieren",
        recent="Neueste", tags="Themen", friends="Freunde und Nachbarn", more="Weiterlesen", about="Über uns",
        contact="Kontakt", privacy="Datenschutz", links="Links", by="von", sections="Rubriken", search="Suche",
        ingredients="Zutaten", method="Zubereitung", serves="Portionen", time="Dauer", price="Preis", where="Ort",
        begins="Beginn", ends="Ende", brand="Marke", rating="Bewertung", employer="Arbeitgeber", salary="Gehalt",
        phone="Telefon", address="Anschrift", calendar="Kalender", print="Seite drucken", data="Daten",
        colour="Farbe", sort="Sortieren", login="Anmelden",
    ),
)  # fmt: skip
_FRENCH = Language(
    "fr",
    style=_words("rôtie crémeuse épicée rapide rustique d'été d'hiver légère croquante de_fête maison simple"),
    dish=_words("Soupe Tarte Salade Quiche Galette Poêlée Terrine Brioche Purée Fricassée Compote"),
    food=_words(
        "courge tomate lentille pomme volaille champignon poireau citron amande épinard carotte oignon "
        "prune"
    ),
    occasion=_words(
        "Soirée_jazz Salon_du_livre Fête_de_rue Récital Nuit_du_film Marché_artisanal Concert Brocante"
    ),
    good=_words("Lampe Chaise Bouilloire Veste Montre Étagère Tente Tasse Couverture Perceuse Caméra Commode"),
    material=_words("chêne acier lin cuivre laine bambou cuir verre coton marbre liège céramique"),
    actor=_words(
        "La_mairie Le_musée La_vieille_boulangerie Le_port L'école L'orchestre La_bibliothèque Un_voisin"
    ),
    act=_words("ouvre prépare restaure explique rénove mesure présente améliore découvre"),
    object=_words("le_pont le_jardin un_moteur le_sentier la_halle les_archives la_tour le_train_de_nuit"),
    trade=_words(
        "Boulanger Infirmier Menuisier Analyste Électricien Enseignant Comptable Jardinier Soudeur "
        "Cuisinier"
    ),
    titles={
        "recipe": "{dish} de {food} {style}",
        "event": "{occasion} à {town}",
        "product": "{good} en {material} {size}",
        "article": "{actor} {act} {object}",
        "post": "Comment {actor} {act} {object}",
        "job": "{trade} à {town}",
        "thread": "Pourquoi {actor} {act} {object} ?",
        "business": "{trade} {last} {town}",
        "topic": "{object} de {town}",
        "record": "{material}, {object} de {town}",
    },
    sentences=(
        "{actor} {act} {object} près de {town}.",
        "Personne à {town} ne pensait revoir {object} si tôt.",
        "Après une longue marche, {object}, un peu de {food} et le calme.",
        "Il faut de la patience et un peu de chance.",
        "Demandez à {first} {last} : peu de gens connaissent mieux {object}.",
    ),
    labels=dict(
        home="Accueil", next="Suivant", previous="Précédent", related="À lire aussi", recent="Récent",
        tags="Thèmes", friends="Amis et voisins", more="Lire la suite", about="À propos", contact="Contact",
        privacy="Confidentialité", links="Liens", by="par", sections="Rubriques", search="Recherche",
        ingredients="Ingrédients", method="Préparation", serves="Parts", time="Durée", price="Prix", where="Lieu",
        begins="Début", ends="Fin", brand="Marque", rating="Note", employer="Employeur", salary="Salaire",
        phone="Téléphone", address="Adresse", calendar="Calendrier", print="Imprimer", data="Données",
        colour="Couleur", sort="Trier", login="Connexion",
    ),
)  # fmt: skip
LANGUAGES = ((_ENGLISH, 0.7), (_GERMAN, 0.17), (_FRENCH, 0.13))  # most pages of the Web are in English


PARAGRAPHS = 96  # per language: enough that no two pages are alike
_SPECIAL = str.maketrans({"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_PLACES = re.compile(r"\{(\w+)\}")


def filled(pattern: str, language: Language, dice: Dice) -> str:
    """The pattern with a word of the language for each placeholder."""

    def word(match: re.Match[str]) -> str:
        name = match[1]
        match name:
            case "town":
                return dice.pick(TOWNS)
            case "first":
                return dice.pick(FIRST)
            case "last":
                return dice.pick(LAST)
            case "size":
                return str(dice.between(2, 99) * 10)
        return str(dice.pick(getattr(language, name)))

    text = _PLACES.sub(word, pattern)
    return text[0].upper() + text[1:]


def person(dice: Dice) -> str:
    return f"{dice.pick(FIRST)} {dice.pick(LAST)}"


@lru_cache(maxsize=64)
def paragraphs(seed: int, language: Language) -> tuple[str, ...]:
    """A stock of paragraphs, from which pages take some: written once, because pages must be quick to make."""
    dice = Dice(seed, *language.code.encode())
    return tuple(
        " ".join(filled(dice.pick(language.sentences), language, dice) for _ in range(dice.between(3, 8)))
        for _ in range(PARAGRAPHS)
    )


def slug(text: str) -> str:
    """
    >>> slug("Straßenfest in Brunnau, à la carte")
    'strassenfest-in-brunnau-a-la-carte'
    """
    plain = unicodedata.normalize("NFKD", text.translate(_SPECIAL)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
