"""A page's statements as text, and the key under which ``crawl.db`` has them.

They are N-Triples by syntax in the database, and N-Quads for everyone else.

A page's URL is the graph of all its statements; a graph that the page itself names is not kept, for a page
could otherwise speak in the name of another. Blank nodes get labels of their own for every page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from sundog.store.events import Triple
from sundog.syntaxes import STORED
from sundog.urls.iris import page_iri

ROOM = 8  # syntaxes that a step has room for. Every crawl.db that there is has it: it cannot change
assert len(STORED) <= ROOM
PLACES = {name: place for place, name in enumerate(STORED)}
# For SQL, where s are statements and o outcomes:
STEP = f"s.id / {ROOM}"
HAS_STATEMENTS = (
    f"EXISTS (SELECT 1 FROM statements s WHERE s.id BETWEEN {ROOM} * o.step AND {ROOM} * o.step + {ROOM - 1}"
    " AND s.triples <> '')"
)
BLANK_OR_STRING = re.compile(r'(?<= )_:\S+|"(?:[^"\\]|\\.)*"')


def statement_id(step: int, syntax: str) -> int:
    """The id of a page's statements in one syntax. Those of a step lie side by side, in the order of STORED.

    >>> statement_id(3, "jsonld"), statement_id(3, "rdf")
    (24, 29)
    """
    return ROOM * step + PLACES[syntax]


def ids_of_steps(first: int, last: int) -> tuple[int, int]:
    """For ``id BETWEEN ? AND ?``: the statements of these steps, both included.

    >>> ids_of_steps(3, 3), ids_of_steps(1, 3)
    ((24, 31), (8, 31))
    """
    return ROOM * first, ROOM * last + ROOM - 1


def step_of(statement: int) -> int:
    """
    >>> step_of(statement_id(3, "rdf"))
    3
    """
    return statement // ROOM


def graph_iri(url: str) -> str:
    """The URL as a term: the graph of a page's statements."""
    return f"<{page_iri(url)}>"


def ntriples(candidate: int, triples: Sequence[Triple]) -> str:
    """One line a statement; what is more or less than one line is none and is left out. So is what only differs in
    its graph.

    >>> ntriples(7, [("_:b1", "<http://p.example/>", '"x"')])
    '_:p7-b1 <http://p.example/> "x" .\\n'
    """
    own = partial(_own_label, f"_:p{candidate}-")
    lines = [
        f"{own(each[0]) if each[0][:2] == '_:' else each[0]} {each[1]} "
        f"{own(each[2]) if each[2][:2] in ('_:', '<<') else each[2]} .\n"
        for each in triples
    ]
    if any(len(each) > 3 for each in triples):
        lines = list(dict.fromkeys(lines))
    text = "".join(lines)
    if text.count("\n") != len(lines):
        text = "".join([line for line in lines if line.count("\n") == 1])
    return text


def split_triples(text: str) -> list[Triple]:
    """The terms of each line.

    >>> split_triples('_:a <http://p.example/> "x y" .\\n')
    [('_:a', '<http://p.example/>', '"x y"')]
    """
    return [tuple(line[:-2].split(" ", 2)) for line in text.split("\n") if line]


def _own_label(prefix: str, term: str) -> str:
    """A blank node with the page's label, or a triple term whose blank nodes have theirs.

    >>> _own_label("_:p7-", '<<( _:a <http://p.example/_:a> " _:a" )>>')
    '<<( _:p7-a <http://p.example/_:a> " _:a" )>>'
    """
    if term[0] == "_":
        return prefix + term[2:]
    return BLANK_OR_STRING.sub(lambda part: part[0] if part[0][0] == '"' else prefix + part[0][2:], term)


def nquads(graph: str, triples: str) -> str:
    """The same lines with their graph.

    >>> nquads("<http://g.example/>", '_:a <http://p.example/> "x" .\\n')
    '_:a <http://p.example/> "x" <http://g.example/> .\\n'
    """
    return triples.replace(" .\n", f" {graph} .\n")
