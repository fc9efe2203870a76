"""The datasets: each has things, says something of every one of them, and publishes that in its own way.

No triple is published twice. A thing leads to the next one of its dataset and to one of another dataset, so that
everything can be found from any of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from .forms import Document, Entry, Gone, Negotiated, Thing, Triple

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
VOID = "http://rdfs.org/ns/void#"
V = "http://vocabulary.example/ns#"
TERMS = "http://vocabulary.example/terms/"  # of the same vocabulary, but without a fragment
NUMBER = "http://www.w3.org/2001/XMLSchema#integer"
TURTLE = "text/turtle"


class Dataset:
    """``size`` things at ``host``; ``elsewhere`` is the dataset to which they lead."""

    kind = ""

    def __init__(self, size: int) -> None:
        self.size = size
        self.host = f"http://{self.kind}.example"
        self.elsewhere: Dataset = self

    def thing(self, number: int) -> str:
        return f"{self.host}/doc/{number}#it"

    def entries(self) -> Iterator[Entry]:
        raise NotImplementedError

    def facts(self, number: int) -> list[Triple]:
        me, place = f"<{self.thing(number)}>", f"_:place{number}"
        return [
            (me, f"<{RDF}type>", f"<{V}{'Person' if number % 2 else 'Place'}>"),
            (me, f"<{V}name>", f'"{self.kind} \\"{number}\\" with é and <>"@en'),
            (me, f"<{V}number>", f'"{number}"^^<{NUMBER}>'),
            (me, f"<{V}next>", f"<{self.thing((number + 1) % self.size)}>"),
            (me, f"<{OWL}sameAs>", f"<{self.elsewhere.thing(number % self.elsewhere.size)}>"),
            (me, f"<{TERMS}near>", place),
            (place, f"<{V}name>", f'"near {self.kind} {number}"'),
            *([(me, f"<{RDFS}seeAlso>", f"<{self.host}/dead/{number % 21}>")] if number % 7 == 3 else []),
        ]

    def dead_links(self) -> Iterator[Gone]:
        """Not found, gone, broken, and a redirect that leads back to itself by another one."""
        for number in range(3, min(self.size, 21), 7):
            url = f"{self.host}/dead/{number}"
            if number % 3 == 0:
                yield Gone(url, 410)
            elif number % 3 == 1:
                yield Gone(url, 302, f"{self.host}/loop/{number}")
                yield Gone(f"{self.host}/loop/{number}", 302, url)
            # the rest is simply not there


class Hashes(Dataset):
    """Things are fragments of documents, three of them in each."""

    kind = "hashes"

    def thing(self, number: int) -> str:
        return f"{self.host}/doc/{number // 3}#thing{number}"

    def entries(self) -> Iterator[Entry]:
        for first in range(0, self.size, 3):
            facts = [fact for each in range(first, min(first + 3, self.size)) for fact in self.facts(each)]
            yield Document(f"{self.host}/doc/{first // 3}", facts, "turtle", TURTLE)


class Slashes(Dataset):
    """Things answer 303, to data or to a page."""

    kind = "slashes"

    def thing(self, number: int) -> str:
        return f"{self.host}/resource/{number}"

    def entries(self) -> Iterator[Entry]:
        for number in range(self.size):
            form, ending = (("rdfxml", "rdf"), ("turtle", "ttl"))[number % 2]
            data, page = f"{self.host}/data/{number}.{ending}", f"{self.host}/page/{number}"
            yield Thing(self.thing(number), data, page)
            yield Document(data, self.facts(number), form, "application/rdf+xml" if ending == "rdf" else TURTLE)
            yield Document(page, [], "rdfa", "text/html")


class Negotiations(Dataset):
    """One URL, two documents: JSON-LD, or a page that says nothing to machines."""

    kind = "negotiated"

    def thing(self, number: int) -> str:
        return f"{self.host}/item/{number}"

    def entries(self) -> Iterator[Entry]:
        for number in range(self.size):
            url = self.thing(number)
            yield Negotiated(
                Document(url, self.facts(number), "jsonld", "application/ld+json"),
                Document(url, [], "rdfa", "text/html"),
            )


class Pages(Dataset):
    """Pages with RDFa."""

    kind = "pages"

    def entries(self) -> Iterator[Entry]:
        for number in range(self.size):
            url = f"{self.host}/doc/{number}"
            yield Document(url, self.facts(number), "rdfa", "text/html; charset=utf-8")


class Misdeclared(Dataset):
    """Servers that do not know what they serve."""

    kind = "misdeclared"
    ways = (
        ("turtle", "text/html"),
        ("rdfxml", "text/xml"),
        ("rdfxml", "text/html"),
        ("ntriples", "text/plain"),
        ("jsonld", "application/json"),
        ("turtle", "application/rdf+xml"),
        ("rdfxml", TURTLE),
        ("turtle", ""),
        ("nquads", "application/octet-stream"),
        ("jsonld", "text/html"),
        ("nquads", TURTLE),
        ("rdfxml", "application/x-unknown"),
    )

    def entries(self) -> Iterator[Entry]:
        for number in range(self.size):
            form, declared = self.ways[number % len(self.ways)]
            yield Document(f"{self.host}/doc/{number}", self.facts(number), form, declared)


class Described(Dataset):
    """Pages that say nothing, but whose Link header leads to what describes them."""

    kind = "described"

    def thing(self, number: int) -> str:
        return f"{self.host}/about/{number}"

    def entries(self) -> Iterator[Entry]:
        for number in range(self.size):
            meta = f"/meta/{number}"
            says = 'rel="describedby"' if number % 2 else 'rel=alternate; type="text/turtle"; title="a, b; <c>"'
            yield Document(self.thing(number), [], "rdfa", "text/html", (f"Link: <{meta}>; {says}",))
            yield Document(f"{self.host}{meta}", self.facts(number), "turtle", TURTLE)


class Dumps(Dataset):
    """Nothing but a description and packed files."""

    kind = "dumps"
    files = (
        ("all.nt.gz", "ntriples.gz", "application/gzip"),
        ("more.nq.gz", "nquads.gz", "application/x-gzip"),
        ("rest.ttl.bz2", "turtle.bz2", "application/octet-stream"),
        ("archive.zip", "zip", "application/zip"),
    )

    def thing(self, number: int) -> str:
        return f"{self.host}/void#thing{number}"

    def entries(self) -> Iterator[Entry]:
        dataset = f"<{self.host}/void#dataset>"
        about = [(dataset, f"<{VOID}dataDump>", f"<{self.host}/files/{name}>") for name, _, _ in self.files]
        yield Document(
            f"{self.host}/void", [(dataset, f"<{RDF}type>", f"<{VOID}Dataset>"), *about], "turtle", TURTLE
        )
        for at, (name, form, declared) in enumerate(self.files):
            facts = [fact for number in range(at, self.size, len(self.files)) for fact in self.facts(number)]
            yield Document(f"{self.host}/files/{name}", facts, form, declared)


class Copies(Dataset):
    """Documents with the same bytes, which say the same of different things: of those that their own URLs name."""

    kind = "copies"

    def entries(self) -> Iterator[Entry]:
        index, copies = f"<{self.host}/all>", [f"{self.host}/doc/{number}" for number in range(self.size)]
        led = [(index, f"<{V}next>", f"<{copy}#it>") for copy in copies]
        yield Document(index[1:-1], led, "turtle", TURTLE)
        for copy in copies:
            me = f"<{copy}#it>"
            triples = [(me, f"<{V}name>", '"the same"'), (me, f"<{V}next>", index)]
            yield Document(copy, triples, "copy", TURTLE)


class Vocabulary(Dataset):
    """Terms: most of them fragments of one document, one with a name that answers 303 to another document."""

    kind = "vocabulary"

    def __init__(self, size: int) -> None:
        super().__init__(2)

    def thing(self, number: int) -> str:
        return f"{V}{('Person', 'Place')[number]}"

    def entries(self) -> Iterator[Entry]:
        terms = [f"<{V}{name}>" for name in ("name", "number", "next", "Person", "Place")]
        yield Document(
            V[:-1], [(term, f"<{RDFS}isDefinedBy>", f"<{V[:-1]}>") for term in terms], "rdfxml", "text/xml"
        )
        near, far = f"{TERMS}near", f"{TERMS}far"
        terms_document = self.host + "/terms.ttl"
        yield Thing(near, terms_document)
        yield Thing(far, terms_document)
        triples: list[Triple] = [(f"<{near}>", f"<{OWL}inverseOf>", f"<{far}>")]
        yield Document(terms_document, triples, "turtle", TURTLE)


KINDS: tuple[type[Dataset], ...] = (
    Hashes, Slashes, Negotiations, Pages, Misdeclared, Described, Dumps, Copies, Vocabulary
)  # fmt: skip
