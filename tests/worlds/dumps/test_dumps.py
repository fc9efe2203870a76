"""Small dumps in the formats of MediaWiki and of twitter7 become the scored graphs that they describe."""

from __future__ import annotations

import bz2
import gzip
from math import log
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sundog import load_world, simulate
from sundog.cli.app import app
from sundog.errors import SundogError, UsageError
from sundog.objectives.relevance import Relevance
from sundog.worlds.dumps.mediawiki import world_from_wiki
from sundog.worlds.dumps.tweets import world_from_tweets
from sundog.worlds.static import StaticWorld

WIKI = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="fr">
<siteinfo><sitename>W</sitename><base>https://fr.wiki.example/wiki/Accueil</base></siteinfo>
PAGES</mediawiki>"""
FAR = "x " * 120
PAGES = {
    "Rennes": "Rennes, Bretagne. [[Far breton|le far]] "
    f"{FAR} [[brest (Finistère)#Port|Brest]] [[Category:X]] [[Nulle]]",
    "Far breton": "Un g\u00e2teau de Bretagne &amp; d'ailleurs, <!-- bretagne --> [[Rennes]] [[Rennes|bretagne]]",
    "Brest (Finistère)": "[[:Rennes]] [[Le far]]",
}
TWEETS = """total number:5
T\t2009-06-01 21:43:59
U\thttp://twitter.com/Ada
W\tjazz with @bob and @Carol, Jazz!

T\t2009-06-01 21:44:00
U\thttp://twitter.com/ada
W\t@bob nothing, mail me at ada@example.org

