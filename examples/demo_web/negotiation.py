"""Content negotiation: what a client would rather have."""

from __future__ import annotations

RDF = ("turtle", "n-triples", "n-quads", "rdf+xml", "ld+json", "trig", "n3")


def wants_rdf(accept: str) -> bool:
    """Whether RDF is wanted rather than HTML.

    >>> wants_rdf("text/turtle,text/html;q=0.5"), wants_rdf("text/html,text/turtle;q=0.9"), wants_rdf("*/*")
    (True, False, False)
    """
    best = {True: 0.0, False: 0.0}
    for part in accept.split(","):
        kind, _, rest = part.partition(";")
        quality = float(rest.strip().removeprefix("q=")) if rest.strip().startswith("q=") else 1.0
        is_rdf = any(kind.strip().endswith(name) for name in RDF)
        best[is_rdf] = max(best[is_rdf], quality)
    return best[True] > best[False]
