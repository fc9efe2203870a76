"""Mutated pages and files of RDF, read under walls of 2 seconds of processor time and 1 GB: no crash, no hang.

Reading is done in a child process. The kernel ends it at either wall, also inside C code; the parent notes which
mutation that was and starts the next child behind it. A mutation is named by its seed: the same seed and the same
files give the same bytes. What broke is written to ``bench-data/mutations``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import mmap
import random
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyoxigraph
from tests.extract.rdf_samples import SAMPLES

from benchmarks.common import DATA, ROOT, environment, scratch
from sundog.engines.live.pages.reading import read
from sundog.extract import extract
from sundog.extract.link_text import CONTEXT
from sundog.media_types import TYPE_OF_KIND

SECONDS = 2.0  # of processor time, for one mutation
MEMORY = 1 << 30  # bytes of address space
URL = "http://example.com/dir/page.html"
FAILURES = DATA / "mutations"
WINDOW = 6_000  # bytes of a real page that are mutated, mostly
MOST_NESTED = 2_000
TYPES = ["text/html", "text/plain", *TYPE_OF_KIND.values()]
PIECES = [
    piece.encode("latin-1").decode("unicode_escape").encode("latin-1")
    for piece in r"""
    < > " ' & \x00 \xff \xed\xa0\x80 { } [ ] , : \\u // % \xf0\x9f\x8c\x9e \xef\xbb\xbf \xff\xfe \x20itemscope
    \x20itemprop=a \x20itemprop-reverse=a \x20itemref=x \x20itemref="x\x20y" \x20id=x
    \x20itemtype=http://v.example/T \x20typeof \x20property=a:b \x20property="a:b\x20a:c" \x20vocab=
    \x20vocab=http://v.example/ \x20prefix="a:\x20http://a.example/" \x20rel=a:b \x20rev=a:b \x20inlist
    \x20about=[ \x20about=# \x20resource=_:x \x20datatype=rdf:HTML \x20datatype=rdf:XMLLiteral
    \x20xmlns:a=http://a.example/ \x20lang=x- \x20class="h-card\x20p-name"
    \x20class="h-entry\x20u-url\x20dt-start\x20e-content" \x20class="vcard\x20fn\x20org" \x20class=value
    \x20class=include \x20class=h-feed \x20href=#x \x20content=x \x20datetime=2020
    <script\x20type=application/ld+json> </script> "@context": "@id": "@graph": "@type":[ @list "@reverse":{
    "@nest": "@included": "@container":"@graph" "@value": "@language": "@index": "@base": "@vocab": "@import":
    "@propagate":false "@protected":true "https://schema.org/" "_:b" 1e999 -0 1E+20 null true \\ud800 \\u0000
    @prefix\x20 @base\x20< PREFIX\x20 _:b\x20 [\x20 (\x20 \x20)\x20. <<(\x20 \x20)>> <<\x20 \x20>> {|\x20
    \x20|} \""" ''' ^^< @en @en--ltr \x20.\n a\x20 ;\x20 ,\x20 # \n { } => <= = ? ! ^ is\x20 \x20of\x20
    @forAll GRAPH\x20 VERSION\x20"1.2" <!ENTITY\x20a\x20'&a;'> &a; &lt; &#0; &#xD800; rdf:parseType='Literal'
    rdf:parseType='Collection' xml:base=' xml:lang=' rdf:li rdf:ID='x' rdf:nodeID='b' rdf:about='
    rdf:resource=' rdf:datatype=' <![CDATA[ ]]> <?xml <!DOCTYPE xmlns=' its:version= <base\x20href= <template>
    </template> <table> <tr> <svg> <math> <!-- --> <a\x20href=x> </a> <div> </div> <p> <form> <select>
    <frameset> <meta\x20property=og:a\x20content=b> <meta\x20http-equiv=refresh\x20content="0;url=x">
    <meta\x20charset=utf-16> <plaintext> <noscript> http:// http://[ //a.example ..\\ javascript: urn:
    <urlset> <loc> <rss> <feed> <entry> \x1f\x8b\x08 BZh PK\x03\x04
    """.split()
]


class Base(NamedTuple):
    """What is mutated."""

    content_type: str
    body: bytes


class Bases(NamedTuple):
    small: list[Base]  # made for tests
    real: list[Base]


def bases(files: Sequence[str] = ()) -> Bases:
    """Golden pages, RDF of all syntaxes, and pages of ``files``: JSON lines with html, body or page."""
    small = [Base(*each) for each in SAMPLES]
    pages = sorted((ROOT / "tests" / "pages").glob("*/page.html"))
    small += [Base("text/html", path.read_bytes()) for path in pages]
    real: list[Base] = []
    for name in files:
        for line in _lines(Path(name)):
            page = json.loads(line)
            text = page.get("html") or page.get("body") or page.get("page")
            if isinstance(text, str):
                base = Base(page.get("content_type") or "text/html", text.encode("utf-8", "replace"))
                (small if "suite" in page else real).append(base)
    return Bases(small, real)


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from lines


def drawn(chance: random.Random, given: Bases) -> Base:
    """Mostly under its own type."""
    base, other = _picked(chance, given), _picked(chance, given)
    content_type = base.content_type if chance.randrange(6) else chance.choice(TYPES)
    return Base(content_type, mutated(base.body, other.body, chance))


def _picked(chance: random.Random, given: Bases) -> Base:
    if not given.real or chance.randrange(10) < 7:
        return chance.choice(given.small)
    base = chance.choice(given.real)
    if not chance.randrange(30):
        return base
    start = chance.choice((0, chance.randrange(len(base.body) + 1)))
    return Base(base.content_type, base.body[start : start + WINDOW])


def mutated(page: bytes, other: bytes, chance: random.Random) -> bytes:
    """A few random changes."""
    for _ in range(chance.choice((1, 1, 2, 3, 4, 6, 10))):
        start = chance.randrange(len(page) + 1)
        end = min(len(page), start + chance.choice((1, 4, 40, 40, 400)))
        page = chance.choice(CHANGES)(page, other, start, end, chance)
    return page


def _cut(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    return page[:start] + page[end:]


def _repeat(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    return page[:start] + page[start:end] * chance.randint(2, 5) + page[end:]


def _insert(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    return page[:start] + chance.choice(PIECES) + page[start:]


def _byte(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    return page[:start] + bytes([chance.randrange(256)]) + page[start + 1 :]


def _flip(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    flipped = bytes(byte ^ (1 << chance.randrange(8)) for byte in page[start : start + 1])
    return page[:start] + flipped + page[start + 1 :]


def _splice(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    at = chance.randrange(len(other) + 1)
    return page[:start] + other[at : at + chance.choice((20, 80, 600))] + page[start:]


def _turn(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    return page[end:] + page[:start]


def _exchange_token(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    """A word between blanks, tags or quotes becomes a piece, or goes to another place."""
    stops = [page.find(mark, start) for mark in b" \"'<>=,:/\n"]
    end = min((stop for stop in stops if stop > start), default=end)
    if chance.randrange(2):
        return page[:start] + chance.choice(PIECES) + page[end:]
    at = chance.randrange(len(page) + 1)
    return page[:at] + page[start:end] + page[at:]


def _nest(page: bytes, other: bytes, start: int, end: int, chance: random.Random) -> bytes:
    """A piece, or something of the page, very often: most change little, and a few nest deeply."""
    piece = chance.choice(PIECES) if chance.randrange(2) else page[start : min(end, start + 40)]
    times = MOST_NESTED if not chance.randrange(20) else chance.randint(5, 60)
    return page[:start] + piece * times + page[start:]


Change = Callable[[bytes, bytes, int, int, random.Random], bytes]
CHANGES: list[Change] = [_cut, _repeat, _insert, _insert, _byte, _flip, _splice, _turn, _exchange_token, _nest]


def check(base: Base) -> None:
    """Whatever the bytes, extraction ends, and what it gives is valid."""
    content_type, body = base
    found = extract(body, base=URL, content_type=content_type)
    _ = found.types, found.mf2, found.counts
    assert all(link.url.startswith(("http://", "https://")) for link in found.links)
    assert all(len(link.before) <= CONTEXT and len(link.after) <= CONTEXT for link in found.links)
    assert not any("Error" in fault.reason.partition(":")[0] for fault in found.faults), found.faults
    list(pyoxigraph.parse(found.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS))
    if "html" not in content_type:  # it may be a listing
        read(body, URL, content_type, max_bytes=5_000_000, with_text=True)


class Place:
    """The seed that is being read, known to the parent also after the child was killed."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(struct.pack("q", -1))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 8)

    @property
    def seed(self) -> int:
        return int(struct.unpack("q", self._map[:8])[0])

    @seed.setter
    def seed(self, value: int) -> None:
        self._map[:8] = struct.pack("q", value)


def child(first: int, end: int, place: Place, files: Sequence[str]) -> None:
    given = bases(files)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for seed in range(first, end):
        place.seed = seed
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # SIGPROF ends the process, wherever it is
        base = drawn(random.Random(seed), given)
        try:
            check(base)
        except Exception as error:
            keep(seed, base, f"{type(error).__name__}: {error}")
    place.seed = end


def keep(seed: int, base: Base, reason: str) -> None:
    FAILURES.mkdir(parents=True, exist_ok=True)
    (FAILURES / f"{seed}.bin").write_bytes(base.body)
    (FAILURES / f"{seed}.txt").write_text(f"{base.content_type}\n{reason}\n", encoding="utf-8")
    print(f"- seed {seed}, {base.content_type}, {len(base.body):,} bytes: {reason[:300]}", flush=True)


def run(count: int, first: int = 0, files: Sequence[str] = ()) -> int:
    """The seeds from ``first`` on; how many ended their process."""
    end, ended = first + count, 0
    with scratch() as folder:
        place = Place(folder / "seed")
        while first < end:
            arguments = [str(first), str(end), str(folder / "seed"), *files]
            done = subprocess.run([sys.executable, "-m", "benchmarks.mutations", *arguments], env=environment())
            if done.returncode == 0:
                break
            if place.seed < first:
                raise SystemExit(f"the child does not start: it ended with {done.returncode}")
            ended += 1
            how = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit {done.returncode}"
            keep(place.seed, drawn(random.Random(place.seed), bases(files)), f"its process ended with {how}")
            first = place.seed + 1
    return ended


def main(count: int, first: int = 0, files: Sequence[str] = ()) -> None:
    began, known = time.monotonic(), _failures()
    print(
        f"{count:,} mutations, seeds from {first}; at most {SECONDS:g} s and {MEMORY >> 20:,} MB each", flush=True
    )
    ended = run(count, first, files)
    failed = len(_failures() - known)
    print(f"{count:,} in {time.monotonic() - began:,.0f} s: {ended} ended the process, {failed} failed in all")


def _failures() -> set[Path]:
    return set(FAILURES.glob("*.bin")) if FAILURES.exists() else set()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="the child process of this benchmark")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("place", type=Path)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    child(options.first, options.end, Place(options.place), options.files)
