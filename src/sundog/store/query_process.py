"""The process that answers one query: a request on stdin, an answer on stdout, both JSON."""

from __future__ import annotations

import resource
import sys
from typing import Any

import orjson
import pyoxigraph as ox

MOST_MEMORY = 4 << 30
STRING = "http://www.w3.org/2001/XMLSchema#string"


def term_of(term: Any) -> dict[str, str] | None:
    match term:
        case None:
            return None
        case ox.NamedNode():
            return {"type": "uri", "value": term.value}
        case ox.BlankNode():
            return {"type": "bnode", "value": term.value}
        case ox.Literal() if term.language:
            return {"type": "literal", "value": term.value, "xml:lang": term.language}
        case ox.Literal() if term.datatype.value != STRING:
            return {"type": "literal", "value": term.value, "datatype": term.datatype.value}
        case ox.Literal():
            return {"type": "literal", "value": term.value}
    return {"type": "triple", "value": str(term)}


def answer(path: str, query: str, most_rows: int, prefixes: dict[str, str]) -> dict[str, Any]:
    store = ox.Store.read_only(path)
    try:
        found = store.query(query, use_default_graph_as_union=True, prefixes=prefixes)
    except SyntaxError as error:
        return {"error": str(error)}
    if isinstance(found, ox.QueryBoolean):
        return {"columns": ["answer"], "rows": [], "boolean": bool(found), "cut": False}
    if isinstance(found, ox.QueryTriples):
        columns = ["subject", "predicate", "object"]
    else:
        columns = [variable.value for variable in found.variables]
    rows: list[list[Any]] = []
    for row in found:
        if len(rows) == most_rows:
            return {"columns": columns, "rows": rows, "boolean": None, "cut": True}
        rows.append([term_of(row[place]) for place in range(len(columns))])
    return {"columns": columns, "rows": rows, "boolean": None, "cut": False}


def main() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    sys.stdout.buffer.write(orjson.dumps(answer(**orjson.loads(sys.stdin.buffer.read()))))


if __name__ == "__main__":
    main()