T\t2009-06-01 21:45:00
U\thttp://twitter.com/bob
W\t@ada @ada jazz
T\t2009-06-01 21:45:00
U\thttp://twitter.com/
W\tjazz
T\t2009-06-01 21:45:00
U\thttp://twitter.com/bob
W\tNo Post Title
"""


def page(title: str, text: str, namespace: int = 0, redirect: str = "") -> str:
    leads = f'<redirect title="{redirect}" />' if redirect else ""
    revision = f'<revision><id>1</id><text xml:space="preserve">{text.replace("<", "&lt;")}</text></revision>'
    return f"<page><title>{title}</title><ns>{namespace}</ns><id>1</id>{leads}{revision}</page>"


def wiki_file(folder: Path) -> Path:
    pages = [page(*each) for each in PAGES.items()]
    pages.insert(1, page("Le far", "#REDIRECT [[Far breton]]", redirect="Far breton"))
    pages.append(page("Catégorie:X", "bretagne", namespace=14))
    path = folder / "wiki.xml"
    path.write_text(WIKI.replace("PAGES", "".join(pages)), encoding="utf-8")
    return path


def links_of(world: StaticWorld) -> dict[tuple[str, str], float]:
    return {
        (world.url(page), world.url(target)): round(float(score), 6)
        for page in range(world.size)
        for target, score in zip(world.links_of(page).targets.tolist(), world.links_of(page).scores, strict=True)
    }


def test_a_wiki(tmp_path: Path) -> None:
    made = world_from_wiki(wiki_file(tmp_path), Relevance("keyword:bretagne"), tmp_path / "world")
    assert made == (3, 5, 2, 2, 1)
    world = load_world(tmp_path / "world")
    base = "https://fr.wiki.example/wiki/"
    rennes, far, brest = [f"{base}{name}" for name in ("Rennes", "Far_breton", "Brest_(Finist%C3%A8re)")]
    assert [world.url(number) for number in range(3)] == [rennes, far, brest]
    assert world.pages.score().tolist() == [1.0, pytest.approx(1 + log(2)), 0.0]
    assert links_of(world) == {
        (rennes, far): 1.0,  # Bretagne stands before it
        (rennes, brest): 0.0,  # too far away
        (far, rennes): round(1 + log(2), 6),  # of two links to it the better one
        (brest, rennes): 0.0,
        (brest, far): 0.0,  # through a redirect
    }
    assert simulate(world, "nh-e", budget=3, objective="score").reward == pytest.approx(2 + log(2))


def test_tweets(tmp_path: Path) -> None:
    (tmp_path / "tweets.txt").write_text(TWEETS)
    made = world_from_tweets(tmp_path / "tweets.txt", Relevance("keyword:jazz"), tmp_path / "world")
    assert made == (3, 3, 2, 3, 2)
    world = load_world(tmp_path / "world")
    ada, bob, carol = [f"https://twitter.com/{name}" for name in ("ada", "bob", "carol")]
    assert dict(zip([ada, bob, carol], world.pages.score().tolist(), strict=True)) == {
        ada: pytest.approx(1 + log(2)), bob: 1.0, carol: 0.0
    }  # fmt: skip
    two = round(1 + log(2), 6)
    assert links_of(world) == {(ada, bob): two, (ada, carol): two, (bob, ada): 1.0}


def test_tf_idf_weighs_rare_words_more(tmp_path: Path) -> None:
    (tmp_path / "tweets.txt").write_text(TWEETS)
    relevance = Relevance("keyword:jazz,mail", "tf-idf")
    world_from_tweets(tmp_path / "tweets.txt", relevance, tmp_path / "world")
    world = load_world(tmp_path / "world")
    jazz, mail = log(3 / 2), log(3)  # of three users two have the one word, one has the other
    assert world.pages.score().tolist()[:2] == [pytest.approx(jazz * (1 + log(2)) + mail), pytest.approx(jazz)]


def test_the_command_takes_them_by_their_names(tmp_path: Path) -> None:
    wiki = wiki_file(tmp_path)
    (tmp_path / "wiki.xml.bz2").write_bytes(bz2.compress(wiki.read_bytes()))
    (tmp_path / "tweets.txt.gz").write_bytes(gzip.compress(TWEETS.encode()))
    (tmp_path / "pages.jsonl").write_text('{"url": "http://a.example/", "html": "<p>jazz jazz"}\n' * 2)
    expected = {"wiki.xml.bz2": "3 pages, 1 of", "tweets.txt.gz": "3 pages, 2 of", "pages.jsonl": "1 pages, 0 of"}
    for number, (name, said) in enumerate(expected.items()):
        words = ["score", str(tmp_path / name), str(tmp_path / f"w{number}"), "--for", "keyword:jazz,gâteau"]
        done = CliRunner().invoke(app, [*words, "--relevance", "tf-idf"])
        assert done.exit_code == 0, done.output
        assert said in done.output  # in all documents a word says nothing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mediawiki><page><title>a</title>", "line 1: this is no MediaWiki dump"),
        ("tweets", "line 1: this is no MediaWiki dump"),
        ("<mediawiki/>", "the dump has no page"),
        ('<!DOCTYPE a [<!ENTITY e "x">]><mediawiki>&e;</mediawiki>', "declares entities"),
    ],
)
def test_what_is_no_wiki(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.xml").write_text(text)
    with pytest.raises(SundogError, match=message):
        world_from_wiki(tmp_path / "a.xml", Relevance("keyword:x"), tmp_path / "world")
    assert not (tmp_path / "world").exists()


def test_what_are_no_tweets(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("T\tx\nhello\n")
    with pytest.raises(SundogError, match=r"a\.txt, line 2: a line that begins with T, U or W"):
        world_from_tweets(tmp_path / "a.txt", Relevance("keyword:x"), tmp_path / "world")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TWEETS.encode())[:-9])
    with pytest.raises(SundogError, match=r"a\.txt\.gz cannot be read"):
        world_from_tweets(tmp_path / "a.txt.gz", Relevance("keyword:x"), tmp_path / "world")
    with pytest.raises(UsageError, match="'jsonld' counts no words"):
        Relevance("jsonld")
